//! Convolutions of three by three cells with fewer products, by Winograd's minimal filtering (A. Lavin, S. Gray, Fast
//! Algorithms for Convolutional Neural Networks, 2015): sixteen per tile of two by two cells instead of thirty-six.
//!
//! Four products of four numbers `d` in a row and three weights `g` give two sums of three products:
//!
//! | product | of numbers | and weights |
//! |---|---|---|
//! | `m0` | `d0 - d2` | `g0` |
//! | `m1` | `d1 + d2` | `(g0 + g1 + g2) / 2` |
//! | `m2` | `d2 - d1` | `(g0 - g1 + g2) / 2` |
//! | `m3` | `d1 - d3` | `g2` |
//!
//! `d0 g0 + d1 g1 + d2 g2` is `m0 + m1 + m2`, and `d1 g0 + d2 g1 + d3 g2` is `m1 - m2 - m3`. The same along the columns
//! gives two such sums in each of two rows. To stay in integers, weights count twice in each direction, so the sums are
//! four times too large, without a remainder.

use std::array::from_fn;

use wide::{i16x16, i32x8};

/// Size of a tile in cells.
pub const TILE: usize = 2;

/// Number of cells that a tile reads in each direction, and of its products.
pub const INPUT_TILE: usize = TILE + 2;

/// Transforms the weights of one input and one output, by row and column.
pub fn weights(weight: impl Fn(usize, usize) -> i32) -> [[i32; INPUT_TILE]; INPUT_TILE] {
    both_ways(weight, |[g0, g1, g2]: [i32; 3]| [2 * g0, g0 + g1 + g2, g0 - g1 + g2, 2 * g2])
}

/// Transforms the numbers of the cells that a tile reads, by row and column. Each result is a sum of four numbers, some
/// negated.
#[inline(always)]
pub fn numbers(seen: impl Fn(usize, usize) -> i16x16) -> [[i16x16; INPUT_TILE]; INPUT_TILE] {
    both_ways(seen, |[d0, d1, d2, d3]: [i16x16; INPUT_TILE]| [d0 - d2, d1 + d2, d2 - d1, d1 - d3])
}

/// Computes the sums of a tile from the products, by row and column.
#[inline(always)]
pub fn sums(product: impl Fn(usize, usize) -> i32x8) -> [[i32x8; TILE]; TILE] {
    let fourfold = both_ways(product, |[m0, m1, m2, m3]: [i32x8; INPUT_TILE]| [m0 + m1 + m2, m1 - m2 - m3]);
    fourfold.map(|row| row.map(|sum| sum >> 2i32))
}

/// Applies `one_way` to the columns, and then to the rows of the result.
#[inline(always)]
fn both_ways<T: Copy, const FROM: usize, const TO: usize>(
    number: impl Fn(usize, usize) -> T,
    one_way: impl Fn([T; FROM]) -> [T; TO],
) -> [[T; TO]; TO] {
    let columns: [[T; TO]; FROM] = from_fn(|column| one_way(from_fn(|row| number(row, column))));
    from_fn(|row| one_way(from_fn(|column| columns[column][row])))
}
