//! Sets of renumbered cells.

use std::ops::{BitAnd, BitOr};

use game::Bitboard;

/// A set of up to [`Cells::MOST`] cells. What is left to play for in an endgame is a small part of
/// the board; with its cells numbered consecutively a set takes half the room of a [`Bitboard`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cells([u64; Cells::WORDS]);

impl Cells {
    const WORDS: usize = 4;
    pub const MOST: usize = 64 * Self::WORDS;
    pub const EMPTY: Self = Self([0; Self::WORDS]);

    #[inline(always)]
    pub fn is_empty(self) -> bool {
        let [a, b, c, d] = self.0;
        a | b | c | d == 0
    }

    #[inline(always)]
    pub fn len(self) -> usize {
        let [a, b, c, d] = self.0;
        (a.count_ones() + b.count_ones() + c.count_ones() + d.count_ones()) as usize
    }

    #[inline(always)]
    pub fn intersects(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    #[inline(always)]
    pub fn is_subset(self, other: Self) -> bool {
        self.without(other).is_empty()
    }

    #[inline(always)]
    pub fn without(self, other: Self) -> Self {
        self.combine(other, |a, b| a & !b)
    }

    /// Combines the words of two sets. Written out, like everything that is done with words here: with
    /// loops over them the search took 1.6 times as long.
    #[inline(always)]
    fn combine(self, other: Self, combine: impl Fn(u64, u64) -> u64) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([combine(a, e), combine(b, f), combine(c, g), combine(d, h)])
    }
}

impl BitAnd for Cells {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        self.combine(other, |a, b| a & b)
    }
}

impl BitOr for Cells {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        self.combine(other, |a, b| a | b)
    }
}

/// The numbers of the cells in a part of the board.
pub struct Numbering {
    numbers: [u8; Bitboard::BITS],
    part: Bitboard,
}

impl Numbering {
    /// Numbers the cells of a part, or `None` if there are more than [`Cells::MOST`].
    pub fn of(part: Bitboard) -> Option<Self> {
        let mut numbers = [0; Bitboard::BITS];
        if part.len() > Cells::MOST {
            return None;
        }
        for (number, cell) in part.iter().enumerate() {
            numbers[cell.bit()] = number as u8;
        }
        Some(Self { numbers, part })
    }

    /// The cells of a set that have a number.
    pub fn cells(&self, set: Bitboard) -> Cells {
        let mut cells = Cells::EMPTY;
        for cell in set & self.part {
            let number = usize::from(self.numbers[cell.bit()]);
            cells.0[number / 64] |= 1 << (number % 64);
        }
        cells
    }
}
