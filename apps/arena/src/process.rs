//! Programs that are talked to line by line.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use game::excerpt;

/// A program started by the shell, whose standard input and output are ours. It ends when this
/// value does.
pub(crate) struct LineProcess {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    complaints: Complaints,
}

/// Why there is no line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReadError {
    /// The deadline has passed.
    Timeout,
    /// The program has ended or closed its output.
    Ended,
}

/// Lines that are read ahead at most, so that a program that prints without end fills no memory.
const LINES_AHEAD: usize = 1000;

/// The longest line of a program, in bytes.
const LONGEST_LINE: u64 = 1 << 16;

/// How long a program that has just been started may take to answer. Virtual machines are slow.
pub(crate) const STARTUP: Duration = Duration::from_secs(20);

/// After so long whoever waits is told what for.
pub(crate) const NOTICE: Duration = Duration::from_secs(2);

/// How long a program may take to end by itself.
const FAREWELL: Duration = Duration::from_millis(500);

impl LineProcess {
    /// Starts the program.
    pub(crate) fn start(command: &str) -> std::io::Result<Self> {
        let mut child = shell(command).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take();
        let output = child.stdout.take();
        let complaints = Complaints::of(&mut child, command);
        let (sender, lines) = sync_channel(LINES_AHEAD);
        thread::spawn(move || {
            let Some(mut output) = output.map(BufReader::new) else { return };
            while let Some(line) = read_line(&mut output) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Self { child, input, lines, complaints })
    }

    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str) -> std::io::Result<()> {
        let input = self.input.as_mut().ok_or(std::io::ErrorKind::BrokenPipe)?;
        writeln!(input, "{line}")?;
        input.flush()
    }

    /// What the program complained about, for messages.
    pub(crate) fn complaints(&self) -> String {
        self.complaints.last()
    }

    /// The next line that the program prints.
    pub(crate) fn line(&mut self, deadline: Instant) -> Result<String, ReadError> {
        let patience = deadline.saturating_duration_since(Instant::now());
        self.lines.recv_timeout(patience).map_err(|error| match error {
            RecvTimeoutError::Timeout => ReadError::Timeout,
            RecvTimeoutError::Disconnected => ReadError::Ended,
        })
    }
}

/// The next line without its end. What is not a line of UTF-8 ends the reading, and so the game.
fn read_line(output: &mut impl BufRead) -> Option<String> {
    let mut line = String::new();
    let length = output.take(LONGEST_LINE).read_line(&mut line).ok()?;
    line.truncate(line.trim_end_matches(['\r', '\n']).len());
    (length > 0 && (line.len() as u64) < LONGEST_LINE).then_some(line)
}

impl Drop for LineProcess {
    fn drop(&mut self) {
        self.input = None;
        end(&mut self.child, FAREWELL);
    }
}

/// A command for the shell. The programs that it starts form a group of their own, so that they can
/// be ended together, and so that Ctrl-C in the terminal ends the match and not the programs that
/// play it.
pub(crate) fn shell(command: &str) -> Command {
    let mut shell = if cfg!(windows) { Command::new("cmd") } else { Command::new("sh") };
    #[cfg(unix)]
    {
        shell.arg("-c").arg(command);
        std::os::unix::process::CommandExt::process_group(&mut shell, 0);
    }
    // It takes all between the first quotation mark and the last as it stands, where `arg` would put backslashes.
    #[cfg(windows)]
    std::os::windows::process::CommandExt::raw_arg(&mut shell, format!("/S /C \"{command}\""));
    shell.stderr(Stdio::piped());
    shell
}

/// A path as one word of a command for the [`shell`]. Most need no quotes.
pub(crate) fn word(path: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-".contains(letter);
    if cfg!(windows) {
        // There, what follows a slash is taken for options, and no path has quotation marks in it.
        format!("\"{path}\"")
    } else if path.chars().all(is_plain) {
        path.to_owned()
    } else {
        format!("'{}'", path.replace('\'', "'\\''"))
    }
}

/// What a program says on its standard error: logged for those who want to know more, and the end
/// of it kept for messages.
pub(crate) struct Complaints {
    last: Arc<Mutex<VecDeque<Vec<u8>>>>,
    reader: Option<JoinHandle<()>>,
}

impl Complaints {
    /// The lines that are kept. The shell says what is wrong with a command in one.
    const KEPT: usize = 3;

    /// How long the last words of a program that has ended may take.
    const PATIENCE: Duration = Duration::from_millis(200);

    /// Reads what a child says that [`shell`] has started.
    pub(crate) fn of(child: &mut Child, command: &str) -> Self {
        let last = Arc::new(Mutex::new(VecDeque::new()));
        let reader = child.stderr.take().map(|errors| {
            let (kept, command) = (last.clone(), command.to_owned());
            thread::spawn(move || {
                let mut errors = BufReader::new(errors);
                loop {
                    let mut line = Vec::new();
                    let read = errors.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
                    if read.is_err() || line.is_empty() {
                        break;
                    }
                    log::info!("{}: {}", excerpt(&command), excerpt(line.trim_ascii_end()));
                    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                    if kept.len() == Self::KEPT {
                        kept.pop_front();
                    }
                    kept.push_back(line);
                }
            })
        });
        Self { last, reader }
    }

    /// The last of what was said, as the end of a message; nothing if nothing was.
    pub(crate) fn last(&self) -> String {
        let deadline = Instant::now() + Self::PATIENCE;
        while self.reader.as_ref().is_some_and(|reader| !reader.is_finished()) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let lines: Vec<String> = last.iter().map(|line| excerpt(line.trim_ascii())).collect();
        if lines.is_empty() { String::new() } else { format!("; it says `{}`", lines.join(" / ")) }
    }
}

/// Waits for a program to end, then ends it and whatever it has started.
pub(crate) fn end(child: &mut Child, patience: Duration) {
    let deadline = Instant::now() + patience;
    while Instant::now() < deadline {
        match child.try_wait() {
            Ok(None) => thread::sleep(Duration::from_millis(1)),
            Ok(Some(_)) | Err(_) => break,
        }
    }
    // Also if the program has ended by itself: what it has started may go on. These fail only if nothing does.
    #[cfg(unix)]
    if let Ok(group) = i32::try_from(child.id()) {
        use nix::sys::signal::{Signal, killpg};
        let _ = killpg(nix::unistd::Pid::from_raw(group), Signal::SIGKILL);
    }
    // Windows has no groups, but knows who has started whom.
    #[cfg(windows)]
    let _ = Command::new("taskkill").args(["/T", "/F", "/PID", &child.id().to_string()]).output();
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn output_without_end_fills_no_memory() {
        let mut process = LineProcess::start("echo one; cat /dev/zero | tr '\\0' x").unwrap();
        let deadline = || Instant::now() + Duration::from_secs(5);
        assert_eq!(process.line(deadline()), Ok("one".to_owned()));
        assert_eq!(process.line(deadline()), Err(ReadError::Ended));
    }

    #[test]
    fn a_path_is_one_word_whatever_is_in_it() {
        for path in ["a/b-c.d", "my players/$HOME/it's \"x\".jar", "-"] {
            let mut process = LineProcess::start(&format!("printf '%s\\n' {} end", word(path))).unwrap();
            let mut line = || process.line(Instant::now() + Duration::from_secs(5));
            assert_eq!((line(), line()), (Ok(path.to_owned()), Ok("end".to_owned())));
        }
    }

    #[test]
    fn programs_end_with_all_that_they_started() {
        // The second program would keep the pipe open for a minute.
        let mut process = LineProcess::start("sleep 60 & echo ready; cat; wait").unwrap();
        let deadline = || Instant::now() + Duration::from_secs(5);
        assert_eq!(process.line(deadline()), Ok("ready".to_owned()));
        process.send("hello").unwrap();
        assert_eq!(process.line(deadline()), Ok("hello".to_owned()));
        assert_eq!(process.line(Instant::now() + Duration::from_millis(10)), Err(ReadError::Timeout));
        end(&mut process.child, Duration::ZERO);
        assert_eq!(process.line(deadline()), Err(ReadError::Ended));
    }
}
