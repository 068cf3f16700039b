//! The canonical image of a position under the symmetries of the board.

use arrayvec::ArrayVec;
use game::{Bitboard, ByColor, ColorSet, Piece, Position, Rules, Symmetry};

/// The canonical image: the first of all images in a fixed order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Image {
    rules: Rules,
    start_piece: Option<Piece>,
    turn: u16,
    pub covered: ByColor<Bitboard>,
}

/// The symmetries from a position to its [`Image`]; several if the position is symmetric.
pub type Symmetries = ArrayVec<Symmetry, { Symmetry::ALL.len() }>;

impl Image {
    /// Returns the canonical image and its symmetries. Returns `None` if a colour is out of play, because the covered
    /// cells do not show which one passed.
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
