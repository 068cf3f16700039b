//! How many points a colour can gain at most.

use game::{Piece, PieceSet, bonus};

use super::candidate::Candidate;
use super::cells::Cells;

/// Points that a colour gains, or a bound of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Gain {
    /// For the cells that it covers.
    pub cells: i32,
    /// For placing all its pieces, and the monomino last.
    pub bonus: i32,
}

/// In how many parts a cell is divided: no more pieces of one colour have it along their sides.
const QUARTERS: usize = 4;

/// A multiple of the sizes of all pieces, so that quarters per cell are compared exactly.
const ALL_SIZES: usize = 60;

impl Gain {
    /// A bound of the points that a colour can gain with the candidates that are still possible, whose
    /// cells together are `reach`, with the pieces `left` in its hand, in `turns` turns.
    ///
    /// Cells along the sides of its pieces must stay free of its colour, and each such cell lies at the
    /// sides of at most four pieces. So of every cell in reach there are four quarters, a piece takes
    /// all quarters of its cells and one of every cell along its sides, and the pieces together take no
    /// more than there is. What that allows is bounded by filling the space with the least wasteful
    /// pieces, the last of them in part (G. Dantzig, Discrete-variable extremum problems, 1957).
    pub fn bound<'a>(
        candidates: impl Iterator<Item = &'a Candidate>,
        reach: Cells,
        left: PieceSet,
        turns: usize,
    ) -> Self {
        let mut quarters = [u16::MAX; Piece::COUNT];
        let mut pieces = PieceSet::EMPTY;
        for candidate in candidates {
            let taken = QUARTERS * candidate.piece.size() + (candidate.sides & reach).len();
            let least = &mut quarters[candidate.piece as usize];
            *least = (*least).min(taken as u16);
            pieces.insert(candidate.piece);
        }
        let most_cells: usize = pieces.iter_descending().take(turns).map(Piece::size).sum();
        let mut room = QUARTERS * reach.len();
        let all_fit = pieces.iter().map(|piece| usize::from(quarters[piece as usize])).sum::<usize>() <= room;
        if all_fit && pieces == left && !left.is_empty() && turns >= left.len() {
            return Self { cells: most_cells as i32, bonus: bonus(PieceSet::EMPTY, left.contains(Piece::Mono)) };
        }
        let mut cells = 0;
        while !pieces.is_empty() && room > 0 && cells < most_cells {
            let waste = |piece: &Piece| usize::from(quarters[*piece as usize]) * ALL_SIZES / piece.size();
            let Some(piece) = pieces.iter().min_by_key(waste) else { break };
            pieces.remove(piece);
            let taken = usize::from(quarters[piece as usize]);
            cells += (piece.size() * room.min(taken)).div_ceil(taken);
            room = room.saturating_sub(taken);
        }
        Self { cells: cells.min(most_cells) as i32, bonus: 0 }
    }
}
