//! Starts the service of the board and opens its page, or analyses a game.

mod analyse;

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use arena::contestant::Spec;
use board::service::{Config, Service};
use clap::{Parser, Subcommand};

/// Play Blokus against nine levels, with others or let programs play, and see why a game was lost. The page opens in
/// the browser; games are kept in a file.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Cli {
    /// The file of the games
    #[arg(long, value_name = "FILE", default_value = "board.sqlite")]
    games: PathBuf,
    /// Where to listen. 0.0.0.0 lets other machines in: everybody in the network can then reach the service, and what is
    /// said is not encrypted
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// The port, 0 for any free one
    #[arg(long, default_value_t = 7827)]
    port: u16,
    /// A name by which other machines call this one; may be given more than once
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// How many positions engines think about at the same time; one for each core unless given
    #[arg(long)]
    threads: Option<usize>,
    /// The memory of each of them, in MiB
    #[arg(long, default_value_t = 128)]
    memory: usize,
    /// How long the highest level thinks about a move, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 2000)]
    move_time: u64,
    /// A program of others that may play, for example `pentobi=gtp:pentobi-gtp` or `mine=exec:./start.sh`; the part
    /// behind = is a contestant of the arena. May be given more than once
    #[arg(long, value_name = "NAME=SPEC", value_parser = program)]
    program: Vec<(String, Spec)>,
    /// Do not open the page in the browser
    #[arg(long)]
    no_open: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Print what every move of a game cost
    Analyse(analyse::AnalyseArguments),
}

fn program(text: &str) -> anyhow::Result<(String, Spec)> {
    let (name, spec) = text.split_once('=').with_context(|| format!("expected NAME=SPEC, found `{text}`"))?;
    Ok((name.to_owned(), spec.parse()?))
}

fn main() -> anyhow::Result<()> {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn")).init();
    let arguments = Cli::parse();
    if let Some(Command::Analyse(arguments)) = &arguments.command {
        return analyse::run(arguments);
    }
    let mut config = Config::new(arguments.games);
    config.listen = (arguments.listen, arguments.port).into();
    config.hosts = arguments.host;
    config.threads = arguments.threads.unwrap_or(config.threads);
    config.memory = arguments.memory << 20;
    config.programs = arguments.program.into_iter().collect();
    config.move_time = Duration::from_millis(arguments.move_time);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let service = Service::start(&config).await?;
        let url = service.url();
        println!("{url}");
        if !arguments.no_open
            && let Err(error) = open::that_detached(&url)
        {
            log::warn!("no browser could be opened ({error}); open the address yourself");
        }
        let end = async {
            if let Err(error) = tokio::signal::ctrl_c().await {
                log::warn!("cannot wait for Ctrl-C: {error}");
                std::future::pending::<()>().await;
            }
        };
        service.run(end).await.context("the service has ended")
    })
}
