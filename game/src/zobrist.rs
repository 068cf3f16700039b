//! Keys for hashing positions.
//!
//! A position's hash is the exclusive or of one key per fact about it (A. L. Zobrist, A new hashing method with
//! application for game playing, 1970), so that a move changes it by the keys of the facts that the move changes.

use crate::bitboard::Bitboard;
use crate::cell::Cell;
use crate::color::Color;
use crate::progress::Progress;

static CELL_KEYS: [[u64; Bitboard::BITS]; Color::COUNT] = {
    let mut keys = [[0; Bitboard::BITS]; Color::COUNT];
    let mut i = 0;
    while i < Color::COUNT * Bitboard::BITS {
        keys[i / Bitboard::BITS][i % Bitboard::BITS] = splitmix64(i as u64);
        i += 1;
    }
    keys
};

/// Returns the key of a cell covered by a colour.
#[inline]
pub(crate) fn cell(color: Color, cell: Cell) -> u64 {
    CELL_KEYS[color as usize][cell.bit() % Bitboard::BITS]
}

/// Returns the key of the turn number, the colours in play and those that placed the monomino last.
#[inline]
pub(crate) fn progress(progress: &Progress) -> u64 {
    let Progress { turn, in_play, mono_last, .. } = progress;
    let colors = u64::from(in_play.bits()) << 4 | u64::from(mono_last.bits());
    splitmix64(1 << 32 | u64::from(*turn)) ^ splitmix64(1 << 33 | colors)
}

/// Returns the n-th number of a SplitMix64 generator (Steele, Lea, Flood, Fast splittable pseudorandom
/// number generators, 2014).
const fn splitmix64(n: u64) -> u64 {
    let mut z = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
