//! What there is at the cells of the board.

use game::BOARD_SIZE;

/// How many numbers there are for each cell.
pub const CHANNELS: usize = 32;

/// The numbers of a cell.
pub type Numbers = [i16; CHANNELS];

/// Cells of a row of a [`Map`], one more than the board has at either side.
pub const STRIDE: usize = BOARD_SIZE + 2;

/// The numbers of every cell of the board and of a frame of zeros around it, row by row.
pub type Map = [Numbers; STRIDE * STRIDE];

/// Where a cell stands in a [`Map`].
pub const fn place(x: usize, y: usize) -> usize {
    (y + 1) * STRIDE + x + 1
}
