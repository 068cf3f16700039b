//! Inputs of the policy network.

use game::{Bitboard, Board, Color, ColorSet, PieceSet};

use crate::model::reach::PIECE_REACH;

/// Number of planes of each colour, see [`PolicyInputs::planes`].
pub const COLOR_PLANES: usize = 5;

/// Number of planes.
pub const PLANES: usize = Color::ALL.len() * COLOR_PLANES;

/// Maximum turn; later ones count as this one, so that no sum overflows. Only positions that were set up have them.
const MAX_TURN: u16 = 255;

/// A position as inputs of the network. The colours are ordered by turn, beginning with the one to move, so the network
/// need not know which colour is which, and the symmetries of the board are symmetries of the planes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PolicyInputs {
    /// Five sets of cells for each colour: covered cells; open cells; anchors that a piece can cover, if the colour is
    /// in play; the cells that its next piece may cover; those that its next two may cover.
    pub planes: [Bitboard; PLANES],
    /// Remaining pieces of the colours.
    pub remaining: [PieceSet; 4],
    /// Turn, from 0.
    pub turn: u16,
}

impl PolicyInputs {
    /// Extracts the inputs of a board with `color` to move. The board may lack dead anchors, which change nothing.
    pub fn of(board: &Board, in_play: ColorSet, color: Color, turn: u16) -> Self {
        let colors = color.turn_order();
        let mut planes = [Bitboard::EMPTY; PLANES];
        for (planes, color) in planes.as_chunks_mut::<COLOR_PLANES>().0.iter_mut().zip(colors) {
            let open = board.open(color);
            let is_in_play = in_play.contains(color);
            let anchors =
                if is_in_play { board.anchors(color).without(board.dead_anchors(color)) } else { Bitboard::EMPTY };
            let near = anchors.spread(open, PIECE_REACH);
            // The second piece may begin at a corner of the first.
            let far = (near.with_neighbours() & open).spread(open, PIECE_REACH);
            *planes = [board.covered(color), open, anchors, near, far];
        }
        Self { planes, remaining: colors.map(|color| board.remaining_pieces(color)), turn: turn.min(MAX_TURN) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_turns_count_as_the_maximum() {
        let position = crate::bench::positions().swap_remove(0);
        let inputs = |turn| PolicyInputs::of(position.board(), position.in_play(), position.color(), turn);
        assert_eq!(inputs(u16::MAX), inputs(MAX_TURN));
        assert_ne!(inputs(MAX_TURN - 1), inputs(MAX_TURN));
        let output = crate::model::Model::built_in().policy_net.evaluate(&inputs(u16::MAX));
        assert!(output.log_odds.is_finite());
    }

    #[test]
    fn planes_begin_with_colour_on_turn() {
        for position in crate::bench::positions() {
            let (board, color) = (position.board(), position.color());
            let inputs = PolicyInputs::of(board, position.in_play(), color, position.turn());
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
                    let live =
                        |anchor| placements.iter().any(|placement| placement.intersects(&Bitboard::only(anchor)));
                    assert_eq!(anchors, board.anchors(color).iter().filter(|&anchor| live(anchor)).collect());
                } else {
                    assert!(anchors.is_empty());
                }
            }
        }
    }

    #[test]
    fn dead_anchors_do_not_change_the_inputs() {
        for position in crate::bench::positions() {
            let of = |board: &Board| PolicyInputs::of(board, position.in_play(), position.color(), position.turn());
            let mut without = *position.board();
            Color::ALL.into_iter().for_each(|color| without.drop_anchors(color, position.board().dead_anchors(color)));
            assert_eq!(of(&without), of(position.board()));
        }
    }
}
