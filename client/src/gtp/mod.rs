//! The built-in players as engine for programs that speak the Go Text Protocol.
//!
//! The [protocol](https://www.lysator.liu.se/~gunnar/gtp/) is commands and answers line by line;
//! for Blokus it is spoken as Pentobi does, so that programs that drive Pentobi can drive this
//! engine. `docs/gtp.md` says what each command means.
//!
//! A line becomes a request (`request`), the request is looked up among the `commands`, and
//! these use the `engine`, which keeps the `game` and the player. What goes wrong is a
//! `failure` and never ends the program.

mod commands;
mod engine;
mod failure;
mod game;
mod request;

use std::io::{self, BufRead, Read, Write};
use std::time::Duration;

use ::game::Rules;
use anyhow::Context;
use clap::Args;

pub use engine::{Engine, Limits};

use self::failure::Failure;

use crate::options::{LogArguments, PlayerArguments};

/// The arguments of `client gtp`.
#[derive(Clone, Debug, Args)]
pub struct Arguments {
    /// Game at the start: 2021, 2027 or "Blokus Two-Player"
    #[arg(long, value_name = "NAME", default_value = "2027", value_parser = parse_game)]
    pub game: Rules,

    /// Milliseconds for a move [default: 1900, without limit if --nodes is given]
    #[arg(long, value_name = "MS")]
    pub time: Option<u32>,

    /// Nodes for a move: positions of a tree search, playouts of a Monte Carlo search
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,

    /// Who plays.
    #[command(flatten)]
    pub player: PlayerArguments,

    /// What is said besides.
    #[command(flatten)]
    pub log: LogArguments,
}

/// The longest line that is understood, in bytes. A position takes some 600.
const LINE_LIMIT: usize = 1 << 16;

fn parse_game(name: &str) -> Result<Rules, String> {
    protocol::gtp::read_game(name).ok_or_else(|| format!("expected {}", engine::GAMES))
}

/// Answers commands until `quit` or the end of the input.
///
/// # Errors
/// If the player cannot be made, or input or output fail.
pub fn run(arguments: &Arguments, input: impl BufRead, output: impl Write) -> anyhow::Result<()> {
    let limits = Limits { time: arguments.time.map(|ms| Duration::from_millis(ms.into())), nodes: arguments.nodes };
    let options = arguments.player.options()?;
    log::info!("seed {}", options.seed);
    let mut engine = Engine::new(arguments.player.make(&options)?, arguments.game, limits, options.seed)?;
    serve(&mut engine, input, output).context("cannot talk to the program that sends the commands")
}

/// Answers commands until `quit` or the end of the input.
///
/// # Errors
/// Those of `input` and `output`.
///
/// ```
/// use client::gtp::{Engine, Limits, serve};
/// use player::{Options, Player, RandomPlayer};
///
/// let player = Box::new(RandomPlayer::new(&Options::default()));
/// let mut engine = Engine::new(player, game::Rules::Classic, Limits::default(), 0)?;
/// let mut answers = Vec::new();
/// serve(&mut engine, "protocol_version\nquit\n".as_bytes(), &mut answers)?;
/// assert_eq!(answers, b"= 2\n\n= \n\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
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

/// The answer to a line, the empty line at its end included; `None` if the line is no command.
///
/// ```
/// use client::gtp::{Engine, Limits, answer};
/// use player::{Options, Player, RandomPlayer};
///
/// let player = Box::new(RandomPlayer::new(&Options::default()));
/// let mut engine = Engine::new(player, game::Rules::Classic, Limits::default(), 0)?;
/// assert_eq!(answer(&mut engine, "7 protocol_version").as_deref(), Some("=7 2\n\n"));
/// assert_eq!(answer(&mut engine, "# a comment"), None);
/// # Ok::<(), game::SetupError>(())
/// ```
pub fn answer(engine: &mut Engine, line: &str) -> Option<String> {
    let request = request::Request::parse(line)?;
    let result = if line.len() > LINE_LIMIT { Err(Failure::TooLong) } else { commands::execute(engine, &request) };
    if let Err(failure) = &result {
        log::warn!("`{}`: {failure}", request.name);
    }
    Some(request.respond(result))
}
