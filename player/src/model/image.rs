//! The image of a position that stands for all its images under the symmetries of the board.

use arrayvec::ArrayVec;
use game::{Bitboard, ByColor, ColorSet, Piece, Position, Rules, Symmetry};

/// What all images of a position have in common: the one of them that comes first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Image {
    rules: Rules,
    start_piece: Option<Piece>,
    turn: u16,
    covered: ByColor<Bitboard>,
}

/// The symmetries that lead from a position to its [`Image`]: one, or several if the position is an image of itself.
pub type Symmetries = ArrayVec<Symmetry, { Symmetry::ALL.len() }>;

impl Image {
    /// The image that stands for a position, and how it gets there. None for positions in which a colour is out
    /// already: who has passed is not to be seen on the board.
    pub fn of(position: &Position) -> Option<(Self, Symmetries)> {
        if position.in_play() != ColorSet::ALL {
            return None;
        }
        let image = |symmetry: Symmetry| ByColor::from_fn(|color| symmetry.cells(position.board().covered(color)));
        let words = |covered: &ByColor<Bitboard>| covered.0.map(|set| *set.words());
        let covered = position.rules().symmetries().map(image).min_by_key(words)?;
        let symmetries = position.rules().symmetries().filter(|&symmetry| image(symmetry) == covered).collect();
        let (rules, start_piece, turn) = (position.rules(), position.start_piece(), position.turn());
        Some((Self { rules, start_piece, turn, covered }, symmetries))
    }
}
