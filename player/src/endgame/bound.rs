//! How many points a colour can gain at most.

use game::{Piece, PieceSet};

use super::cells::Cells;
use super::puzzle::Candidate;

/// Points that a colour gains, or a bound of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Gain {
    /// For the cells that it covers.
    pub cells: i32,
    /// For placing all its pieces, and the monomino last.
    pub bonus: i32,
}

impl Gain {
    /// A bound of the points that a colour can gain with the candidates that are still possible, whose
    /// cells together are `reach`, with the pieces `left` in its hand, in so many turns.
    ///
    /// Cells along the sides of its pieces must stay free of its colour, and each such cell lies at the
    /// sides of at most four pieces. So of every cell in reach there are four quarters, a piece takes
    /// all quarters of its cells and one of every cell along its sides, and the pieces together take no
    /// more than there is. What that allows is bounded by filling the room with the least wasteful
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
            let taken = 4 * candidate.piece.size() + (candidate.sides & reach).len();
            let least = &mut quarters[candidate.piece as usize];
            *least = (*least).min(taken as u16);
            pieces.insert(candidate.piece);
        }
        let most_cells: usize = pieces.iter_descending().take(turns).map(Piece::size).sum();
        let mut room = 4 * reach.len();
        let all_fit = pieces.iter().map(|piece| usize::from(quarters[piece as usize])).sum::<usize>() <= room;
        if all_fit && pieces == left && !left.is_empty() && turns >= left.len() {
            return Self { cells: most_cells as i32, bonus: if left.contains(Piece::Mono) { 20 } else { 15 } };
        }
        let mut cells = 0;
        while !pieces.is_empty() && room > 0 && cells < most_cells {
            let waste = |piece: &Piece| u32::from(quarters[*piece as usize]) * 60 / piece.size() as u32;
            let Some(piece) = pieces.iter().min_by_key(waste) else { break };
            pieces.remove(piece);
            let taken = usize::from(quarters[piece as usize]);
            cells += (piece.size() * room.min(taken)).div_ceil(taken);
            room = room.saturating_sub(taken);
        }
        Self { cells: cells.min(most_cells) as i32, bonus: 0 }
    }
}
