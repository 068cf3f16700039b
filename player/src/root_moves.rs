//! The legal moves at the root of a search, listed once per move.

use game::{Move, Placement, Position, Rules};

use crate::SearchLimits;

/// The legal moves that a player may choose in a position.
pub(crate) struct RootMoves<'a> {
    pub position: &'a Position,
    pub placements: Vec<Placement>,
    pub is_restricted: bool,
    pub may_pass: bool,
}

impl<'a> RootMoves<'a> {
    /// Lists the legal moves that the limits allow.
    pub fn list(position: &'a Position, limits: &SearchLimits) -> Self {
        let is_restricted = limits.is_restricted();
        let may_pass = !is_restricted && may_pass_by_choice(position);
        Self { position, placements: limits.placements(position), is_restricted, may_pass }
    }

    /// Returns the move if there is only one. A restriction to one move asks for its evaluation, so it forces nothing.
    pub fn forced(&self) -> Option<Move> {
        match self.placements[..] {
            [] => Some(Move::Pass),
            [only] if !self.is_restricted && !self.may_pass => Some(Move::Place(only)),
            _ => None,
        }
    }

    /// Returns `true` if the player may choose this move.
    pub fn contains(&self, mv: Move) -> bool {
        mv.placement().map_or(self.may_pass, |placement| self.placements.contains(&placement))
    }
}

/// Returns `true` if the colour to move may pass although it has placements.
///
/// The `game` crate allows such a pass in classic Blokus. At a table a player must place a piece if possible, and Pentobi
/// refuses the pass, so players never choose it there. The endgame solver still counts passes inside its lines.
pub(crate) fn may_pass_by_choice(position: &Position) -> bool {
    position.may_pass() && !matches!(position.rules(), Rules::Classic | Rules::FourPlayers)
}
