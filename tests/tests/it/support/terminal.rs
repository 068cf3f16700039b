//! Programs in a terminal.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::process::Child;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use pty_process::Size;
use pty_process::blocking::{Command, Pty, open};
use vt100::{Color, MouseProtocolMode, Parser};

/// Timeout of a test that waits in vain.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Escape code at the end of a picture that is drawn in place.
const END_FRAME: &[u8] = b"\x1b[?2026l";

/// A program in a terminal.
pub struct Terminal {
    pub child: Child,
    /// Content of the terminal.
    pub parser: Parser,
    /// Everything that was written.
    pub written: Vec<u8>,
    pty: Arc<Pty>,
    output: Receiver<Vec<u8>>,
}

/// Returns a program that is to be started in a terminal with many colours; nothing around the tests tells it which
/// language or colours to take.
pub fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    for name in ["CI", "CLICOLOR", "CLICOLOR_FORCE", "COLORTERM", "NO_COLOR", "LC_ALL", "LC_MESSAGES", "RUST_LOG"] {
        command = command.env_remove(name);
    }
    command.env("TERM", "xterm-256color")
}

fn size(cells: u16) -> NonZeroU16 {
    NonZeroU16::new(cells).expect("a terminal has cells")
}

impl Terminal {
    /// Starts a program in a terminal of the given size.
    pub fn start(command: Command, (columns, rows): (u16, u16)) -> Self {
        let (pty, pts) = open().expect("the system has terminals");
        pty.resize(Size::new(rows, columns)).expect("terminals have any size");
        let child = command.spawn(pts).expect("the program can be started");
        let (pty, (sender, output)) = (Arc::new(pty), channel());
        let reader = pty.clone();
        thread::spawn(move || {
            let mut buffer = [0; 1 << 16];
            // When the program has ended, reading from its terminal is an error.
            while let Ok(length @ 1..) = (&*reader).read(&mut buffer) {
                _ = sender.send(buffer[..length].to_vec());
            }
        });
        Self { child, parser: Parser::new(size(rows), size(columns), 0), written: Vec::new(), pty, output }
    }

    /// Returns the text on the terminal.
    pub fn text(&self) -> String {
        self.parser.screen().contents()
    }

    /// Reads output; returns `false` at its end.
    fn read(&mut self, patience: Duration) -> bool {
        match self.output.recv_timeout(patience) {
            Ok(bytes) => {
                self.parser.process(&bytes);
                self.written.extend(bytes);
                true
            }
            Err(RecvTimeoutError::Timeout) => panic!("nothing more comes after\n{}", self.text()),
            Err(RecvTimeoutError::Disconnected) => false,
        }
    }

    /// Reads output until a whole picture is as wanted.
    pub fn wait(&mut self, what: &str, wanted: impl Fn(&str) -> bool) {
        let start = Instant::now();
        while !(self.written.ends_with(END_FRAME) && wanted(&self.text())) {
            let left = TIMEOUT.saturating_sub(start.elapsed());
            assert!(self.read(left), "no {what} in\n{}", self.text());
        }
    }

    /// Reads output until a whole picture contains a text.
    pub fn wait_for(&mut self, text: &str) {
        self.wait(text, |shown| shown.contains(text));
    }

    /// Sends the bytes of key presses.
    pub fn press(&self, keys: &str) {
        (&*self.pty).write_all(keys.as_bytes()).expect("the program reads keys");
    }

    /// Presses keys one after the other and waits for a picture after each.
    pub fn press_each(&mut self, keys: &[&str]) {
        for key in keys {
            let before = self.written.len();
            self.press(key);
            while self.written.len() == before || !self.written.ends_with(END_FRAME) {
                assert!(self.read(TIMEOUT), "it has ended:\n{}", self.text());
            }
        }
    }

    /// Checks that no line wraps.
    pub fn assert_nothing_is_too_long(&self) {
        let screen = self.parser.screen();
        let wrapped = (0..screen.size().0.get()).find(|&row| screen.row_wrapped(row));
        assert_eq!(wrapped, None, "a line is too long:\n{}", self.text());
    }

    /// Gives the terminal another size.
    pub fn resize(&mut self, columns: u16, rows: u16) {
        self.parser.screen_mut().set_size(size(rows), size(columns));
        self.pty.resize(Size::new(rows, columns)).expect("terminals have any size");
    }

    /// Reads to the end, checks that the terminal is restored, and returns the exit code.
    pub fn end(&mut self) -> Option<i32> {
        while self.read(TIMEOUT) {}
        let screen = self.parser.screen();
        assert!(!screen.hide_cursor() && !screen.alternate_screen() && !screen.bracketed_paste());
        assert_eq!(screen.mouse_protocol_mode(), MouseProtocolMode::None);
        assert_eq!((screen.fgcolor(), screen.bgcolor(), screen.bold()), (Color::Default, Color::Default, false));
        self.child.wait().expect("it has been started").code()
    }
}
