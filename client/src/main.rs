//! The program `client`; see `client --help`.

use std::io;
use std::process::ExitCode;

use clap::Parser;
use client::build::Build;
use client::demo::Show;
use client::exit::Exit;
use client::options::{Command, Options, PlayerArguments};
use client::{Event, build, connection, demo, gtp, logging};

fn main() -> ExitCode {
    if std::env::args_os().len() <= 1 {
        return show();
    }
    let options = Options::parse();
    let switched = build::switch(options.cpu);
    if options.verify {
        return Exit::Finished.into();
    }
    let log = options.log();
    let logging = match logging::start(log.verbose, log.log_file.as_deref()) {
        Ok(logging) => logging,
        Err(error) => {
            eprintln!("{error:#}");
            return Exit::Failure.into();
        }
    };
    if let Err(error) = switched {
        log::warn!("{error}");
    }
    log::info!("running the {} build", Build::RUNNING);
    let result = match &options.command {
        Some(Command::Gtp(arguments)) => gtp::run(arguments, io::stdin().lock(), io::stdout().lock()),
        Some(Command::Bench(arguments)) => arguments.run(&mut io::stdout()),
        None => join(&options),
    };
    let exit = match result {
        Ok(()) => Exit::Finished,
        Err(error) => {
            log::error!("{error:#}");
            Exit::of_error(&error)
        }
    };
    logging.finish();
    exit.into()
}

/// Shows a game, because there are no arguments.
fn show() -> ExitCode {
    if let Err(error) = build::switch(None) {
        eprintln!("{error}");
    }
    match show_with(&PlayerArguments::default()) {
        Ok(()) => Exit::Finished.into(),
        Err(error) => {
            eprintln!("{error:#}");
            Exit::of_error(&error).into()
        }
    }
}

fn show_with(player: &PlayerArguments) -> anyhow::Result<()> {
    let mut player = player.make(&player.options()?)?;
    demo::show(Show::on_stdout(), &mut *player, &mut io::stdout())
}

/// Plays a game on a server.
fn join(options: &Options) -> anyhow::Result<()> {
    let player_options = options.player.options()?;
    log::info!("seed {}", player_options.seed);
    let mut player = options.player.make(&player_options)?;
    let stream = connection::connect(&options.host, options.port)?;
    let mut watch = |_: Event| {};
    let outcome = client::play(&options.settings(), &mut *player, &stream, &stream, &mut watch)?;
    log::info!(target: "summary", "{outcome}");
    Ok(())
}
