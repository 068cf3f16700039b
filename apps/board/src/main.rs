//! Starts the service of the board and opens its page, shows the board in the terminal, or analyses a game.

mod analyse;
mod serve;

use std::io::{self, Write};
use std::process::ExitCode;

use board::service::GameOptions;
use board::terminal::{self, Notices};
use clap::{Parser, Subcommand};
use env_logger::{Builder, Env, Target};

use analyse::AnalyseArguments;
use serve::ServeArguments;

/// Play Blokus against nine levels, with others or between programs, and analyse your games. Opens a page in the
/// browser; stores the games in a file.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(flatten)]
    serve: ServeArguments,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Analyse a game and print the cost of each move
    Analyse(AnalyseArguments),
    /// Play in the terminal
    Terminal(GameOptions),
}

fn main() -> ExitCode {
    let arguments = cli::parse::<Cli>(std::env::args_os());
    let mut logger = Builder::from_env(Env::default().default_filter_or("warn"));
    if let Some(Command::Terminal(options)) = arguments.command {
        let notices = Notices::default();
        logger.format(|line, record| writeln!(line, "{}", record.args()));
        logger.target(Target::Pipe(Box::new(notices.clone()))).init();
        return match show(&options, notices) {
            Ok(code) => code.into(),
            Err(error) => cli::conclude("board", Err(error)),
        };
    }
    logger.init();
    let done = match arguments.command {
        Some(Command::Analyse(arguments)) => analyse::run(&arguments, &mut io::stdout().lock()),
        _ => serve(arguments.serve),
    };
    cli::conclude("board", done)
}

fn show(options: &GameOptions, notices: Notices) -> anyhow::Result<u8> {
    Ok(runtime()?.block_on(terminal::run(options, notices))?)
}

fn serve(arguments: ServeArguments) -> anyhow::Result<()> {
    runtime()?.block_on(serve::run(arguments))
}

fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()
}
