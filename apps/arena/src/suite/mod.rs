//! Compares engines on positions of season 2027 with known values of their best moves, without playing games.
//!
//! `positions` draws positions from games, `judge` values their moves by long searches, [`Suite`] keeps them in a file,
//! and `trial` measures the *regret* of an engine: the win probability that its moves lose.

mod file;
mod judge;
mod positions;
mod trial;

use std::ops::RangeInclusive;

pub use file::{JudgedPosition, Suite};
pub use judge::{Simulations, is_undecided, judge, value};
pub use positions::draw;
pub use trial::{Comparison, Trial};

/// Plies of the positions of each stage.
pub const STAGES: [RangeInclusive<u16>; 4] = [4..=17, 18..=31, 32..=45, 46..=60];

/// Returns the stage of a position after `turn` plies.
pub fn stage(turn: u16) -> Option<usize> {
    STAGES.iter().position(|plies| plies.contains(&turn))
}
