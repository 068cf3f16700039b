//! A search benchmark with a fingerprint: the same positions, nodes and seed on every machine.
//!
//! The nodes per second measure the speed of the search. The fingerprint changes with nearly every change of its moves,
//! but not with the machine. `player/fingerprint.txt` records the fingerprint of the Monte Carlo player.

use std::sync::Arc;

use web_time::{Duration, Instant};

use game::{Move, Position};

use crate::api::{Player, SearchLimits};
use crate::mcts::MctsPlayer;
use crate::model::Model;
use crate::options::{FromOptions, Options};

/// Positions, one per line: three games of the Monte Carlo player, one for each rule set of two players.
const POSITIONS: &str = include_str!("bench.txt");

/// Nodes per position of the recorded fingerprint.
pub const NODES: u64 = 10_000;

/// Nodes per position to distinguish two builds before a job: 0.2 s in all.
const JOB_NODES: u64 = 2_000;

/// The search of one position.
#[derive(Clone, Debug)]
pub struct BenchSearch {
    /// Chosen move.
    pub mv: Move,
    /// Nodes visited.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

/// Returns the positions of the benchmark.
pub fn positions() -> Vec<Position> {
    POSITIONS.lines().map(|line| line.parse().expect("the built-in positions are valid")).collect()
}

/// Measures the search of one position.
///
/// ```
/// use player::{FromOptions, HeuristicPlayer, Options, Player, bench};
///
/// let mut player = HeuristicPlayer::new(&Options::default());
/// let position = bench::positions().swap_remove(0);
/// let search = bench::search(&mut player, &position, 1);
/// assert!(position.check(search.mv).is_ok());
/// assert_eq!(bench::fingerprint([&search]), bench::fingerprint(&[search.clone()]));
/// ```
pub fn search(player: &mut dyn Player, position: &Position, nodes: u64) -> BenchSearch {
    player.new_game();
    let start = Instant::now();
    let report = player.choose(position, &SearchLimits::nodes(nodes));
    BenchSearch { mv: report.mv, nodes: report.nodes, time: start.elapsed() }
}

/// Measures the search of all [`positions`].
pub fn searches(player: &mut dyn Player, nodes: u64) -> Vec<BenchSearch> {
    positions().iter().map(|position| search(player, position, nodes)).collect()
}

/// Computes the hash of the moves and nodes of all searches (FNV-1a).
pub fn fingerprint<'a>(searches: impl IntoIterator<Item = &'a BenchSearch>) -> u64 {
    let words = searches.into_iter().flat_map(|search| {
        let index = search.mv.placement().map_or(u64::MAX, |placement| placement.index() as u64);
        [index, search.nodes]
    });
    let bytes = words.flat_map(u64::to_le_bytes);
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Computes the fingerprint of the Monte Carlo player with a model, as 16 hexadecimal digits. Builds that disagree must
/// not share a job.
pub fn fingerprint_of_search(model: Arc<Model>) -> String {
    let mut player = MctsPlayer::new(&Options { seed: 1, model, ..Options::default() });
    format!("{:016x}", fingerprint(&searches(&mut player, JOB_NODES)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_matches_recorded_fingerprint() {
        let mut player = MctsPlayer::new(&Options { seed: 1, ..Options::default() });
        assert_eq!(
            format!("{:016x}", fingerprint(&searches(&mut player, NODES))),
            include_str!("../fingerprint.txt").trim(),
            "after an intended change, update player/fingerprint.txt"
        );
    }
}
