//! Set operators, and drawing for tests.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use super::Bitboard;
use crate::cell::{BOARD_SIZE, Cell};

impl BitAnd for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
}

impl BitOr for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
}

/// The cells of the board that are not in the set.
impl Not for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self::BOARD.without(self)
    }
}

impl BitAndAssign for Bitboard {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl BitOrAssign for Bitboard {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

/// `{:?}` lists the cells of the board, `{:#?}` draws the board with `#` for a cell of the set.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            return f.debug_set().entries((*self & Self::BOARD).iter()).finish();
        }
        let size = BOARD_SIZE as i32;
        for y in 0..size {
            let row = (0..size).filter_map(|x| Cell::new(x, y));
            writeln!(f, "{}", row.map(|cell| if self.contains(cell) { '#' } else { '.' }).collect::<String>())?;
        }
        Ok(())
    }
}
