//! The end of programs: signals, exit codes and error messages.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use game::printable;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Exit code of programs that are ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// Returns a flag that Ctrl-C and SIGTERM set. A second signal ends the program at once.
///
/// # Errors
/// If a signal handler cannot be installed.
pub fn stop_on_signal() -> io::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // Runs first, so the first signal only sets the flag.
        flag::register_conditional_shutdown(signal, INTERRUPTED, stop.clone())?;
        flag::register(signal, stop.clone())?;
    }
    Ok(stop)
}

/// Prints the error on stderr, if there is one, and returns the exit code. A closed output pipe is not an error.
pub fn conclude(program: &str, done: anyhow::Result<()>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            complain(format_args!("{program}: {}", message(&error)));
            ExitCode::FAILURE
        }
    }
}

/// Prints an error on stderr. Ignores a closed pipe, as behind `2>&1 | head`.
pub fn complain(text: impl Display) {
    _ = writeln!(io::stderr(), "{text}");
}

/// Joins an error and its causes on one line, without repetitions. Control characters from files and programs are
/// escaped.
///
/// ```
/// let cause = std::io::Error::other("the disk is full");
/// let error = anyhow::Error::new(cause).context("cannot write a: the disk is full").context("nothing was kept");
/// assert_eq!(cli::message(&error), "nothing was kept: cannot write a: the disk is full");
/// ```
pub fn message(error: &anyhow::Error) -> String {
    let mut message = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if message.is_empty() {
            message = cause;
        } else if !message.contains(&cause) {
            message += ": ";
            message += &cause;
        }
    }
    printable(&message).to_string()
}

/// Returns `true` if the error is a closed output pipe, as behind `| head`.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let is_closed = |error: &io::Error| error.kind() == ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref().is_some_and(is_closed))
}
