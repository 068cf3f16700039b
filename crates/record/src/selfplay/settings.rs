//! How games of self-play are played.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// How games of self-play are played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// How many games in proportion are of season 2021, season 2027 and classic rules.
    pub rules: [u32; 3],
    /// Simulations of a fast search, which only chooses a move.
    pub fast_nodes: u64,
    /// Simulations of a full search, whose visits are kept.
    pub full_nodes: u64,
    /// One search of this many is full, drawn at random (playout cap randomisation: D. J. Wu, Accelerating self-play
    /// learning in Go, 2019).
    pub full_interval: u32,
    /// Part of the games whose four first placements are drawn from all legal ones; in the others the player chooses
    /// them.
    pub drawn_openings: f64,
    /// Drawn placements after which a fast search gives either team more than this probability to win are drawn again,
    /// a few times.
    pub even_win: f32,
    /// Before this turn moves are drawn by their visits; from there on the most visited is played.
    pub sampled_turns: u16,
    /// Part of the games that may stray once: for some plies any placement that the search has visited is drawn.
    pub strays: f64,
    /// Parameters of the player that are not at their defaults, by name.
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
            drawn_openings: 0.6,
            even_win: 0.8,
            sampled_turns: 16,
            strays: 0.4,
            params: BTreeMap::new(),
        }
    }
}
