//! The program `arena`.

mod commands;

use std::io;
use std::process::ExitCode;

#[cfg(unix)]
use arena::league::sandbox;
use clap::{Parser, Subcommand};

/// Measures players of Blokus against each other.
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
    /// Let two contestants play pairs of games and estimate the difference in strength
    Match(Box<commands::matches::MatchArguments>),
    /// Let all players of a folder play each other, and rate them
    League(Box<commands::league::LeagueArguments>),
    /// Run a client in a sandbox; started by a league
    #[cfg(unix)]
    #[command(hide = true)]
    Sandbox {
        folder: String,
        cpu: usize,
        command: String,
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        contest: Vec<String>,
    },
    /// Run a client inside a sandbox; started by `arena sandbox`
    #[cfg(unix)]
    #[command(hide = true)]
    SandboxInside {
        cpu: usize,
        command: String,
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        contest: Vec<String>,
    },
    /// Play the games of a plan that are missing in the database
    Run(Box<commands::run::RunArguments>),
    /// Play games of plans from a queue
    Work(Box<arena::cluster::WorkArguments>),
    /// List the matches of the database
    List(commands::stored::ListArguments),
    /// Show the games of a match
    Show(commands::stored::ShowArguments),
    /// Delete matches from the database
    Delete(commands::stored::DeleteArguments),
    /// Add the matches of other databases
    Merge(commands::merge::MergeArguments),
    /// Write games as files: official replays, files of Pentobi, lines of JSON
    Export(commands::export::ExportArguments),
    /// Print how the games of a match began, as a file of openings for other matches
    Openings(commands::openings::OpeningsArguments),
    /// Write a page with the results and all games of a match
    Report(commands::report::ReportArguments),
    /// Find better parameters of a built-in player by letting it play against itself
    Tune(Box<commands::tune::TuneArguments>),
    /// Make an opening book by long searches
    Book(commands::book::BookArguments),
    /// Compare engines on positions with known values
    Suite(commands::suite::SuiteArguments),
    /// Run a game server that speaks the official protocol
    Serve(Box<commands::serve::ServeArguments>),
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
        Command::Match(arguments) => commands::matches::run(&arguments, &mut out),
        Command::League(arguments) => commands::league::run(&arguments, &mut out),
        #[cfg(unix)]
        Command::Sandbox { folder, cpu, command, contest } => {
            commands::league::exit_like(sandbox::run_outside(&folder, cpu, &command, &contest))
        }
        #[cfg(unix)]
        Command::SandboxInside { cpu, command, contest } => {
            commands::league::exit_like(sandbox::run_inside(cpu, &command, &contest))
        }
        Command::Run(arguments) => commands::run::run(&arguments, &mut out),
        Command::Work(arguments) => commands::work(&arguments, &mut out),
        Command::List(arguments) => commands::stored::list(&arguments, &mut out),
        Command::Show(arguments) => commands::stored::show(&arguments, &mut out),
        Command::Delete(arguments) => commands::stored::delete(&arguments, &mut out),
        Command::Merge(arguments) => commands::merge::run(&arguments, &mut out),
        Command::Export(arguments) => commands::export::run(&arguments, &mut out),
        Command::Openings(arguments) => commands::openings::run(&arguments, &mut out),
        Command::Report(arguments) => commands::report::run(&arguments, &mut out),
        Command::Tune(arguments) => commands::tune::run(&arguments, &mut out),
        Command::Book(arguments) => commands::book::run(&arguments, &mut out),
        Command::Suite(arguments) => commands::suite::run(&arguments, &mut out),
        Command::Serve(arguments) => commands::serve::run(&arguments, &mut out),
    };
    cli::conclude("arena", done)
}
