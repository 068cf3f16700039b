//! The speed of the search in this browser, and a check that it makes the same moves as everywhere.

use std::time::Duration;

use game::Position;
use player::bench::{self, BenchSearch};
use player::{FromOptions, MctsPlayer, Options};
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::engine::MEMORY;
use crate::json;

/// The fingerprint of the search on every machine.
const RECORDED: &str = include_str!("../../../player/fingerprint.txt");

/// A run of the benchmark.
#[wasm_bindgen]
pub struct Race {
    player: MctsPlayer,
    rest: Vec<Position>,
    searches: Vec<BenchSearch>,
}

/// The current result.
#[derive(Serialize)]
struct RaceResult {
    /// Number of searched positions.
    done: usize,
    /// Number of positions.
    total: usize,
    /// Simulations a second.
    per_second: f64,
    /// The fingerprint of all moves and nodes, when all positions are searched.
    fingerprint: Option<String>,
    /// `true` if the fingerprint is the recorded one.
    is_recorded: bool,
}

#[wasm_bindgen]
impl Race {
    /// Creates a run.
    #[wasm_bindgen(constructor)]
    #[expect(clippy::new_without_default, reason = "only scripts create it")]
    pub fn new() -> Race {
        let mut rest = bench::positions();
        rest.reverse();
        let player = MctsPlayer::new(&Options { seed: 1, memory: MEMORY, ..Options::default() });
        Self { player, rest, searches: Vec::new() }
    }

    /// Searches the next position. Returns the result as JSON, or nothing when all are searched.
    pub fn go_on(&mut self) -> Option<String> {
        let position = self.rest.pop()?;
        self.searches.push(bench::search(&mut self.player, &position, bench::NODES));
        let nodes: u64 = self.searches.iter().map(|search| search.nodes).sum();
        let time: Duration = self.searches.iter().map(|search| search.time).sum();
        let fingerprint = self.rest.is_empty().then(|| format!("{:016x}", bench::fingerprint(&self.searches)));
        Some(json(&RaceResult {
            done: self.searches.len(),
            total: self.searches.len() + self.rest.len(),
            per_second: nodes as f64 / time.as_secs_f64(),
            is_recorded: fingerprint.as_deref() == Some(RECORDED.trim()),
            fingerprint,
        }))
    }
}
