//! The parameters of the minimax player, which can be set by name.

use super::candidates::Width;
use super::config::Config;
use super::evaluate::{Evaluate, Features, Material};
use crate::param::params;

params! {
    /// Remember positions in a table, 0 or 1.
    table = 1.0 in 0.0..1.0;
    /// Try moves first that cut off positions at the same distance from the root, 0 or 1.
    killers = 1.0 in 0.0..1.0;
    /// Try moves early that cut off positions anywhere, 0 or 1.
    history = 1.0 in 0.0..1.0;
    /// Search later moves with a null window first, 0 or 1.
    scout = 1.0 in 0.0..1.0;
    /// Begin an iteration with a small window (aspiration window) around the value of one before, 0 or 1.
    aspiration = 1.0 in 0.0..1.0;
    /// How many placements are candidates in the position that is asked about.
    root_width = 30.0 in 1.0..2000.0;
    /// How many placements are candidates in the positions after it.
    inner_width = 8.0 in 1.0..2000.0;
    /// Judge positions by all features of the heuristic player (1) or by points and anchors alone (0).
    features = 1.0 in 0.0..1.0;
    /// Solve endgames, 0 or 1.
    endgame = 1.0 in 0.0..1.0;
    /// The endgame solver, when it is tried, may take one of so many parts of the limit.
    solver_parts = 3.0 in 1.0..1000.0;
}

impl Params {
    /// The parts of the search that are to be used.
    pub fn config(&self) -> Config {
        let is_on = |switch: f32| switch >= 0.5;
        Config {
            table: is_on(self.table),
            killers: is_on(self.killers),
            history: is_on(self.history),
            scout: is_on(self.scout),
            aspiration: is_on(self.aspiration),
            width: Width { root: self.root_width as usize, inner: self.inner_width as usize },
        }
    }

    /// The evaluation that is to be used.
    pub fn evaluate(&self) -> Box<dyn Evaluate> {
        if self.features >= 0.5 { Box::new(Features::default()) } else { Box::new(Material::default()) }
    }
}
