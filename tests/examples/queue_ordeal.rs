//! Plays many games over a queue on this machine while workers, coordinator and server are killed, and says how long
//! that took. Every game must be there once, and be the one that is played without a queue.
//!
//!     cargo build --release -p arena
//!     cargo run --release -p tests --example queue_ordeal -- --games 2000 --nodes 300

use std::time::Duration;

use anyhow::Context;
use clap::Parser;
use tests::ordeal::Ordeal;

#[derive(Parser)]
struct Arguments {
    /// How many games, an even number.
    #[arg(long, default_value_t = 2000)]
    games: u32,
    /// Nodes per move of the one who searches.
    #[arg(long, default_value_t = 300)]
    nodes: u64,
    /// How many workers, each with one core.
    #[arg(long, default_value_t = 2)]
    workers: usize,
    /// A worker is killed every so many seconds.
    #[arg(long, default_value_t = 10)]
    kill_every: u64,
}

fn main() -> anyhow::Result<()> {
    let Arguments { games, nodes, workers, kill_every } = Arguments::parse();
    let ordeal = Ordeal { games, nodes, workers, kill_worker_every: Duration::from_secs(kill_every) };
    let outcome = ordeal.run().context("there is no nats-server")?;
    println!("{games} games, {workers} workers: {outcome}");
    Ok(())
}
