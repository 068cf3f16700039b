//! Passing by choice.

use game::{Move, Position, Rules};

/// Whether players may choose a move that is legal: all but a pass in classic Blokus as long as there
/// is a placement. The `game` crate allows it in all rules, but at a table a piece must be placed if one
/// can be, and Pentobi refuses such a pass. (Inside its lines the endgame solver still reckons with passes,
/// which are hardly ever best.)
pub(crate) fn may_choose(position: &Position, mv: Move) -> bool {
    mv != Move::Pass || position.rules() != Rules::Classic || !position.board().has_placement(position.color())
}
