//! The raw terminal, which is restored in all cases.

use std::io::{self, Stdout, stdout};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use ratatui::Frame;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode,
};

/// The terminal while it shows the board. A drop restores it, and so does a panic before its message.
pub(super) struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Screen {
    /// Enters raw mode and the alternate screen.
    pub fn enter() -> io::Result<Self> {
        let (owner, others) = (thread::current().id(), panic::take_hook());
        panic::set_hook(Box::new(move |info| {
            if thread::current().id() == owner {
                leave();
                others(info);
            } else {
                // The board continues and reports it there.
                log::error!("{info}");
            }
        }));
        enable_raw_mode()?;
        IS_ENTERED.store(true, Ordering::Relaxed);
        let entered = execute!(stdout(), EnterAlternateScreen, EnableMouseCapture, EnableBracketedPaste);
        let terminal = entered.and_then(|()| Terminal::new(CrosstermBackend::new(stdout())));
        terminal.map(|terminal| Self { terminal }).inspect_err(|_| leave())
    }

    /// Draws a screen without flicker.
    pub fn draw(&mut self, draw: impl FnOnce(&mut Frame)) -> io::Result<()> {
        execute!(stdout(), BeginSynchronizedUpdate)?;
        self.terminal.draw(draw)?;
        execute!(stdout(), EndSynchronizedUpdate)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        leave();
    }
}

/// `true` while the terminal must be restored.
static IS_ENTERED: AtomicBool = AtomicBool::new(false);

/// Restores the terminal, but only once: twice would move the cursor over later output. The terminal may be gone, so
/// errors are ignored.
fn leave() {
    if !IS_ENTERED.swap(false, Ordering::Relaxed) {
        return;
    }
    let _ = execute!(
        stdout(),
        EndSynchronizedUpdate,
        DisableBracketedPaste,
        DisableMouseCapture,
        LeaveAlternateScreen,
        Show
    );
    let _ = disable_raw_mode();
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::env;
    use std::io::Read;

    use pty_process::blocking::{Command, open};

    /// Marks the copy of this test that runs in a terminal.
    const IN_TERMINAL: &str = "BOARD_PANIC_IN_TERMINAL";

    #[test]
    fn panic_restores_terminal_before_message() {
        if env::var_os(IN_TERMINAL).is_some() {
            let mut screen = Screen::enter().unwrap();
            screen.draw(|frame| frame.render_widget("board", frame.area())).unwrap();
            panic!("something is wrong");
        }
        let (mut pty, pts) = open().unwrap();
        pty.resize(pty_process::Size::new(24, 80)).unwrap();
        let name = "terminal::screen::tests::panic_restores_terminal_before_message";
        let command = Command::new(env::current_exe().unwrap()).args([name, "--exact", "--nocapture"]);
        let mut child = command.env(IN_TERMINAL, "1").spawn(pts).unwrap();
        let (mut written, mut buffer) = (Vec::new(), [0; 4096]);
        // When the program has ended, reading from its terminal is an error.
        while let Ok(length @ 1..) = pty.read(&mut buffer) {
            written.extend(&buffer[..length]);
        }
        assert!(!child.wait().unwrap().success());
        let text = String::from_utf8_lossy(&written);
        let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("no {part:?} in {text:?}"));
        let (board, left, spoke) = (at("\x1b[1;1Hboard"), at("\x1b[?1049l"), at("something is wrong"));
        assert!(board < left && left < spoke, "{text:?}");
        assert_eq!(text.matches("\x1b[?1049l").count(), 1, "{text:?}");
        // Raw mode would leave the lines of the message as a staircase.
        assert!(text[left..].contains("\r\n") && text[left..].contains("\x1b[?25h"), "{text:?}");
    }
}
