//! `client bench`: the speed and the fingerprint of the search.

use std::io::Write;
use std::time::Duration;

use player::{Player, bench};

use crate::build::Build;

/// Default seed of the player. It is fixed, so that fingerprints are comparable.
pub const SEED: u64 = 1;

/// Lets a player search the positions of [`player::bench`] with this many nodes each and writes a table of the results.
///
/// # Errors
/// If the table cannot be written.
pub fn run(player: &mut dyn Player, nodes: u64, output: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(output, "{} build", Build::RUNNING)?;
    writeln!(output, "rules    turn    nodes   nodes/s  move")?;
    let mut searches = Vec::new();
    for position in bench::positions() {
        let search = bench::search(player, &position, nodes);
        let (rules, turn, mv) = (position.rules(), position.turn(), search.mv);
        let rate = per_second(search.nodes, search.time);
        writeln!(output, "{rules:<7}  {turn:>4}  {:>7}  {rate:>8.0}  {mv}", search.nodes)?;
        searches.push(search);
    }
    let nodes = searches.iter().map(|search| search.nodes).sum();
    let time = searches.iter().map(|search| search.time).sum();
    writeln!(output, "all            {nodes:>7}  {:>8.0}", per_second(nodes, time))?;
    writeln!(output, "fingerprint {:016x}", bench::fingerprint(&searches))?;
    Ok(())
}

fn per_second(nodes: u64, time: Duration) -> f64 {
    nodes as f64 / time.as_secs_f64().max(1e-9)
}
