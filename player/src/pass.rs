//! Passing by choice.

use game::{Move, Position, Rules};

/// Whether players may choose a legal move where there is a placement: all but a pass in classic Blokus.
/// The `game` crate allows it in all rules, but at a table a piece must be placed if one can be, and
/// Pentobi refuses such a pass. (Inside its lines the endgame solver still reckons with passes, so that
/// its result in classic Blokus is exact only if nobody would pass.)
pub(crate) fn may_choose(position: &Position, mv: Move) -> bool {
    mv != Move::Pass || !matches!(position.rules(), Rules::Classic | Rules::FourPlayers)
}
