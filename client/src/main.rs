//! The program `client`; see `client --help`.

use std::io;
use std::process::ExitCode;

use clap::Parser;
use client::demo::Show;
use client::exit::Exit;
use client::options::{Options, random_seed};
use client::{Event, Outcome, algorithm, connection, demo, logging};

fn main() -> ExitCode {
    if std::env::args_os().len() <= 1 {
        return show();
    }
    let options = Options::parse();
    if options.verify {
        return Exit::Finished.into();
    }
    let logging = match logging::start(options.verbose, options.log_file.as_deref()) {
        Ok(logging) => logging,
        Err(error) => {
            eprintln!("{error:#}");
            return Exit::Failure.into();
        }
    };
    let exit = match join(&options) {
        Ok(outcome) => {
            log::info!(target: "summary", "{outcome}");
            Exit::Finished
        }
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
    let options = player::Options { seed: random_seed(), ..player::Options::default() };
    let shown = algorithm::make(None, &options)
        .map_err(anyhow::Error::from)
        .and_then(|mut player| demo::show(Show::on_stdout(), &mut *player, &mut io::stdout()));
    match shown {
        Ok(()) => Exit::Finished.into(),
        Err(error) => {
            eprintln!("{error:#}");
            Exit::of_error(&error).into()
        }
    }
}

/// Plays a game on a server.
fn join(options: &Options) -> anyhow::Result<Outcome> {
    let player_options = options.player_options();
    log::info!("seed {}", player_options.seed);
    let mut player = algorithm::make(options.player.as_deref(), &player_options)?;
    let stream = connection::connect(&options.host, options.port)?;
    let mut watch = |_: Event| {};
    Ok(client::play(&options.settings(), &mut *player, &stream, &stream, &mut watch)?)
}
