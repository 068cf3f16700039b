//! Positions of season 2027 with the values of their best moves, on which engines are compared without playing games.
//!
//! `positions` draws positions from games, `judge` values their moves by long searches, [`Suite`] keeps them in a file,
//! and `trial` lets an engine choose moves and measures what they lose: the *regret*, in win probability.

mod file;
mod judge;
mod positions;
mod trial;

use std::ops::RangeInclusive;

pub use file::{Sample, Suite, SuiteError};
pub use judge::{Effort, is_undecided, judge, value};
pub use positions::{Line, draw};
pub use trial::{Comparison, Trial};

/// Plies of the positions of each stage.
pub const STAGES: [RangeInclusive<u16>; 4] = [4..=17, 18..=31, 32..=45, 46..=60];

/// The stage of a position after `turn` plies.
pub fn stage(turn: u16) -> Option<usize> {
    STAGES.iter().position(|plies| plies.contains(&turn))
}
