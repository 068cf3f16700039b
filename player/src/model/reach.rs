//! Who gets where first.

use game::{Bitboard, Board, ByColor, Color, ColorSet, MAX_PIECE_SIZE};

/// The most steps over sides between two cells of a piece.
pub(super) const PIECE_REACH: usize = MAX_PIECE_SIZE - 1;

/// For every colour the cells to which it can come, one step to one of the eight neighbours, if it is open, at a time
/// from its anchors, before any opponent can take them; a cell that opponents reach at the same step belongs to both.
///
/// It asks neither which pieces are left nor how they fit, and is cheap in return: a rough division
/// of the board after the manner of a Voronoi diagram.
///
/// ```
/// use game::{Color, Position, Rules};
/// use player::model::Reach;
///
/// let position = Position::new(Rules::Classic, None)?;
/// let reach = Reach::of(position.board(), position.in_play());
/// assert!(!reach.0[Color::Blue].is_empty());
/// # Ok::<(), game::SetupError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reach(pub ByColor<Bitboard>);

impl Reach {
    /// How many steps the colours take, about as far as one piece goes. Counting cells further away
    /// made the player weaker.
    pub const STEPS: usize = 4;

    /// The division of a board among the colours in play; the others get nothing.
    pub fn of(board: &Board, in_play: ColorSet) -> Self {
        let anchors = |color| if in_play.contains(color) { board.anchors(color) } else { Bitboard::EMPTY };
        Self::from_anchors(board, &ByColor::from_fn(anchors))
    }

    /// The division of a board among the colours, which begin at these of their anchors.
    pub fn from_anchors(board: &Board, anchors: &ByColor<Bitboard>) -> Self {
        let mut open = ByColor::from_fn(|color| board.open(color));
        let mut reached = *anchors;
        for _ in 0..Self::STEPS {
            let [blue, yellow, red, green] = reached.0;
            let (one, two) = (blue | red, yellow | green);
            for (color, theirs) in [(Color::Blue, two), (Color::Yellow, one), (Color::Red, two), (Color::Green, one)] {
                // Cells that opponents reached at an earlier step are theirs for good.
                open[color] = open[color].without(theirs) | reached[color];
                reached[color] = reached[color].with_neighbours() & open[color];
            }
        }
        Self(reached)
    }
}
