//! A request for a move.

use std::time::Instant;

/// The state of the request for a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MoveRequest {
    /// There has been no request yet.
    Never,
    /// The request of this moment is open.
    Open(Instant),
    /// The last request was answered, and the game is paused.
    Answered,
}
