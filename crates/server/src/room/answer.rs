//! The answers of players.

use protocol::{Element, Season, WireMove};

use crate::texts;

/// A player's answer to a move request.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PlayerAnswer<'a> {
    /// A move, which may be illegal.
    Move(WireMove),
    /// Data that is not a move, with its class.
    Other { class: &'a str, data: &'a Element },
}

impl PlayerAnswer<'_> {
    /// Returns the answer in words.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Move(mv) => texts::describe(mv),
            Self::Other { class, .. } => (*class).to_owned(),
        }
    }

    /// Returns the answer as it is repeated in an error.
    pub(super) fn to_element(self, season: Season) -> Element {
        let name = season.original_move_element();
        match self {
            Self::Move(mv) => mv.to_element(name, season),
            Self::Other { class, data } => data.clone().quoted_as(name, class),
        }
    }
}
