//! Programs in processes of their own, and line by line communication with them.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use game::excerpt;

use crate::lock::lock;

/// A program started by the shell. It ends when this value does, with its process group.
pub(crate) struct Program {
    child: Child,
    complaints: Complaints,
    is_over: bool,
}

/// A [`Program`] whose standard input and output are ours.
pub(crate) struct LineProcess {
    pub(crate) program: Program,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

/// Lines that are read ahead at most, so that a program that prints without end fills no memory.
const LINES_AHEAD: usize = 1000;

/// Maximum length of a line of a program in bytes.
const MAX_LINE: u64 = 1 << 16;

/// Time for a new program to answer. Virtual machines start slowly.
pub(crate) const STARTUP_TIMEOUT: Duration = Duration::from_secs(20);

/// Delay after which the user learns about a slow start.
pub(crate) const WARN_AFTER: Duration = Duration::from_secs(2);

/// Time that a program has to end by itself.
const FAREWELL: Duration = Duration::from_millis(500);

impl Program {
    /// Starts the program; `pipe` makes its standard input and output.
    pub(crate) fn start(command: &str, pipe: fn() -> Stdio) -> std::io::Result<Self> {
        let mut child = shell(command).stdin(pipe()).stdout(pipe()).spawn()?;
        let complaints = Complaints::of(&mut child, command);
        Ok(Self { child, complaints, is_over: false })
    }

    /// Returns `true` if the program has ended.
    pub(crate) fn has_ended(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(_)))
    }

    /// Returns the exit status or signal, if the program ends within [`FAREWELL`], and the last lines of its standard
    /// error. Meant as the end of a message.
    pub(crate) fn last_words(&mut self) -> String {
        self.wait(FAREWELL);
        let status = self.child.try_wait().ok().flatten();
        status.map(|status| format!(", {}", describe(status))).unwrap_or_default() + &self.complaints.last()
    }

    /// Waits until the program has ended, for `timeout` at most.
    fn wait(&mut self, timeout: Duration) {
        let deadline = Instant::now() + timeout;
        while matches!(self.child.try_wait(), Ok(None)) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Waits for the program to end, then ends it and its process group.
    pub(crate) fn end(&mut self, timeout: Duration) {
        // Another program may get its number later.
        if std::mem::replace(&mut self.is_over, true) {
            return;
        }
        self.wait(timeout);
        // Also after the program's own exit, because its children may still run. Fails only if none does.
        #[cfg(unix)]
        if let Ok(group) = i32::try_from(self.child.id()) {
            use nix::sys::signal::{Signal, killpg};
            let _ = killpg(nix::unistd::Pid::from_raw(group), Signal::SIGKILL);
        }
        // Windows has no groups, but knows who has started whom.
        #[cfg(windows)]
        let _ = Command::new("taskkill").args(["/T", "/F", "/PID", &self.child.id().to_string()]).output();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.end(Duration::ZERO);
    }
}

/// Describes an exit status. A shell's status names the signal that ended its command.
fn describe(status: ExitStatus) -> String {
    match status.code() {
        Some(code @ 129..=192) if cfg!(unix) => format!("{status} (signal {})", code - 128),
        _ => status.to_string(),
    }
}

impl LineProcess {
    /// Starts the program.
    pub(crate) fn start(command: &str) -> std::io::Result<Self> {
        let mut program = Program::start(command, Stdio::piped)?;
        let input = program.child.stdin.take();
        let output = program.child.stdout.take();
        let (sender, lines) = sync_channel(LINES_AHEAD);
        thread::spawn(move || {
            let Some(mut output) = output.map(BufReader::new) else { return };
            while let Some(line) = read_line(&mut output) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Self { program, input, lines })
    }

    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str) -> std::io::Result<()> {
        let input = self.input.as_mut().ok_or(std::io::ErrorKind::BrokenPipe)?;
        writeln!(input, "{line}")?;
        input.flush()
    }

    /// Returns the next line that the program prints; an error if the deadline passes or the output ends before.
    pub(crate) fn line(&mut self, deadline: Instant) -> Result<String, RecvTimeoutError> {
        self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now()))
    }
}

/// Reads the next line without its end. Invalid UTF-8 ends the reading and so the game.
fn read_line(output: &mut impl BufRead) -> Option<String> {
    let mut line = String::new();
    let length = output.take(MAX_LINE).read_line(&mut line).ok()?;
    line.truncate(line.trim_end_matches(['\r', '\n']).len());
    (length > 0 && (line.len() as u64) < MAX_LINE).then_some(line)
}

impl Drop for LineProcess {
    fn drop(&mut self) {
        self.input = None;
        self.program.end(FAREWELL);
    }
}

/// Returns a command for the shell. The programs that it starts form a group of their own, so that they can
/// be ended together, and so that Ctrl-C in the terminal ends the match and not the programs that
/// play it.
fn shell(command: &str) -> Command {
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

/// Returns a path as one word of a command for the [`shell`]. Most need no quotes.
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

/// A program's stderr: logged, with the last lines kept for error messages.
struct Complaints {
    last: Arc<Mutex<VecDeque<Vec<u8>>>>,
    reader: Option<JoinHandle<()>>,
}

impl Complaints {
    /// Number of kept lines. A shell reports a bad command in one.
    const KEPT: usize = 3;

    /// Time to wait for the last lines of a program that has exited.
    const PATIENCE: Duration = Duration::from_millis(200);

    /// Reads the stderr of a child started by [`shell`].
    fn of(child: &mut Child, command: &str) -> Self {
        let last = Arc::new(Mutex::new(VecDeque::new()));
        let reader = child.stderr.take().map(|errors| {
            let (kept, command) = (last.clone(), command.to_owned());
            thread::spawn(move || {
                let mut errors = BufReader::new(errors);
                loop {
                    let mut line = Vec::new();
                    let read = errors.by_ref().take(MAX_LINE).read_until(b'\n', &mut line);
                    if read.is_err() || line.is_empty() {
                        break;
                    }
                    log::info!("{}: {}", excerpt(&command), excerpt(line.trim_ascii_end()));
                    let mut kept = lock(&kept);
                    // Stack frames of Java, .NET and Node; the exception stands above them.
                    if line.trim_ascii().starts_with(b"at ") && !kept.is_empty() {
                        continue;
                    }
                    if kept.len() == Self::KEPT {
                        kept.pop_front();
                    }
                    kept.push_back(line);
                }
            })
        });
        Self { last, reader }
    }

    /// Returns the last lines as the end of a message; empty if there are none.
    fn last(&self) -> String {
        let deadline = Instant::now() + Self::PATIENCE;
        while self.reader.as_ref().is_some_and(|reader| !reader.is_finished()) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        let last = lock(&self.last);
        let lines: Vec<String> = last.iter().map(|line| excerpt(line.trim_ascii())).collect();
        if lines.is_empty() { String::new() } else { format!("; it says `{}`", lines.join(" / ")) }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn endless_line_ends_output() {
        let mut process = LineProcess::start("echo one; cat /dev/zero | tr '\\0' x").unwrap();
        let deadline = || Instant::now() + Duration::from_secs(5);
        assert_eq!(process.line(deadline()), Ok("one".to_owned()));
        assert_eq!(process.line(deadline()), Err(RecvTimeoutError::Disconnected));
    }

    #[test]
    fn quotes_any_path_as_one_word() {
        for path in ["a/b-c.d", "my players/$HOME/it's \"x\".jar", "-"] {
            let mut process = LineProcess::start(&format!("printf '%s\\n' {} end", word(path))).unwrap();
            let mut line = || process.line(Instant::now() + Duration::from_secs(5));
            assert_eq!((line(), line()), (Ok(path.to_owned()), Ok("end".to_owned())));
        }
    }

    #[test]
    fn last_words_omit_stack_frames() {
        let script =
            "printf 'IOException: disk full\\n\\tat a.B(C.java:1)\\n   at D.E () [0x1]\\n at F\\n' >&2; exit 4";
        let mut process = LineProcess::start(script).unwrap();
        assert_eq!(process.program.last_words(), ", exit status: 4; it says `IOException: disk full`");
    }

    #[test]
    fn ends_programs_with_their_children() {
        // The second program would keep the pipe open for a minute.
        let mut process = LineProcess::start("sleep 60 & echo ready; cat; wait").unwrap();
        let deadline = || Instant::now() + Duration::from_secs(5);
        assert_eq!(process.line(deadline()), Ok("ready".to_owned()));
        process.send("hello").unwrap();
        assert_eq!(process.line(deadline()), Ok("hello".to_owned()));
        assert_eq!(process.line(Instant::now() + Duration::from_millis(10)), Err(RecvTimeoutError::Timeout));
        process.program.end(Duration::ZERO);
        assert_eq!(process.line(deadline()), Err(RecvTimeoutError::Disconnected));
    }
}
