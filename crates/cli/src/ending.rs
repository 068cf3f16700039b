//! Exit codes and error messages of programs.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use game::printable;

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

/// Returns `true` if the reader of the output has gone, who has seen enough.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let is_closed = |error: &io::Error| error.kind() == ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref().is_some_and(is_closed))
}
