//! Output of the policy network: maps that score placements, win probability and margin.

use game::{Bitboard, Cell};

/// Numbers of maps for the cells, sides, corners and root of a placement.
pub const COVERED: usize = 4;
pub const BESIDE: usize = 2;
pub const CORNER: usize = 4;
pub const ROOT: usize = 12;

/// Output of the network for a position.
pub struct PolicyOutput {
    /// Numbers by the bit of a cell, with zeros for other bits.
    pub(super) covered: BitTable<COVERED>,
    pub(super) beside: BitTable<BESIDE>,
    pub(super) corner: BitTable<CORNER>,
    pub(super) root: BitTable<ROOT>,
    /// Scores of the pieces.
    pub(super) pieces: [f32; game::Piece::COUNT],
    /// Log-odds of a win of the team to move.
    pub log_odds: f32,
    /// Expected final margin of the team to move.
    pub margin: f32,
}

/// Numbers for each bit of a placement's cells, sides or corners.
pub(super) struct BitTable<const MAPS: usize>(Box<[[f32; MAPS]]>);

impl<const MAPS: usize> BitTable<MAPS> {
    pub(super) fn new() -> Self {
        Self(vec![[0.0; MAPS]; Bitboard::BITS].into())
    }

    #[inline(always)]
    pub(super) fn set(&mut self, cell: Cell, numbers: [f32; MAPS]) {
        self.0[cell.bit()] = numbers;
    }

    #[inline(always)]
    pub(super) fn at(&self, bit: usize) -> [f32; MAPS] {
        self.0[bit]
    }

    /// Adds the numbers of some bits in their order.
    #[inline(always)]
    pub(super) fn sums<const BITS: usize>(&self, bits: [usize; BITS]) -> [f32; MAPS] {
        let mut sums = [0.0; MAPS];
        for bit in bits {
            for (sum, number) in sums.iter_mut().zip(self.0[bit]) {
                *sum += number;
            }
        }
        sums
    }
}
