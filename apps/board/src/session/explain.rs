//! The rule that forbids a placement, and its cells.

use game::{BOARD_SIZE, Bitboard, Cell, IllegalMove, Position, Shape};
use serde::Serialize;

use super::encoding::numbers;

/// The reason why a placement is illegal, in JSON
/// `{"rule":"touches_own_color","text":"a cell touches the own colour along a side","cells":[21],"needed":[]}`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WhyNot {
    /// The identifier of the rule, see [`rule_name`].
    pub rule: &'static str,
    /// The rule in words.
    pub text: String,
    /// The cells that break the rule.
    pub cells: Vec<u16>,
    /// The piece must cover one of these cells: start cells or free corners. Empty for other rules.
    pub needed: Vec<u16>,
}

/// Returns why the colour to move cannot place a shape with the upper left of its bounding box at (x, y), which may lie
/// off the board; `None` if it can.
pub fn why_not(position: &Position, shape: Shape, x: i32, y: i32) -> Option<WhyNot> {
    let (board, color) = (position.board(), position.color());
    let reason = position.check_piece(color, shape, x, y).err()?;
    let cell = |&(dx, dy): &(i8, i8)| Cell::new(x.checked_add(i32::from(dx))?, y.checked_add(i32::from(dy))?);
    let covered: Bitboard = shape.cells().iter().filter_map(cell).collect();
    let cells = match reason {
        IllegalMove::Obstructed => covered.without(board.empty()),
        IllegalMove::TouchesOwnColor => covered.without(board.open(color)),
        _ => Bitboard::EMPTY,
    };
    let needed = match reason {
        IllegalMove::NotOnStart | IllegalMove::NoSharedCorner => board.anchors(color),
        _ => Bitboard::EMPTY,
    };
    Some(WhyNot { rule: rule_name(reason), text: reason.to_string(), cells: numbers(cells), needed: numbers(needed) })
}

/// Returns the identifier of a rule, which clients translate.
pub fn rule_name(reason: IllegalMove) -> &'static str {
    match reason {
        IllegalMove::GameOver => "game_over",
        IllegalMove::WrongColor => "wrong_color",
        IllegalMove::PassOnFirstMove => "pass_on_first_move",
        IllegalMove::NotStartPiece => "not_start_piece",
        IllegalMove::PieceNotLeft => "piece_not_left",
        IllegalMove::OutOfBounds => "out_of_bounds",
        IllegalMove::Obstructed => "obstructed",
        IllegalMove::TouchesOwnColor => "touches_own_color",
        IllegalMove::NotOnStart => "not_on_start",
        IllegalMove::NoSharedCorner => "no_shared_corner",
    }
}

const _: () = assert!(BOARD_SIZE * BOARD_SIZE <= u16::MAX as usize, "cells are numbers of 16 bits");

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Piece, Rotation, Rules};

    #[test]
    fn names_each_broken_rule_and_its_cells() {
        let mut position = Position::new(Rules::Classic, None).unwrap();
        for mv in ["PENTO_I-RIGHT@0,0", "MONO@19,0", "MONO@19,19", "MONO@0,19"] {
            position.try_play(mv.parse().unwrap()).unwrap();
        }
        let domino = Shape::new(Piece::Domino, Rotation::None, false);
        let check = |shape, x, y| why_not(&position, shape, x, y).map(|why| (why.rule, why.cells));
        let needed = |shape, x, y| why_not(&position, shape, x, y).unwrap().needed;
        assert_eq!(check(domino, 5, 1), None);
        assert_eq!(check(domino, 4, 0), Some(("obstructed", vec![4])));
        assert_eq!(check(domino, 4, 1), Some(("touches_own_color", vec![24])));
        assert!(needed(domino, 4, 1).is_empty());
        assert_eq!(check(domino, 9, 9), Some(("no_shared_corner", vec![])));
        assert_eq!(needed(domino, 9, 9), [25_u16]);
        assert_eq!(check(domino, i32::MAX, i32::MIN), Some(("out_of_bounds", vec![])));
        assert_eq!(check(Shape::new(Piece::PentoI, Rotation::None, false), 5, 1), Some(("piece_not_left", vec![])));
    }
}
