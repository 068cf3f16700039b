//! The client program around a player.

use std::io;
use std::process::ExitCode;

use anyhow::Context;
use clap::CommandFactory;
use clap::error::ErrorKind;
use log::Level;
use player::{Options, Player};
use protocol::Season;

use crate::build::{self, Build};
use crate::connection::ConnectError;
use crate::demo;
use crate::exit::Exit;
use crate::gtp::{self, Engine, MakePlayer};
use crate::options::{BenchArguments, Cli, Command, DemoArguments, GtpArguments, LogArguments};
use crate::outcome::SessionError;
use crate::settings::SessionEvent;
use crate::{bench, connection, logging, play_owned, stop_on_signal};

/// Runs the client program. `default_player` creates the player unless `--player` names one. The program joins a game,
/// shows one, runs as a GTP engine, or measures the search; `client --help` lists the arguments. Errors go to standard
/// error.
///
/// A client with your own player:
///
/// ```no_run
/// use player::{HeuristicPlayer as OwnPlayer, boxed};
///
/// fn main() -> std::process::ExitCode {
///     client::program::run(boxed::<OwnPlayer>)
/// }
/// ```
pub fn run(default_player: impl Fn(&Options) -> Box<dyn Player> + Send + 'static) -> ExitCode {
    let default_player: MakePlayer = Box::new(default_player);
    let demo = (std::env::args_os().len() <= 1).then(|| "demo".into());
    let cli = cli::parse::<Cli>(std::env::args_os().chain(demo));
    if cli.room.is_some() && cli.season == Season::Season2021 {
        Cli::command().error(ErrorKind::ArgumentConflict, "--room needs --season 2027").exit();
    }
    let switched = build::switch(cli.cpu);
    if cli.verify {
        return Exit::Finished.into();
    }
    let start = |log: &LogArguments| logging::start(log.verbose, log.log_file.as_deref(), &cli.inputs());
    let logging = match cli.log().map(start).transpose() {
        Ok(logging) => logging,
        Err(error) => {
            cli::complain(cli::message(&error));
            return Exit::Failure.into();
        }
    };
    if let Err(error) = switched {
        report(logging.is_some(), Level::Warn, &error.to_string());
    }
    log::info!("running the {} build", Build::RUNNING);
    let result = match &cli.command {
        Some(Command::Demo(args)) => show_demo(args, default_player),
        Some(Command::Gtp(args)) => serve_gtp(args, default_player),
        Some(Command::Bench(args)) => run_bench(args, default_player),
        None => join(&cli, default_player),
    };
    let exit = match result {
        Ok(()) => Exit::Finished,
        // The reader closed the pipe.
        Err(error) if cli::is_closed_pipe(&error) => Exit::Finished,
        Err(error) => {
            report(logging.is_some(), Level::Error, &format!("{}{}", cli::message(&error), hint(&error)));
            Exit::of_error(&*error)
        }
    };
    drop(logging);
    exit.into()
}

/// Logs a message, or prints it if there is no log.
fn report(is_logged: bool, level: Level, text: &str) {
    if is_logged { log::log!(level, "{text}") } else { cli::complain(text) }
}

/// Returns advice to append to the error message.
fn hint(error: &anyhow::Error) -> &'static str {
    if error.is::<ConnectError>() {
        return ". Is the server running? --host and --port give its address";
    }
    match error.downcast_ref() {
        Some(SessionError::Rejected(_)) => " --reservation, --room and --season select the game",
        Some(SessionError::ConnectionLost(_)) => {
            " Servers close the connection without an answer if they cannot read a message; -vvv logs all traffic"
        }
        Some(SessionError::Silent { .. }) => " --patience sets the limit",
        _ => "",
    }
}

/// Shows a game.
fn show_demo(args: &DemoArguments, default_player: MakePlayer) -> anyhow::Result<()> {
    let options = args.player.options()?;
    let player = args.player.make(&options, default_player)?;
    demo::show(args, player, options.seed, &stop_on_signal()?, &mut io::stdout())
}

/// Runs the GTP engine.
fn serve_gtp(args: &GtpArguments, default_player: MakePlayer) -> anyhow::Result<()> {
    let options = args.player.options()?;
    log::info!("seed {}", options.seed);
    let make = args.player.constructor(default_player);
    let mut engine = Engine::new(make, args.game, args.budget(), options);
    for (name, value) in &args.player.param {
        engine.set_param(name, value)?;
    }
    if let Some(level) = args.level {
        engine.set_level(level);
    }
    if args.nobook {
        engine.disable_book();
    }
    let served = gtp::serve(&mut engine, io::stdin().lock(), io::stdout().lock());
    served.context("cannot read commands or write answers")
}

/// Measures the search.
fn run_bench(args: &BenchArguments, default_player: MakePlayer) -> anyhow::Result<()> {
    let seed = args.player.seed.unwrap_or(bench::SEED);
    let mut player = args.player.make(&Options { seed, ..args.player.options()? }, default_player)?;
    bench::run(&mut *player, args.nodes, &mut io::stdout())
}

/// Plays a game on a server.
fn join(cli: &Cli, default_player: MakePlayer) -> anyhow::Result<()> {
    let options = cli.player.options()?;
    log::info!("seed {}", options.seed);
    let player = cli.player.make(&options, default_player)?;
    let stream = connection::connect(&cli.host, cli.port)?;
    let stop = stop_on_signal()?;
    let mut watch = |event: SessionEvent| {
        if let SessionEvent::Over(outcome) = event {
            log::info!(target: "summary", "{outcome}");
        }
    };
    let played = play_owned(&cli.settings(), player, &stream, &stream, &stop, &mut watch);
    if played.is_err() {
        connection::finish(&stream);
    }
    played?;
    Ok(())
}
