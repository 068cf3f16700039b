//! The built-in players as an engine for programs that speak the
//! [Go Text Protocol](https://www.lysator.liu.se/~gunnar/gtp/) in the dialect of Pentobi; see `docs/gtp.md`.
//!
//! A line becomes a `request`, which selects one of the `commands`; these use the `engine` with the `game` and the
//! player. The text of an error is the answer; no error ends the program.

mod commands;
mod engine;
mod game;
mod request;

use std::io::{self, BufRead, Read, Write};

use anyhow::anyhow;

pub use self::game::UndoableGame;
pub use engine::{Engine, GAMES, LastSearch, MakePlayer};

/// Maximum length of a line in bytes. A position takes some 600.
const LINE_LIMIT: usize = 1 << 16;

/// Answers commands until `quit` or the end of the input.
///
/// # Errors
/// If reading `input` or writing `output` fails.
///
/// ```
/// use client::gtp::{Engine, serve};
/// use player::{Budget, Options, RandomPlayer, boxed};
///
/// let make = Box::new(boxed::<RandomPlayer>);
/// let mut engine = Engine::new(make, game::Rules::Classic, Budget::default(), Options::default());
/// let mut answers = Vec::new();
/// serve(&mut engine, "protocol_version\nquit\n".as_bytes(), &mut answers)?;
/// assert_eq!(answers, b"= 2\n\n= \n\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn serve(engine: &mut Engine, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut line = Vec::new();
    while !engine.has_quit && read_line(&mut input, &mut line)? {
        if let Some(answer) = answer(engine, &String::from_utf8_lossy(&line)) {
            output.write_all(answer.as_bytes())?;
            output.flush()?;
        }
    }
    Ok(())
}

/// Reads a line, cut at the limit. Returns `false` at the end of the input.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let length = input.take(LINE_LIMIT as u64 + 1).read_until(b'\n', line)?;
    if length > LINE_LIMIT && !line.ends_with(b"\n") {
        input.skip_until(b'\n')?;
    }
    Ok(length > 0)
}

/// Returns the answer to a line with the empty line at its end; `None` if the line has no command.
///
/// ```
/// use client::gtp::{Engine, answer};
/// use player::{Budget, Options, RandomPlayer, boxed};
///
/// let make = Box::new(boxed::<RandomPlayer>);
/// let mut engine = Engine::new(make, game::Rules::Classic, Budget::default(), Options::default());
/// assert_eq!(answer(&mut engine, "7 protocol_version").as_deref(), Some("=7 2\n\n"));
/// assert_eq!(answer(&mut engine, "# a comment"), None);
/// ```
pub fn answer(engine: &mut Engine, line: &str) -> Option<String> {
    let request = request::GtpRequest::parse(line)?;
    let is_too_long = line.len() > LINE_LIMIT;
    let result = if is_too_long { Err(anyhow!("the line is too long")) } else { commands::execute(engine, &request) };
    if let Err(error) = &result {
        // At level info, because the answer says it, too.
        log::info!("`{}`: {error}", request.name);
    }
    Some(request.respond(result))
}
