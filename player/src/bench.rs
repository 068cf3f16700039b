//! A search benchmark with a fingerprint: the same positions, nodes and seed on every machine.
//!
//! The nodes per second tell how fast the search is, the fingerprint whether it still is the same
//! search: nearly every change of what a player does changes it, another machine or another instruction set must
//! not. That of the Monte Carlo player is on record in `player/fingerprint.txt`.

use std::sync::Arc;

use web_time::{Duration, Instant};

use game::{Move, NotationError, Position};

use crate::model::Model;
use crate::{FromOptions, Limit, MctsPlayer, Options, Player};

/// The positions, one a line: three games of the Monte Carlo player, one of each rule set.
const POSITIONS: &str = include_str!("bench.txt");

/// Nodes per position with which the fingerprint on record was taken.
pub const NODES: u64 = 10_000;

/// What the search of one position came to.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The position.
    pub position: Position,
    /// The chosen move.
    pub mv: Move,
    /// Nodes visited.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

/// The positions of the benchmark.
///
/// # Errors
/// [`NotationError`] if the built-in list is broken.
pub fn positions() -> Result<Vec<Position>, NotationError> {
    POSITIONS.lines().map(str::parse).collect()
}

/// Lets a player that has just been made choose a move in a position.
///
/// ```
/// use player::{FromOptions, HeuristicPlayer, Options, Player, bench};
///
/// let mut player = HeuristicPlayer::new(&Options::default());
/// let position = bench::positions()?.swap_remove(0);
/// let sample = bench::sample(&mut player, &position, 1);
/// assert!(position.check(sample.mv).is_ok());
/// assert_eq!(bench::fingerprint([&sample]), bench::fingerprint(&[sample.clone()]));
/// # Ok::<(), game::NotationError>(())
/// ```
pub fn sample(player: &mut dyn Player, position: &Position, nodes: u64) -> Sample {
    player.new_game();
    let start = Instant::now();
    let report = player.choose(position, &Limit::nodes(nodes));
    Sample { position: *position, mv: report.mv, nodes: report.nodes, time: start.elapsed() }
}

/// Lets a player choose a move in each of the [`positions`].
///
/// # Errors
/// [`NotationError`] if the built-in list is broken.
pub fn samples(player: &mut dyn Player, nodes: u64) -> Result<Vec<Sample>, NotationError> {
    Ok(positions()?.iter().map(|position| sample(player, position, nodes)).collect())
}

/// A number that stands for the moves and nodes of all samples (FNV-1a).
pub fn fingerprint<'a>(samples: impl IntoIterator<Item = &'a Sample>) -> u64 {
    let words = samples.into_iter().flat_map(|sample| {
        let index = sample.mv.placement().map_or(u64::MAX, |placement| placement.index() as u64);
        [index, sample.nodes]
    });
    let bytes = words.flat_map(u64::to_le_bytes);
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The fingerprint of the Monte Carlo player with a model, as 16 hexadecimal digits.
///
/// # Errors
/// [`NotationError`] if the built-in list of positions is broken.
pub fn fingerprint_of_search(model: Arc<Model>) -> Result<String, NotationError> {
    let mut player = MctsPlayer::new(&Options { seed: 1, model, ..Options::default() });
    Ok(format!("{:016x}", fingerprint(&samples(&mut player, NODES)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fingerprint_is_the_same_every_time() {
        let run = |seed| {
            let mut player = MctsPlayer::new(&Options { seed, memory: 16 << 20, ..Options::default() });
            fingerprint(&samples(&mut player, 1000).unwrap())
        };
        assert_eq!(run(1), run(1));
        assert_ne!(run(1), run(2));
    }

    #[test]
    fn the_search_is_the_one_on_record() {
        let recorded = include_str!("../fingerprint.txt").trim();
        assert_eq!(
            fingerprint_of_search(Model::built_in()).unwrap(),
            recorded,
            "if the search is meant to change, write the new one to player/fingerprint.txt"
        );
    }
}
