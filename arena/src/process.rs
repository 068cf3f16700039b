//! Programs that are talked to line by line.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// A program started by the shell, whose standard input and output are ours. It ends when this
/// value does.
pub(crate) struct LineProcess {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
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

/// How long a program may take to end by itself.
const FAREWELL: Duration = Duration::from_millis(500);

impl LineProcess {
    /// Starts the program.
    pub(crate) fn start(command: &str) -> std::io::Result<Self> {
        let mut child = shell(command).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take();
        let output = child.stdout.take();
        let (sender, lines) = sync_channel(LINES_AHEAD);
        thread::spawn(move || {
            // A line that is not UTF-8 or an error of the pipe ends the reading, and so the game.
            for line in output.into_iter().flat_map(|output| BufReader::new(output).lines()).map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Self { child, input, lines })
    }

    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str) -> std::io::Result<()> {
        let input = self.input.as_mut().ok_or(std::io::ErrorKind::BrokenPipe)?;
        writeln!(input, "{line}")?;
        input.flush()
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

impl Drop for LineProcess {
    fn drop(&mut self) {
        self.input = None;
        end(&mut self.child, FAREWELL);
    }
}

/// A command that replaces the shell that starts it, so that ending it ends the program. What it
/// says on its standard error is shown only to those who want to know more.
pub(crate) fn shell(command: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("exec {command}"));
    if !log::log_enabled!(log::Level::Info) {
        shell.stderr(Stdio::null());
    }
    shell
}

/// Waits for a program to end, then ends it.
pub(crate) fn end(child: &mut Child, patience: Duration) {
    let deadline = Instant::now() + patience;
    while Instant::now() < deadline {
        match child.try_wait() {
            Ok(None) => thread::sleep(Duration::from_millis(1)),
            Ok(Some(_)) | Err(_) => return,
        }
    }
    // Both fail only if the program has ended by now.
    let _ = child.kill();
    let _ = child.wait();
}
