//! Numbers of the cells of the board.

use game::BOARD_SIZE;

/// Number of channels of a cell.
pub const CHANNELS: usize = 32;

/// Channels of a cell.
pub type Numbers = [i16; CHANNELS];

/// Cells of a row of a [`Map`]: the board and one cell on either side.
pub const STRIDE: usize = BOARD_SIZE + 2;

/// Numbers of every cell of the board and of a frame of zeros around it, row by row.
pub type Map = [Numbers; STRIDE * STRIDE];

/// Returns the index of a cell in a [`Map`].
pub const fn cell_index(x: usize, y: usize) -> usize {
    (y + 1) * STRIDE + x + 1
}
