//! Estimates of durations without playing.

use std::io::Write;
use std::time::Duration;

use arena::plan::{Costs, Estimate, Simulated, Workload, simulate};

use super::counted;

#[derive(clap::Args)]
pub struct DryRunArguments {
    /// Print the number of games and the expected duration, and play nothing
    #[arg(long)]
    pub dry_run: bool,
    /// With --dry-run: simulate these numbers of machines over a queue, for example 1,10,100
    #[arg(long, value_name = "N,…", value_delimiter = ',', requires = "dry_run",
        value_parser = clap::value_parser!(u32).range(1..=100_000))]
    machines: Vec<u32>,
    /// With --machines: cores per machine
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1024))]
    cores: u32,
}

impl DryRunArguments {
    /// Prints the durations for the given numbers of machines. `batches` is the number of rounds or iterations.
    pub fn write(&self, batches: u64, estimate: &Estimate, out: &mut impl Write) -> anyhow::Result<()> {
        if self.machines.is_empty() {
            return Ok(());
        }
        let pairs = estimate.games / 2;
        let pair = estimate.time.div_f64(pairs.max(1) as f64);
        let work = Workload { batches, pairs: pairs / batches.max(1), pair };
        let in_batch = counted(work.pairs, "pair");
        writeln!(
            out,
            "\nsimulated over a queue: machines with {}, {} of {in_batch}, {:.1} s for a pair",
            counted(self.cores, "core"),
            counted(batches, "batch").replace("batchs", "batches"),
            pair.as_secs_f64(),
        )?;
        writeln!(out, "machines     hours  cores play  server busy  coordinator busy  what limits")?;
        for &machines in &self.machines {
            let Simulated { time, playing, server, coordinator, limit } =
                simulate(&work, machines, self.cores, &Costs::default());
            let hours = |time: Duration| time.as_secs_f64() / 3600.0;
            let [playing, server, coordinator] = [playing, server, coordinator].map(|part| 100.0 * part);
            writeln!(
                out,
                "{machines:>8} {:>9.3} {playing:>9.1} % {server:>10.1} % {coordinator:>15.1} %  {limit}",
                hours(time)
            )?;
        }
        Ok(())
    }
}
