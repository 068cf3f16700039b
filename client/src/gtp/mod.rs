//! The built-in players as engine for programs that speak the Go Text Protocol.
//!
//! The [protocol](https://www.lysator.liu.se/~gunnar/gtp/) is commands and answers line by line;
//! for Blokus it is spoken as Pentobi does, so that programs that drive Pentobi can drive this
//! engine. `docs/gtp.md` says what each command means.
//!
//! A line becomes a request (`request`), the request is looked up among the `commands`, and
//! these use the `engine`, which keeps the `game` and the player. What goes wrong is a
//! `failure` and never ends the program.

mod board;
mod commands;
mod engine;
mod failure;
mod game;
mod request;

use std::io::{self, BufRead, Read, Write};

pub use engine::{Engine, GAMES, MakePlayer};

use self::failure::Failure;

/// The longest line that is understood, in bytes. A position takes some 600.
const LINE_LIMIT: usize = 1 << 16;

/// Answers commands until `quit` or the end of the input.
///
/// # Errors
/// Those of `input` and `output`.
///
/// ```
/// use client::gtp::{Engine, serve};
/// use player::{Budget, Options, RandomPlayer, boxed};
///
/// let make = Box::new(|options: &Options| Ok(boxed::<RandomPlayer>(options)));
/// let mut engine = Engine::new(make, game::Rules::Classic, Budget::default(), Options::default())?;
/// let mut answers = Vec::new();
/// serve(&mut engine, "protocol_version\nquit\n".as_bytes(), &mut answers)?;
/// assert_eq!(answers, b"= 2\n\n= \n\n");
/// # Ok::<(), anyhow::Error>(())
/// ```
pub fn serve(engine: &mut Engine, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut line = Vec::new();
    while !engine.has_quit() && read_line(&mut input, &mut line)? {
        if let Some(answer) = answer(engine, &String::from_utf8_lossy(&line)) {
            output.write_all(answer.as_bytes())?;
            output.flush()?;
        }
    }
    Ok(())
}

/// Reads a line, of one that is too long the beginning. False at the end of the input.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let length = input.take(LINE_LIMIT as u64 + 1).read_until(b'\n', line)?;
    if length > LINE_LIMIT && !line.ends_with(b"\n") {
        input.skip_until(b'\n')?;
    }
    Ok(length > 0)
}

/// The answer to a line, the empty line at its end included; `None` if the line is not a command.
///
/// ```
/// use client::gtp::{Engine, answer};
/// use player::{Budget, Options, RandomPlayer, boxed};
///
/// let make = Box::new(|options: &Options| Ok(boxed::<RandomPlayer>(options)));
/// let mut engine = Engine::new(make, game::Rules::Classic, Budget::default(), Options::default())?;
/// assert_eq!(answer(&mut engine, "7 protocol_version").as_deref(), Some("=7 2\n\n"));
/// assert_eq!(answer(&mut engine, "# a comment"), None);
/// # Ok::<(), anyhow::Error>(())
/// ```
pub fn answer(engine: &mut Engine, line: &str) -> Option<String> {
    let request = request::Request::parse(line)?;
    let result = if line.len() > LINE_LIMIT { Err(Failure::TooLong) } else { commands::execute(engine, &request) };
    if let Err(failure) = &result {
        // The answer says it already, on the same screen if a person types the commands.
        log::info!("`{}`: {failure}", request.name);
    }
    Some(request.respond(result))
}
