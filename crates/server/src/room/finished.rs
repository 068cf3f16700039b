//! A finished game.

use std::time::Duration;

use game::Team;
use protocol::{GameError, GameResult, Replay, Season, State};

use crate::verdict::Ending;

/// A finished game.
#[derive(Clone, PartialEq, Debug)]
pub struct FinishedGame {
    /// The room's identifier.
    pub room: String,
    /// The season.
    pub season: Season,
    /// All states, the first before the first move.
    pub states: Vec<State>,
    /// The times of the moves, one per state after the first.
    pub times: Vec<Duration>,
    /// The fault that ended the game, if any.
    pub error: Option<GameError>,
    /// The end of the game.
    pub ending: Ending,
    /// The result.
    pub result: GameResult,
}

impl FinishedGame {
    /// Returns the longest time of a team's move.
    pub fn slowest(&self, team: Team) -> Duration {
        let movers = self.states.iter().map(|state| state.position.color().team());
        movers.zip(&self.times).filter(|(mover, _)| *mover == team).map(|(_, time)| *time).max().unwrap_or_default()
    }
}

impl From<FinishedGame> for Replay {
    fn from(game: FinishedGame) -> Self {
        let FinishedGame { room, season, states, error, result, .. } = game;
        // The server of season 2021 omits the message.
        let error = error.filter(|_| season == Season::Season2027);
        Self { room, season, states, error, result: Some(result) }
    }
}
