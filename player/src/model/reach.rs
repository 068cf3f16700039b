//! The cells that each colour reaches first.

use game::{Bitboard, Board, ByColor, Color, ColorSet, MAX_PIECE_SIZE};

/// Maximum distance in steps between two cells of a piece.
pub(super) const PIECE_REACH: usize = MAX_PIECE_SIZE - 1;

/// The cells that each colour reaches before any opponent, in steps to open neighbours (of eight) from its anchors. A
/// cell that opponents reach in the same step belongs to both.
///
/// A rough and fast division of the board, like a Voronoi diagram: it ignores the remaining pieces and their shapes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reach(pub ByColor<Bitboard>);

impl Reach {
    /// Number of steps, about the length of a piece. More steps made the player weaker.
    pub const STEPS: usize = 4;

    /// Divides a board among the colours in play; the others reach nothing.
    pub fn of(board: &Board, in_play: ColorSet) -> Self {
        let anchors = |color| if in_play.contains(color) { board.anchors(color) } else { Bitboard::EMPTY };
        Self::from_anchors(board, &ByColor::from_fn(anchors))
    }

    /// Divides a board among the colours, starting from the given anchors.
    pub fn from_anchors(board: &Board, anchors: &ByColor<Bitboard>) -> Self {
        let mut open = ByColor::from_fn(|color| board.open(color));
        let mut reached = *anchors;
        for _ in 0..Self::STEPS {
            let [blue, yellow, red, green] = reached.0;
            let (one, two) = (blue | red, yellow | green);
            for (color, theirs) in [(Color::Blue, two), (Color::Yellow, one), (Color::Red, two), (Color::Green, one)] {
                // Cells that opponents reached earlier are theirs.
                open[color] = open[color].without(theirs) | reached[color];
                reached[color] = reached[color].with_neighbours() & open[color];
            }
        }
        Self(reached)
    }
}
