//! Moves that need a second search.

use game::{Move, Position};

/// A move that looks bad and has not been compared with the engine's choice yet, see [`rechecks`](super::rechecks).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Recheck {
    /// The position before the move.
    pub position: Position,
    /// The engine's choice.
    pub best: Move,
    /// The move that was played.
    pub played: Move,
}
