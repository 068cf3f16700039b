//! The player of a colour.

use game::ByColor;
use player::Level;
use serde::{Deserialize, Serialize};

use super::encoding;

/// The player of a colour.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Seat {
    /// A person at the host's screen.
    #[default]
    Person,
    /// A person elsewhere with the link of this seat.
    Guest,
    /// A level of this project.
    Level {
        /// The level.
        #[serde(with = "encoding::level")]
        level: Level,
    },
    /// An external program: a GTP engine or a contest client.
    Program {
        /// Its name in the service.
        name: String,
    },
}

impl Seat {
    /// Returns `true` for programs.
    pub fn is_engine(&self) -> bool {
        !matches!(self, Self::Person | Self::Guest)
    }
}

/// The seats of all colours.
pub type Seats = ByColor<Seat>;
