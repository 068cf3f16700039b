//! The program `trainer`.

mod commands;

use std::io;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Train the players' weights on games that they play against themselves.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Print more about progress (once: steps, twice: everything)
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    verbose: u8,
}

#[derive(Subcommand)]
enum Command {
    /// Play games of self-play into files for training
    Play(Box<commands::play::PlayArguments>),
    /// Train the prior or the evaluation of the Monte Carlo player
    Train(Box<commands::train::TrainArguments>),
}

fn main() -> ExitCode {
    let arguments = cli::parse::<Cli>(std::env::args_os());
    let level = match arguments.verbose {
        0 => log::LevelFilter::Warn,
        1 => log::LevelFilter::Info,
        _ => log::LevelFilter::Debug,
    };
    env_logger::Builder::new().filter_level(level).parse_default_env().init();
    let mut out = io::stdout().lock();
    let done = match arguments.command {
        Command::Play(arguments) => commands::play::run(&arguments, &mut out),
        Command::Train(arguments) => commands::train::run(&arguments, &mut out),
    };
    cli::conclude("trainer", done)
}
