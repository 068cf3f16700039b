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

use std::io::{self, BufRead, Write};
use std::time::Duration;

use ::game::Rules;
use anyhow::Context;
use clap::Args;

pub use engine::{Engine, Limits};

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
pub fn serve(engine: &mut Engine, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut line = Vec::new();
    while !engine.has_quit() && input.read_until(b'\n', &mut line)? > 0 {
        if let Some(answer) = answer(engine, &String::from_utf8_lossy(&line)) {
            output.write_all(answer.as_bytes())?;
            output.flush()?;
        }
        line.clear();
    }
    Ok(())
}

/// The answer to a line, the empty line at its end included; `None` if the line is no command.
pub fn answer(engine: &mut Engine, line: &str) -> Option<String> {
    let request = request::Request::parse(line)?;
    let result = commands::execute(engine, &request);
    if let Err(failure) = &result {
        log::warn!("`{}`: {failure}", line.trim());
    }
    Some(request.respond(result))
}
