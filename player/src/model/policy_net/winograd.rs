//! Convolutions of three by three cells with fewer products, by Winograd's minimal filtering (Lavin and Gray, *Fast
//! Algorithms for Convolutional Neural Networks*, 2015): sixteen for a tile of two by two cells instead of thirty-six.
//!
//! Of four numbers `d` in a row and three weights `g` it makes two sums of three products from four products:
//!
//! | product | of numbers | and weights |
//! |---|---|---|
//! | `m0` | `d0 - d2` | `g0` |
//! | `m1` | `d1 + d2` | `(g0 + g1 + g2) / 2` |
//! | `m2` | `d2 - d1` | `(g0 - g1 + g2) / 2` |
//! | `m3` | `d1 - d3` | `g2` |
//!
//! `d0 g0 + d1 g1 + d2 g2` is `m0 + m1 + m2`, and `d1 g0 + d2 g1 + d3 g2` is `m1 - m2 - m3`. The same along the columns
//! makes two such sums in each of two rows. Here all is whole: weights count twice in each direction, and so the sums
//! are four times what they should be, without a remainder.

use std::array::from_fn;

use wide::{i16x16, i32x8};

/// How many cells a tile has in each direction.
pub const TILE: usize = 2;

/// How many cells are seen from a tile in each direction, and how many products are made of them.
pub const SEEN: usize = TILE + 2;

/// What is multiplied by what [`numbers`] makes of the cells seen, from the weights of one input and one output, by row
/// and column.
pub fn weights(weight: impl Fn(usize, usize) -> i32) -> [[i32; SEEN]; SEEN] {
    both_ways(weight, |[g0, g1, g2]: [i32; 3]| [2 * g0, g0 + g1 + g2, g0 - g1 + g2, 2 * g2])
}

/// What is multiplied by what [`weights`] makes of the weights, from the cells seen, by row and column. Each is the sum
/// of four numbers, some of them negative.
#[inline(always)]
pub fn numbers(seen: impl Fn(usize, usize) -> i16x16) -> [[i16x16; SEEN]; SEEN] {
    both_ways(seen, |[d0, d1, d2, d3]: [i16x16; SEEN]| [d0 - d2, d1 + d2, d2 - d1, d1 - d3])
}

/// The sums of a tile from the products, by row and column.
#[inline(always)]
pub fn sums(product: impl Fn(usize, usize) -> i32x8) -> [[i32x8; TILE]; TILE] {
    let fourfold = both_ways(product, |[m0, m1, m2, m3]: [i32x8; SEEN]| [m0 + m1 + m2, m1 - m2 - m3]);
    fourfold.map(|row| row.map(|sum| sum >> 2i32))
}

/// What `one_way` makes of the columns, and then of the rows of that.
#[inline(always)]
fn both_ways<T: Copy, const FROM: usize, const TO: usize>(
    number: impl Fn(usize, usize) -> T,
    one_way: impl Fn([T; FROM]) -> [T; TO],
) -> [[T; TO]; TO] {
    let columns: [[T; TO]; FROM] = from_fn(|column| one_way(from_fn(|row| number(row, column))));
    from_fn(|row| one_way(from_fn(|column| columns[column][row])))
}
