//! The legal moves at the root of a search, listed once per move.

use game::{Move, Placement, Position, Rules};

/// The legal moves that a player may choose in a position.
pub(crate) struct RootMoves<'a> {
    pub position: &'a Position,
    pub placements: Vec<Placement>,
    pub may_pass: bool,
}

impl<'a> RootMoves<'a> {
    /// Lists the moves of a position.
    pub fn list(position: &'a Position) -> Self {
        Self { position, placements: position.placements(), may_pass: may_pass_by_choice(position) }
    }

    /// Returns the move if there is only one.
    pub fn forced(&self) -> Option<Move> {
        match self.placements[..] {
            [] => Some(Move::Pass),
            [only] if !self.may_pass => Some(Move::Place(only)),
            _ => None,
        }
    }
}

/// Returns `true` if the colour to move may pass although it has placements.
///
/// The `game` crate allows such a pass in classic Blokus. At a table a player must place a piece if possible, and
/// Pentobi refuses the pass, so players never choose it there. The endgame solver still counts passes inside its lines.
pub(crate) fn may_pass_by_choice(position: &Position) -> bool {
    position.may_pass() && !matches!(position.rules(), Rules::Classic | Rules::FourPlayers)
}
