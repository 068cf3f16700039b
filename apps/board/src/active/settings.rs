//! Settings that a host gives to its games.

use std::collections::BTreeSet;

use super::GameError;
use crate::session::Seat;

/// Settings of all games of a host.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Milliseconds for a move of the highest level.
    pub move_time: u64,
    /// Milliseconds for a hint.
    pub hint_time: u64,
    /// The external programs that may play, and whether guests may; `None` where there are neither.
    pub programs: Option<BTreeSet<String>>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { move_time: 2000, hint_time: 2000, programs: None }
    }
}

impl Settings {
    /// Checks if a host with these settings can fill a seat.
    ///
    /// # Errors
    /// [`GameError::NoService`], [`GameError::UnknownProgram`]
    pub fn check_seat(&self, seat: &Seat) -> Result<(), GameError> {
        match (seat, &self.programs) {
            (Seat::Person | Seat::Level { .. }, _) | (Seat::Guest, Some(_)) => Ok(()),
            (Seat::Guest | Seat::Program { .. }, None) => Err(GameError::NoService),
            (Seat::Program { name }, Some(programs)) if programs.contains(name) => Ok(()),
            (Seat::Program { name }, Some(_)) => Err(GameError::UnknownProgram(game::excerpt(name))),
        }
    }
}
