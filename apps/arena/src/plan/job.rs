//! The unit of work of a plan.

use crate::games::played::GameId;

/// A pair of games of one of several matches: the unit of work of a thread or a machine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Job {
    /// The number of the match.
    pub number: u32,
    /// The number of the pair in it.
    pub pair: u32,
}

impl Job {
    /// Both games of the pair.
    pub fn games(self) -> [GameId; 2] {
        [false, true].map(|is_swapped| GameId { pair: self.pair, is_swapped })
    }
}
