//! `client bench`: how fast the search is, and whether it still is the same search.

use std::io::Write;
use std::time::Duration;

use player::bench;

use crate::build::Build;
use crate::options::{LogArguments, PlayerArguments};

/// The arguments of `client bench`.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// Nodes per position
    #[arg(short, long, default_value_t = 10_000)]
    pub nodes: u64,

    /// Who plays.
    #[command(flatten)]
    pub player: PlayerArguments,

    /// What is said besides.
    #[command(flatten)]
    pub log: LogArguments,
}

impl Arguments {
    /// Searches the positions of [`player::bench`] and writes a table of what came of it, line by
    /// line.
    ///
    /// Unless a seed is given, it is always the same search.
    ///
    /// # Errors
    /// If there is too little memory, the player cannot be made, or the table cannot be written.
    ///
    /// ```
    /// use clap::Parser;
    /// use client::options::{Command, Options};
    ///
    /// let options = Options::try_parse_from(["client", "bench", "--nodes", "1", "--player", "random"])?;
    /// let Some(Command::Bench(arguments)) = options.command else { panic!("another command") };
    /// let mut table = Vec::new();
    /// arguments.run(&mut table)?;
    /// assert!(String::from_utf8(table)?.contains("fingerprint"));
    /// # Ok::<(), anyhow::Error>(())
    /// ```
    pub fn run(&self, output: &mut dyn Write) -> anyhow::Result<()> {
        let mut options = self.player.options()?;
        options.seed = self.player.seed.unwrap_or(1);
        let mut player = self.player.make(&options)?;
        writeln!(output, "{} build", Build::RUNNING)?;
        writeln!(output, "rules    turn    nodes   nodes/s  move")?;
        let mut samples = Vec::new();
        for position in bench::positions()? {
            let sample = bench::sample(&mut *player, &position, self.nodes);
            let (rules, turn, mv) = (position.rules(), position.turn(), sample.mv);
            let rate = per_second(sample.nodes, sample.time);
            writeln!(output, "{rules:<7}  {turn:>4}  {:>7}  {rate:>8.0}  {mv}", sample.nodes)?;
            samples.push(sample);
        }
        let nodes = samples.iter().map(|sample| sample.nodes).sum();
        let time = samples.iter().map(|sample| sample.time).sum();
        writeln!(output, "all            {nodes:>7}  {:>8.0}", per_second(nodes, time))?;
        writeln!(output, "fingerprint {:016x}", bench::fingerprint(&samples))?;
        Ok(())
    }
}

fn per_second(nodes: u64, time: Duration) -> f64 {
    nodes as f64 / time.as_secs_f64().max(1e-9)
}
