//! Contestants: built-in players, and programs in their own processes.

mod builtin;
mod external;
mod gtp;
pub(crate) mod package;
mod placeholder;
pub(crate) mod process;
pub mod server_ending;
mod spec;

use std::time::Duration;

use game::{Move, Position, Team};
use player::Report;
use thiserror::Error;

use record::Fault;

pub use builtin::{Builtin, BuiltinSpec};
pub use external::ExternalClient;
pub(crate) use external::is_path;
pub use gtp::GtpEngine;
pub use player::Budget;
pub use process::{kill_programs, shell_quote};
pub use spec::{Spec, SpecError, map_weights};

/// One side of a game.
///
/// A contestant receives every move in order, its own included. Colours that are out are skipped silently.
pub trait Contestant: Send {
    /// Begins a game.
    ///
    /// # Errors
    /// [`StartError`] if the contestant cannot play at all, which ends the match.
    fn begin(&mut self, game: &GameStart) -> Result<(), StartError>;

    /// Reports a move: of the opening, of the opponent or, if `own`, the contestant's answer to
    /// [`choose`](Self::choose).
    ///
    /// # Errors
    /// The [`Fault`] that loses the game for the contestant.
    fn note(&mut self, before: &Position, mv: Move, own: bool) -> Result<(), Fault>;

    /// Chooses a move for the colour to move, one of the contestant's. The caller checks the move. Also returns the
    /// time for the move, if more was asked afterwards; otherwise the whole time until the answer counts.
    ///
    /// # Errors
    /// The [`Fault`] that loses the game for the contestant, for example if it has not answered within `timeout`.
    fn choose(&mut self, position: &Position, timeout: Duration) -> Result<(Report, Option<Duration>), Fault>;

    /// Returns `true` if the clock counts. Other contestants are limited by nodes and play the same on slow machines.
    fn is_timed(&self) -> bool {
        true
    }

    /// Ends the game at its last position. `fault` is the fault that ended it, and its team.
    fn end(&mut self, position: &Position, fault: Option<(Team, &Fault)>) {
        let _ = (position, fault);
    }
}

/// Start of a game, for a contestant.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GameStart {
    /// The position, with an empty board.
    pub position: Position,
    /// The team that the contestant plays.
    pub team: Team,
    /// Seed of the contestant's randomness in this game.
    pub seed: u64,
}

/// Failed start of a contestant.
#[derive(Debug, Error)]
#[error("{contestant} cannot play: {reason}")]
pub struct StartError {
    /// The contestant as it was specified.
    pub contestant: String,
    /// The reason.
    pub reason: String,
}
