//! The settings of a game on a server, and its events.

use std::time::Duration;

use player::{Budget, Report};
use protocol::{GameResult, Season, State};

use crate::outcome::GameOutcome;
use crate::pace::DEFAULT_TIME;

/// The settings of a session. Construct them with `..Default::default()`: minor versions may add fields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The season to join. The messages of the server then decide which season it is.
    pub season: Season,
    /// The game to join.
    pub join_mode: JoinMode,
    /// The budget of a move. Its time counts from the arrival of the request to the sent answer; the servers allow two
    /// seconds.
    pub budget: Budget,
    /// `true` if the player also searches in the opponent's time.
    pub ponder: bool,
    /// The client leaves a server that is silent for this long. With `None` it never does, because a prepared game may
    /// start at any time.
    pub patience: Option<Duration>,
    /// Time to stay connected after the game, see [`LINGER`].
    pub linger: Duration,
}

/// Time that programs stay connected after their game. The official test program checks once a second whether a client
/// has ended. It counts a client as crashed if the client ends before the test program has read the result, and kills a
/// client after five seconds.
pub const LINGER: Duration = Duration::from_secs(2);

/// Any game of the current season, with the default time, left as soon as it is over.
impl Default for Settings {
    fn default() -> Self {
        Self {
            season: Season::default(),
            join_mode: JoinMode::Any,
            budget: Budget::time(DEFAULT_TIME),
            ponder: false,
            patience: None,
            linger: Duration::ZERO,
        }
    }
}

/// The game to join.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum JoinMode {
    /// Any game that waits for a player, or a new one.
    Any,
    /// The game with a place reserved under this code.
    Reservation(String),
    /// The game in this room, at a place that is not reserved.
    Room(String),
}

/// An event of a game, for observers.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum SessionEvent<'a> {
    /// The server sent the state.
    State(&'a State),
    /// The player has chosen a move.
    Answer(&'a Report),
    /// The server sent the result.
    Result(&'a GameResult),
    /// The game is over. The client may stay connected for [`Settings::linger`].
    Over(&'a GameOutcome),
}
