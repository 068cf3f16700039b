//! Upper bound of the points of a colour.

use game::{Piece, PieceSet, bonus};

use super::candidate::Candidate;
use super::cells::CellSet;

/// Points that a colour gains, or a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Gain {
    /// Points for covered cells.
    pub cells: i32,
    /// Bonuses for placing all pieces, and the monomino last.
    pub bonus: i32,
}

/// Parts of a cell: at most four pieces of one colour share it as a side cell.
const QUARTERS: usize = 4;

/// A multiple of all piece sizes, for exact comparisons of quarters per cell.
const ALL_SIZES: usize = 60;

impl Gain {
    /// Bounds the points that a colour can gain with these candidates, whose cells together are `reach`, with the
    /// pieces `remaining`, in `turns` turns.
    ///
    /// Cells along the sides of its pieces must stay free of the colour, and each lies along at most four pieces. So a
    /// piece takes all four quarters of its cells and one quarter of each side cell, and all pieces together take no
    /// more than four quarters per cell in reach. The bound fills this space with the least wasteful pieces, the last
    /// one in part (G. Dantzig, Discrete-variable extremum problems, 1957).
    pub fn bound<'a>(
        candidates: impl Iterator<Item = &'a Candidate>,
        reach: CellSet,
        remaining: PieceSet,
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
        if all_fit && pieces == remaining && !remaining.is_empty() && turns >= remaining.len() {
            return Self { cells: most_cells as i32, bonus: bonus(PieceSet::EMPTY, remaining.contains(Piece::Mono)) };
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
