//! A request for a move.

use std::time::Instant;

/// Whether the team on turn was asked for a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Request {
    /// It was not, because nobody ever was.
    Never,
    /// It was at this moment, and has not answered.
    Open(Instant),
    /// The last request has been answered, and the game is paused.
    Answered,
}
