//! Moves that are worth a second look.

use game::{Move, Position};

/// A move that looks bad and has not been compared with what the engine would have played, see
/// [`doubts`](super::doubts).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Doubt {
    /// Where it was made.
    pub position: Position,
    /// The move that the engine would have played.
    pub best: Move,
    /// The one that was.
    pub played: Move,
}
