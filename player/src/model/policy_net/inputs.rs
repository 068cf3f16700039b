//! What the network is told of a position.

use game::{Bitboard, Board, ByColor, Color, ColorSet, PieceSet};

use crate::model::reach::PIECE_REACH;

/// How many planes each colour has, see [`Inputs::planes`].
pub const COLOR_PLANES: usize = 5;

/// How many planes there are.
pub const PLANES: usize = Color::ALL.len() * COLOR_PLANES;

/// Later turns count as this one, so that no sum overflows. Only positions that were set up have them.
const LAST_TURN: u16 = 255;

/// A position as the network sees it. The colours are counted from the one on turn: it, the next opponent, its partner,
/// the last opponent. So the network need not know which colour is which, and all symmetries of the board are those of
/// the planes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inputs {
    /// Five sets of cells for each colour: those that it covers; those that it may cover as far as its neighbours go
    /// (*open*); its anchors, if a piece in hand can cover them and the colour is in play; and what it may cover with
    /// its next piece, and with its next two.
    pub planes: [Bitboard; PLANES],
    /// The pieces that the colours have left.
    pub hands: [PieceSet; 4],
    /// The number of the turn, from 0.
    pub turn: u16,
}

impl Inputs {
    /// What is to be seen on a board when `color` is on turn. Anchors that no piece can cover any more may be missing
    /// there: they change nothing.
    pub fn of(board: &Board, in_play: ColorSet, color: Color, turn: u16) -> Self {
        let colors = color.turn_order();
        let dead_anchors = ByColor::from_fn(|color| board.dead_anchors(color));
        let mut planes = [Bitboard::EMPTY; PLANES];
        for (planes, color) in planes.as_chunks_mut::<COLOR_PLANES>().0.iter_mut().zip(colors) {
            let open = board.open(color);
            let is_in_play = in_play.contains(color);
            let anchors = if is_in_play { board.anchors(color).without(dead_anchors[color]) } else { Bitboard::EMPTY };
            let near = anchors.spread(open, PIECE_REACH);
            // The next piece may begin at a corner of the last.
            let far = (near.with_neighbours() & open).spread(open, PIECE_REACH);
            *planes = [board.covered(color), open, anchors, near, far];
        }
        Self { planes, hands: colors.map(|color| board.left(color)), turn: turn.min(LAST_TURN) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_that_no_game_has_count_as_the_last_one() {
        let position = crate::bench::positions().expect("a list").swap_remove(0);
        let inputs = |turn| Inputs::of(position.board(), position.in_play(), position.color(), turn);
        assert_eq!(inputs(u16::MAX), inputs(LAST_TURN));
        assert_ne!(inputs(LAST_TURN - 1), inputs(LAST_TURN));
        // Which must not overflow.
        let output = crate::model::Model::built_in().policy_net.evaluate(&inputs(u16::MAX));
        assert!(output.log_odds().is_finite());
    }

    #[test]
    fn planes_are_those_of_the_colours_from_the_one_on_turn() {
        for position in crate::bench::positions().expect("a list") {
            let (board, color) = (position.board(), position.color());
            let inputs = Inputs::of(board, position.in_play(), color, position.turn());
            let [own, next, partner, last] = [0, 1, 2, 3].map(|n| &inputs.planes[n * COLOR_PLANES..][..COLOR_PLANES]);
            for (planes, color) in [(own, color), (partner, color.partner())]
                .into_iter()
                .chain([next, last].into_iter().zip(color.opponents()))
            {
                assert_eq!(planes[..2], [board.covered(color), board.open(color)]);
                let [anchors, near, far] = [planes[2], planes[3], planes[4]];
                assert!(anchors.is_subset(near) && near.is_subset(far) && far.is_subset(planes[1]));
                let placements = board.placements(color);
                if position.in_play().contains(color) {
                    assert!(placements.iter().all(|placement| placement.cells().is_subset(near)));
                    let live = |anchor| placements.iter().any(|placement| placement.touches(&Bitboard::only(anchor)));
                    assert_eq!(anchors, board.anchors(color).iter().filter(|&anchor| live(anchor)).collect());
                } else {
                    assert!(anchors.is_empty());
                }
            }
        }
    }

    #[test]
    fn dead_anchors_change_nothing() {
        for position in crate::bench::positions().expect("a list") {
            let of = |board: &Board| Inputs::of(board, position.in_play(), position.color(), position.turn());
            let mut without = *position.board();
            Color::ALL.into_iter().for_each(|color| without.drop_anchors(color, position.board().dead_anchors(color)));
            assert_eq!(of(&without), of(position.board()));
        }
    }
}
