//! `arena bench`

use std::io::Write;

use player::{Options, bench, by_name};

#[derive(clap::Args)]
pub struct Arguments {
    /// The player.
    #[arg(default_value = "mcts")]
    player: String,
    /// Nodes per position.
    #[arg(short, long, default_value_t = 10_000)]
    nodes: u64,
    /// Seed of the player.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads of the player; with more than one the fingerprint differs from run to run.
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

pub fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<()> {
    let options = Options { seed: arguments.seed, threads: arguments.threads, ..Options::default() };
    let mut player = by_name(&arguments.player, &options)?;
    writeln!(out, "rules    turn    nodes   nodes/s  move")?;
    let mut samples = Vec::new();
    for position in bench::positions()? {
        let sample = bench::sample(&mut *player, &position, arguments.nodes);
        let (rules, turn, rate) =
            (position.rules(), position.turn(), per_second(sample.nodes, sample.time.as_secs_f64()));
        writeln!(out, "{rules:<7}  {turn:>4}  {:>7}  {rate:>8.0}  {}", sample.nodes, sample.mv)?;
        samples.push(sample);
    }
    let nodes: u64 = samples.iter().map(|sample| sample.nodes).sum();
    let time: f64 = samples.iter().map(|sample| sample.time.as_secs_f64()).sum();
    writeln!(out, "all            {nodes:>7}  {:>8.0}", per_second(nodes, time))?;
    writeln!(out, "fingerprint {:016x}", bench::fingerprint(&samples))?;
    Ok(())
}

fn per_second(nodes: u64, seconds: f64) -> f64 {
    nodes as f64 / seconds.max(1e-9)
}
