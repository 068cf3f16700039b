//! The program `arena`.

mod commands;

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
    let done = match arguments.command {
        Command::Match(arguments) => commands::matches::run(&arguments),
        Command::Serve(arguments) => commands::serve::run(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("arena: {error:#}");
            ExitCode::FAILURE
        }
    }
}
