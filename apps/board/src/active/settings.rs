//! Settings that a host gives to its games.

use std::collections::BTreeSet;

use crate::refused::Refused;
use crate::session::Seat;

const NO_SERVICE: Refused = Refused::of("alone", "without a service only people here and the levels play");

pub(crate) fn unknown_program(name: &str) -> Refused {
    let name = game::excerpt(name);
    Refused::new("unknown_program", format!("the service has no program `{name}`; name it with --program"))
}

/// Settings of all games of a host.
#[derive(Clone, Debug)]
pub struct GameSettings {
    /// Milliseconds for a move of the highest level.
    pub move_time: u64,
    /// Milliseconds for a hint.
    pub hint_time: u64,
    /// The external programs that may play; `None` without a service, which also excludes guests.
    pub programs: Option<BTreeSet<String>>,
}

impl Default for GameSettings {
    fn default() -> Self {
        Self { move_time: 2000, hint_time: 2000, programs: None }
    }
}

impl GameSettings {
    /// Checks if a host with these settings can fill a seat.
    ///
    /// # Errors
    /// [`Refused`]
    pub fn check_seat(&self, seat: &Seat) -> Result<(), Refused> {
        match (seat, &self.programs) {
            (Seat::Person | Seat::Level { .. }, _) | (Seat::Guest, Some(_)) => Ok(()),
            (Seat::Guest | Seat::Program { .. }, None) => Err(NO_SERVICE),
            (Seat::Program { name }, Some(programs)) if programs.contains(name) => Ok(()),
            (Seat::Program { name }, Some(_)) => Err(unknown_program(name)),
        }
    }
}
