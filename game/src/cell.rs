//! Cells of the board.

use std::fmt;

/// Cells per row and per column.
///
/// ```
/// assert_eq!(game::Bitboard::BOARD.len(), game::BOARD_SIZE * game::BOARD_SIZE);
/// ```
pub const BOARD_SIZE: usize = 20;

/// Bits from one row to the next: a row and one guard column, so that a shift to the left or right never carries a cell
/// into another row.
pub(crate) const STRIDE: usize = BOARD_SIZE + 1;

/// Bit of the upper left cell. The bits before it are a guard row, so that the cells around any cell of the board have
/// bits, too.
pub(crate) const FIRST_BIT: usize = STRIDE + 1;

const _: () = assert!(FIRST_BIT == 22 && STRIDE == 21, "as the documentation of cells says");

/// A cell of the board, x to the right, y down, (0, 0) the upper left.
///
/// Stored as its bit in a [`Bitboard`](crate::Bitboard): `22 + x + 21 * y`.
///
/// ```
/// use game::Cell;
///
/// let cell = Cell::new(19, 0).expect("the upper right corner");
/// assert_eq!((cell.x(), cell.y(), cell.to_string()), (19, 0, "19,0".to_owned()));
/// assert_eq!(Cell::new(20, 0), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u16);

impl Cell {
    /// Returns the cell at (x, y), or `None` outside the board.
    pub const fn new(x: i32, y: i32) -> Option<Self> {
        let size = BOARD_SIZE as i32;
        if 0 <= x && x < size && 0 <= y && y < size {
            Some(Self((FIRST_BIT as i32 + x + STRIDE as i32 * y) as u16))
        } else {
            None
        }
    }

    /// Returns the cell of a bit that is known to lie on the board.
    pub(crate) const fn from_bit(bit: usize) -> Self {
        Self(bit as u16)
    }

    /// Returns the column, 0 to 19 from the left.
    ///
    /// # Panics
    /// With debug assertions, for a guard bit of a shifted set.
    pub const fn x(self) -> usize {
        debug_assert!(self.is_on_board(), "a guard bit is no cell");
        (self.0 as usize - FIRST_BIT) % STRIDE
    }

    /// Returns the row, 0 to 19 from the top.
    ///
    /// # Panics
    /// As [`x`](Self::x) does.
    pub const fn y(self) -> usize {
        debug_assert!(self.is_on_board(), "a guard bit is no cell");
        (self.0 as usize - FIRST_BIT) / STRIDE
    }

    /// Returns `true` if the bit belongs to a cell and not to the guard.
    const fn is_on_board(self) -> bool {
        let bit = self.0 as usize;
        bit >= FIRST_BIT && (bit - FIRST_BIT) % STRIDE < BOARD_SIZE && (bit - FIRST_BIT) / STRIDE < BOARD_SIZE
    }

    /// Returns the cell's bit in a [`Bitboard`](crate::Bitboard), 22 to 440.
    #[inline(always)]
    pub const fn bit(self) -> usize {
        self.0 as usize
    }
}

/// Column and row, as in placements: `19,0`.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x(), self.y())
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x(), self.y())
    }
}
