//! Programs in processes of their own, and line by line communication with them.

use std::collections::{BTreeSet, VecDeque};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use game::excerpt;

use crate::lock::lock;

/// Ids of the processes that run, which are also the ids of their groups.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Kills all programs. Meant for the end of the process: threads that wait for an answer of a hanging program do not
/// drop it.
pub fn kill_programs() {
    lock(&RUNNING).iter().for_each(|&id| kill_group(id));
}

/// A program started by the shell. Dropping it kills its process group.
pub(crate) struct Program {
    child: Child,
    stderr: StderrTail,
    is_killed: bool,
}

/// A [`Program`] with piped stdin and stdout.
pub(crate) struct LineProcess {
    pub(crate) program: Program,
    input: Option<ChildStdin>,
    lines: Receiver<Result<String, &'static str>>,
}

/// Reason why a program has no next line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoLine {
    /// The deadline passed.
    Timeout,
    /// The output has ended.
    Ended,
    /// The line is unreadable, and no later line is read.
    Unreadable(&'static str),
}

/// Maximum number of lines read ahead; bounds the memory for endless output.
const LINES_AHEAD: usize = 1000;

/// Maximum length of a line of a program in bytes.
const MAX_LINE: u64 = 1 << 16;

/// Time for a new program to answer. Virtual machines start slowly.
pub(crate) const STARTUP_TIMEOUT: Duration = Duration::from_secs(20);

/// Delay before a slow start or answer is logged.
pub(crate) const WARN_AFTER: Duration = Duration::from_secs(2);

/// Time for a program to exit before it is killed.
const EXIT_GRACE: Duration = Duration::from_millis(500);

impl Program {
    /// Starts the program; `pipe` makes its standard input and output.
    pub(crate) fn start(command: &str, pipe: fn() -> Stdio) -> std::io::Result<Self> {
        let mut child = shell(command).stdin(pipe()).stdout(pipe()).spawn()?;
        lock(&RUNNING).insert(child.id());
        let stderr = StderrTail::of(&mut child, command);
        Ok(Self { child, stderr, is_killed: false })
    }

    /// Returns `true` if the program has ended.
    pub(crate) fn has_ended(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(_)))
    }

    /// Returns the exit status or signal, if the program ends within [`EXIT_GRACE`], and the last lines of its standard
    /// error. Meant as the end of a message.
    pub(crate) fn exit_report(&mut self) -> String {
        self.wait(EXIT_GRACE);
        let status = self.child.try_wait().ok().flatten();
        status.map(|status| format!(", {}", describe(status))).unwrap_or_default() + &self.stderr.last()
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
        // The process id may be reused after the first call.
        if std::mem::replace(&mut self.is_killed, true) {
            return;
        }
        self.wait(timeout);
        // Also after the program's own exit, because its children may still run.
        kill_group(self.child.id());
        lock(&RUNNING).remove(&self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Kills the processes of a group. Fails only if none is left.
fn kill_group(id: u32) {
    #[cfg(unix)]
    if let Ok(id) = i32::try_from(id) {
        use nix::sys::signal::{Signal, killpg};
        let _ = killpg(nix::unistd::Pid::from_raw(id), Signal::SIGKILL);
    }
    // Windows has no process groups; `taskkill /T` ends the children.
    #[cfg(windows)]
    let _ = Command::new("taskkill").args(["/T", "/F", "/PID", &id.to_string()]).output();
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
                let is_last = line.is_err();
                if sender.send(line).is_err() || is_last {
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

    /// Returns the next line that the program prints.
    pub(crate) fn next_line(&mut self, deadline: Instant) -> Result<String, NoLine> {
        match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) => line.map_err(NoLine::Unreadable),
            Err(RecvTimeoutError::Timeout) => Err(NoLine::Timeout),
            Err(RecvTimeoutError::Disconnected) => Err(NoLine::Ended),
        }
    }
}

/// Reads the next line without its end, or the reason why it is unreadable. Returns `None` at the end of the output.
fn read_line(output: &mut impl BufRead) -> Option<Result<String, &'static str>> {
    let mut line = Vec::new();
    output.take(MAX_LINE).read_until(b'\n', &mut line).ok().filter(|&length| length > 0)?;
    if line.len() as u64 == MAX_LINE && line.last() != Some(&b'\n') {
        return Some(Err("is longer than 64 KiB"));
    }
    let line = String::from_utf8(line).map_err(|_| "is not UTF-8");
    Some(line.map(|line| line.trim_end_matches(['\r', '\n']).to_owned()))
}

impl Drop for LineProcess {
    fn drop(&mut self) {
        self.input = None;
        self.program.end(EXIT_GRACE);
    }
}

/// Returns a command for the shell. The programs that it starts form a group of their own, so that they can be ended
/// together, and so that Ctrl-C in the terminal ends the match and not the programs that play it.
fn shell(command: &str) -> Command {
    let mut shell = if cfg!(windows) { Command::new("cmd") } else { Command::new("sh") };
    #[cfg(unix)]
    {
        shell.arg("-c").arg(command);
        std::os::unix::process::CommandExt::process_group(&mut shell, 0);
    }
    // `cmd /S` takes the text between the first and last quotation mark verbatim; `arg` would add backslashes.
    #[cfg(windows)]
    std::os::windows::process::CommandExt::raw_arg(&mut shell, format!("/S /C \"{command}\""));
    shell.stderr(Stdio::piped());
    shell
}

/// Returns a path as one word of a command for the shell. Most need no quotes.
pub fn shell_quote(path: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-".contains(letter);
    if cfg!(windows) {
        // `cmd` reads text after a slash as options; paths contain no quotation marks.
        format!("\"{path}\"")
    } else if path.chars().all(is_plain) {
        path.to_owned()
    } else {
        format!("'{}'", path.replace('\'', "'\\''"))
    }
}

/// A program's stderr: logged, with the last lines kept for error messages.
struct StderrTail {
    last: Arc<Mutex<VecDeque<Vec<u8>>>>,
    reader: Option<JoinHandle<()>>,
}

impl StderrTail {
    /// Number of kept lines. A shell reports a bad command in one, a program a bad option in up to four.
    const KEPT: usize = 4;

    /// Time to wait for the last lines of a program that has exited.
    const DRAIN_TIMEOUT: Duration = Duration::from_millis(200);

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
                    let is_frame = line.trim_ascii().starts_with(b"at ") && !kept.is_empty();
                    if is_frame || line.trim_ascii().is_empty() {
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
        let deadline = Instant::now() + Self::DRAIN_TIMEOUT;
        while self.reader.as_ref().is_some_and(|reader| !reader.is_finished()) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        let last = lock(&self.last);
        let lines: Vec<String> = last.iter().map(|line| excerpt(line.trim_ascii())).collect();
        if lines.is_empty() { String::new() } else { format!("; stderr: `{}`", lines.join(" / ")) }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn names_reason_of_unreadable_line() {
        for (script, reason) in [
            ("cat /dev/zero | tr '\\0' x", NoLine::Unreadable("is longer than 64 KiB")),
            ("printf '\\377\\n'; sleep 60", NoLine::Unreadable("is not UTF-8")),
            ("exit", NoLine::Ended),
        ] {
            let mut process = LineProcess::start(&format!("echo one; {script}")).unwrap();
            let deadline = || Instant::now() + Duration::from_secs(5);
            assert_eq!(process.next_line(deadline()), Ok("one".to_owned()));
            assert_eq!(process.next_line(deadline()), Err(reason));
            assert_eq!(process.next_line(deadline()), Err(NoLine::Ended));
        }
    }

    #[test]
    fn quotes_any_path_as_one_word() {
        for path in ["a/b-c.d", "my players/$HOME/it's \"x\".jar", "-"] {
            let mut process = LineProcess::start(&format!("printf '%s\\n' {} end", shell_quote(path))).unwrap();
            let mut line = || process.next_line(Instant::now() + Duration::from_secs(5));
            assert_eq!((line(), line()), (Ok(path.to_owned()), Ok("end".to_owned())));
        }
    }

    #[test]
    fn exit_report_omits_stack_frames() {
        let script =
            "printf 'IOException: disk full\\n\\tat a.B(C.java:1)\\n   at D.E () [0x1]\\n at F\\n' >&2; exit 4";
        let mut process = LineProcess::start(script).unwrap();
        assert_eq!(process.program.exit_report(), ", exit status: 4; stderr: `IOException: disk full`");
    }

    #[test]
    fn ends_programs_with_their_children() {
        // The second program would keep the pipe open for a minute.
        let mut process = LineProcess::start("sleep 60 & echo ready; cat; wait").unwrap();
        let deadline = || Instant::now() + Duration::from_secs(5);
        assert_eq!(process.next_line(deadline()), Ok("ready".to_owned()));
        process.send("hello").unwrap();
        assert_eq!(process.next_line(deadline()), Ok("hello".to_owned()));
        assert_eq!(process.next_line(Instant::now() + Duration::from_millis(10)), Err(NoLine::Timeout));
        process.program.end(Duration::ZERO);
        assert_eq!(process.next_line(deadline()), Err(NoLine::Ended));
    }
}
