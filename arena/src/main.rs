//! The program `arena`.

mod commands;

use std::io::{self, ErrorKind};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Measures players of Blokus against each other.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// Say more about what is going on (once: what is done, twice: everything).
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    verbose: u8,
}

#[derive(Subcommand)]
enum Command {
    /// Let two contestants play pairs of games and estimate the difference in strength.
    Match(Box<commands::matches::Arguments>),
    /// List the matches of the database, the games of a match, or the moves of a game.
    Show(commands::show::Arguments),
    /// Write games as replays of the official server or as text.
    Export(commands::export::Arguments),
    /// Print how the games of a match began, as a file of openings for other matches.
    Openings(commands::openings::Arguments),
    /// Read replays of the official server into the database.
    Import(commands::import::Arguments),
    /// Write a page with the results and all games of a match.
    Report(commands::report::Arguments),
    /// Find better parameters of a built-in player by letting it play against itself.
    Tune(Box<commands::tune::Arguments>),
    /// Learn the weights of the Monte Carlo player's prior or evaluation from its own games.
    Learn(commands::learn::Arguments),
    /// Run a game server that speaks the official protocol.
    Serve(Box<commands::serve::Arguments>),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let level = match arguments.verbose {
        0 => log::LevelFilter::Warn,
        1 => log::LevelFilter::Info,
        _ => log::LevelFilter::Debug,
    };
    env_logger::Builder::new().filter_level(level).parse_default_env().init();
    let mut out = io::stdout().lock();
    let done = match arguments.command {
        Command::Match(arguments) => commands::matches::run(&arguments, &mut out),
        Command::Show(arguments) => commands::show::run(&arguments, &mut out),
        Command::Export(arguments) => commands::export::run(&arguments, &mut out),
        Command::Openings(arguments) => commands::openings::run(&arguments, &mut out),
        Command::Import(arguments) => commands::import::run(&arguments, &mut out),
        Command::Report(arguments) => commands::report::run(&arguments, &mut out),
        Command::Tune(arguments) => commands::tune::run(&arguments, &mut out),
        Command::Learn(arguments) => commands::learn::run(&arguments, &mut out),
        Command::Serve(arguments) => commands::serve::run(&arguments, &mut out),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads has seen enough.
        Err(error) if error.downcast_ref().is_some_and(|error: &io::Error| error.kind() == ErrorKind::BrokenPipe) => {
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("arena: {error:#}");
            ExitCode::FAILURE
        }
    }
}
