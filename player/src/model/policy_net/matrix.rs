//! Matrix multiplication, where the policy network spends its time.

use bytemuck::cast;
use wide::{i16x16, i32x8};

use super::map::{CHANNELS, Numbers};

/// Sums per vector.
pub const LANES: usize = 8;

/// Vectors per cell.
pub const VECTORS: usize = CHANNELS / LANES;

/// Sums of a cell, one for each output.
pub type Sums = [i32x8; VECTORS];

/// Number of cells that share each loaded weight. Half of their sums, ten vectors, fit into the registers of AVX2.
pub const BATCH: usize = 5;

/// Weights of up to [`CHANNELS`] inputs and outputs.
#[derive(Clone, PartialEq, Debug)]
pub struct Matrix {
    /// Weights by half of the outputs and pair of inputs. The weights of both inputs of a pair are neighbours.
    halves: [Vec<[i16x16; VECTORS / 2]>; 2],
}

impl Matrix {
    /// Creates a matrix from a weight for each input and output. The number of inputs is even.
    pub fn new(inputs: usize, weight: impl Fn(usize, usize) -> i16) -> Self {
        assert!(inputs.is_multiple_of(2) && inputs <= CHANNELS, "{inputs} inputs");
        let vector = |pair: usize, n: usize| {
            i16x16::new(std::array::from_fn(|lane| weight(2 * pair + lane % 2, n * LANES + lane / 2)))
        };
        let half =
            |first: usize| (0..inputs / 2).map(|pair| std::array::from_fn(|n| vector(pair, first + n))).collect();
        Self { halves: [half(0), half(VECTORS / 2)] }
    }

    /// Computes the sums of products for each output of some cells. The sums wrap on overflow; a later sum or
    /// difference is correct if it fits.
    #[inline(always)]
    pub fn multiply(&self, cells: &[Numbers; BATCH]) -> [Sums; BATCH] {
        let mut sums = [[i32x8::ZERO; VECTORS]; BATCH];
        for (n, weights) in self.halves.iter().enumerate() {
            let mut half = [[i32x8::ZERO; VECTORS / 2]; BATCH];
            for (pair, weights) in weights[..weights.len().min(CHANNELS / 2)].iter().enumerate() {
                for (sums, cell) in half.iter_mut().zip(cells) {
                    let both: i32 = cast([cell[2 * pair], cell[2 * pair + 1]]);
                    let both: i16x16 = cast(i32x8::splat(both));
                    for (sum, weights) in sums.iter_mut().zip(weights) {
                        *sum += both.dot(*weights);
                    }
                }
            }
            for (sums, half) in sums.iter_mut().zip(half) {
                sums.as_chunks_mut().0[n] = half;
            }
        }
        sums
    }
}
