//! Keys for hashing positions.
//!
//! A position's hash is the exclusive or of one key per fact about it (A. L. Zobrist, A new hashing
//! method with application for game playing, 1970), so that a move changes it by the keys of what
//! the move changes.

use crate::bitboard::Cell;
use crate::color::{Color, ColorSet};

const CELLS: usize = 512;

static CELL_KEYS: [[u64; CELLS]; 4] = {
    let mut keys = [[0; CELLS]; 4];
    let mut i = 0;
    while i < 4 * CELLS {
        keys[i / CELLS][i % CELLS] = splitmix64(i as u64);
        i += 1;
    }
    keys
};

/// Key of a cell covered by a colour.
#[inline]
pub(crate) fn cell(color: Color, cell: Cell) -> u64 {
    CELL_KEYS[color as usize][cell.bit() % CELLS]
}

/// Key of a turn number.
#[inline]
pub(crate) fn turn(turn: u16) -> u64 {
    splitmix64(1 << 32 | turn as u64)
}

/// Key of the colours in play and of those that placed the monomino last.
#[inline]
pub(crate) fn colors(in_play: ColorSet, mono_last: ColorSet) -> u64 {
    splitmix64(1 << 33 | (in_play.bits() as u64) << 4 | mono_last.bits() as u64)
}

/// The n-th number of a SplitMix64 generator (Steele, Lea, Flood, Fast splittable pseudorandom
/// number generators, 2014).
const fn splitmix64(n: u64) -> u64 {
    let mut z = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
