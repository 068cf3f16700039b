//! The cells around a cell, as one word.
//!
//! Every placement that covers a cell lies within four steps of it, in a diamond of 41 cells. The cells of a set in
//! such a diamond fit into one 64-bit word, so that one AND decides whether a shape held at one of its cells fits.

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::cell::{Cell, STRIDE};
use crate::color::Color;
use crate::piece::MAX_PIECE_SIZE;

/// The cells of a set, mostly of those open to a colour, within four steps of a cell.
///
/// Within three columns of the left or right border, the bits past the guard column are cells at the opposite border.
/// No placement that covers the middle reaches them, so they never affect which shapes fit, but [`len`](Self::len)
/// counts them.
///
/// ```
/// use game::{Bitboard, Cell, Diamond};
///
/// let around = |x, y| Diamond::of(&Bitboard::BOARD, Cell::new(x, y).expect("a cell"));
/// assert_eq!(around(10, 10).len(), Diamond::CELLS);
/// assert_eq!(around(10, 0).len(), 25);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Diamond {
    cells: u64,
    middle: Cell,
}

impl Diamond {
    /// Number of cells in the diamond away from the border, its middle included.
    pub const CELLS: usize = ALL_CELLS.count_ones() as usize;

    /// Returns the cells of a set, which has no guard bits, around a cell.
    #[inline(always)]
    pub fn of(set: &Bitboard, middle: Cell) -> Self {
        Self { cells: pack(window(set, middle)), middle }
    }

    /// Returns the number of cells in the set, 0 to [`CELLS`](Self::CELLS).
    #[inline(always)]
    pub const fn len(self) -> usize {
        self.cells.count_ones() as usize
    }

    /// Returns `true` if none of the cells is in the set.
    pub const fn is_empty(self) -> bool {
        self.cells == 0
    }

    /// Returns the cell in the middle.
    #[inline(always)]
    pub(crate) const fn middle(self) -> Cell {
        self.middle
    }

    /// Returns the cells that are in the set, as bits of [`ALL_CELLS`].
    #[inline(always)]
    pub(crate) const fn cells(self) -> u64 {
        self.cells
    }

    /// Returns the sides of the middle that are in the set, as a number below [`CASES`].
    #[inline(always)]
    pub(crate) const fn case(self) -> usize {
        case(self.cells)
    }
}

impl Board {
    /// Returns the cells around a cell that are open to a colour.
    #[doc(hidden)]
    #[inline(always)]
    pub fn diamond(&self, color: Color, cell: Cell) -> Diamond {
        Diamond::of(self.open_ref(color), cell)
    }
}

/// Number of steps that a placement may reach from a cell it covers.
const RADIUS: usize = MAX_PIECE_SIZE - 1;

/// Rows of a window and of a diamond.
const ROWS: usize = 2 * RADIUS + 1;

/// The bit of the middle in a window: four rows and four columns after the start.
const MIDDLE: usize = RADIUS * STRIDE + RADIUS;

/// Returns the nine rows around a cell, from the cell four rows up and four columns left of it on. Words before the set
/// and after it are those at the other end; cells of the diamond that lie there are guard bits.
#[inline(always)]
fn window(set: &Bitboard, middle: Cell) -> [u64; 3] {
    let start = Bitboard::BITS + middle.bit() - MIDDLE;
    let (first, bits) = (start / 64, start % 64);
    let [a, b, c, d] = [0, 1, 2, 3].map(|i| set.words()[(first + i) % Bitboard::WORDS]);
    let join = |low: u64, high: u64| low >> bits | high << 1 << (63 - bits);
    [join(a, b), join(b, c), join(c, d)]
}

/// Returns the cells of a shape as a diamond around one of them, which is `held` bits after the root.
pub(crate) const fn cells_around(offsets: u128, held: usize) -> u64 {
    let (mut window, mut rest) = ([0u64; 3], offsets);
    while rest != 0 {
        let bit = MIDDLE + rest.trailing_zeros() as usize - held;
        window[bit / 64] |= 1 << (bit % 64);
        rest &= rest - 1;
    }
    pack(window)
}

/// Returns the cells of the diamond in a window, in one word: each word of the window holds three of the
/// nine rows, with gaps into which the others fit.
#[inline(always)]
const fn pack(window: [u64; 3]) -> u64 {
    const MASKS: [u64; 3] = {
        let mut masks = [0; 3];
        let mut y = 0;
        while y < ROWS {
            let steps = if y < RADIUS { y } else { ROWS - 1 - y };
            let first = STRIDE * y + RADIUS - steps;
            assert!(first / 64 == (first + 2 * steps) / 64);
            masks[first / 64] |= ((1 << (2 * steps + 1)) - 1) << (first % 64);
            y += 1;
        }
        masks
    };
    const _: () = assert!(MASKS[0] << 5 & MASKS[1] == 0 && MASKS[2] << 10 & (MASKS[1] | MASKS[0] << 5) == 0);
    (window[0] & MASKS[0]) << 5 | window[1] & MASKS[1] | (window[2] & MASKS[2]) << 10
}

/// All cells of a diamond: the bits that its cells may have.
pub(crate) const ALL_CELLS: u64 = pack([u64::MAX; 3]);

/// Number of subsets of the four sides of a cell.
pub(crate) const CASES: usize = 16;

/// Returns the sides of the middle that are among the cells of a diamond: bit 0 above, 1 left, 2 right, 3 below. They
/// lie in the middle word of the window.
#[inline(always)]
pub(crate) const fn case(cells: u64) -> usize {
    const UP: usize = MIDDLE - STRIDE - 64;
    const DOWN: usize = MIDDLE + STRIDE - 64;
    const LEFT: usize = MIDDLE - 1 - 64;
    let sides = cells >> UP & 1 | (cells >> LEFT & 1) << 1 | (cells >> (LEFT + 2) & 1) << 2 | (cells >> DOWN & 1) << 3;
    sides as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::BOARD_SIZE;

    #[test]
    fn diamond_covers_cells_within_four_steps() {
        let set: Bitboard = Bitboard::BOARD.into_iter().filter(|cell| cell.bit() % 3 != 0).collect();
        for middle in Bitboard::BOARD {
            // Farther out, cells at the other border count as well.
            if !(RADIUS - 1..=BOARD_SIZE - RADIUS).contains(&middle.x()) {
                continue;
            }
            let is_near = |cell: &Cell| cell.x().abs_diff(middle.x()) + cell.y().abs_diff(middle.y()) <= RADIUS;
            let expected = set.into_iter().filter(is_near).count();
            assert_eq!(Diamond::of(&set, middle).len(), expected, "{middle:?}");
        }
    }
}
