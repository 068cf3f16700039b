//! The settings of self-play.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The settings of self-play.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// Ratio of games with the rules of season 2021, season 2027 and Blokus Two-Player.
    pub rules: [u32; 3],
    /// Simulations of a fast search, which only chooses a move.
    pub fast_nodes: u64,
    /// Simulations of a full search, which also records its visits.
    pub full_nodes: u64,
    /// Mean number of searches per full search, drawn at random (playout cap randomisation: D. J. Wu, Accelerating
    /// Self-Play Learning in Go, 2019).
    pub full_interval: u32,
    /// Share of games that begin with four random placements.
    pub random_openings: f64,
    /// Maximum win probability of a team after random placements, by a fast search. Others are drawn again, a few times.
    pub balanced_win: f32,
    /// Turn from which the most visited move is played. Earlier moves are drawn in proportion to their visits.
    pub sampled_turns: u16,
    /// Share of games with one series of exploration moves: random visited placements.
    pub exploration_games: f64,
    /// Parameters of the player other than the defaults, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub params: BTreeMap<String, String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            rules: [1, 4, 1],
            fast_nodes: 100,
            full_nodes: 800,
            full_interval: 6,
            random_openings: 0.6,
            balanced_win: 0.8,
            sampled_turns: 16,
            exploration_games: 0.4,
            params: BTreeMap::new(),
        }
    }
}
