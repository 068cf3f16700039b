//! One layer: sums over a cell and its neighbours, in whole numbers.

use bytemuck::cast;
use game::BOARD_SIZE;
use wide::{i16x16, i32x8};

use crate::model::weights_file::{WeightsError, WeightsFile};

/// Activations have this many parts of one, weights [`WEIGHT_UNIT`], and so sums the product of both. Whole numbers make
/// the same of the same on every machine, in any order; and two products of `i16` are one instruction.
pub const UNIT: f32 = 256.0;

/// How many parts of one a weight has.
pub const WEIGHT_UNIT: f32 = 1024.0;

/// The largest activation. Smaller than what fits, so that sums do not overflow.
pub const CEILING: i32 = (15.9 * UNIT) as i32;

/// How many sums are taken together.
pub const LANES: usize = 8;

/// Cells of a row of a [`Map`], one more than the board has at either side.
pub const STRIDE: usize = BOARD_SIZE + 2;

/// Some numbers for every cell of the board and of a frame of zeros around it, row by row.
pub type Map<const CHANNELS: usize> = [[i16; CHANNELS]; STRIDE * STRIDE];

/// Where a cell stands in a [`Map`].
pub const fn place(x: usize, y: usize) -> usize {
    (y + 1) * STRIDE + x + 1
}

/// A convolution: from `INPUTS` numbers at each cell and, if it has nine taps, its neighbours to `8 * VECTORS` sums. With
/// one tap it sees the cell alone.
#[derive(Clone, PartialEq, Debug)]
pub struct Layer<const INPUTS: usize, const VECTORS: usize> {
    /// For each tap and each pair of inputs the weights of all outputs, those of a pair side by side.
    weights: Vec<[i16x16; VECTORS]>,
    /// The sums of nothing.
    pub biases: [[i32; LANES]; VECTORS],
}

impl<const INPUTS: usize, const VECTORS: usize> Layer<INPUTS, VECTORS> {
    const PAIRS: usize = INPUTS / 2;
    const _EVEN: () = assert!(INPUTS.is_multiple_of(2));

    /// The layer whose `outputs` have the arrays `NAME.weights`, by tap, input and output, and `NAME.biases` in a file. The
    /// outputs that are missing to a vector are 0.
    ///
    /// # Errors
    /// [`WeightsError`] if there are no such arrays, or a weight is too large.
    pub fn take(file: &mut WeightsFile, name: &str, taps: usize, outputs: usize) -> Result<Self, WeightsError> {
        let () = Self::_EVEN;
        let numbers = whole(file, &format!("{name}.weights"), &[taps, INPUTS, outputs], WEIGHT_UNIT)?;
        let weight =
            |row: usize, output: usize| if output < outputs { numbers[row * outputs + output] as i16 } else { 0 };
        let vector = |pair: usize, n: usize| {
            let of_lane = |lane: usize| weight(2 * pair + lane % 2, n * LANES + lane / 2);
            i16x16::new(std::array::from_fn(of_lane))
        };
        let weights = (0..taps * Self::PAIRS).map(|pair| std::array::from_fn(|n| vector(pair, n))).collect();
        let mut biases = [[0; LANES]; VECTORS];
        let numbers = whole(file, &format!("{name}.biases"), &[outputs], UNIT * WEIGHT_UNIT)?;
        biases.as_flattened_mut()[..outputs].copy_from_slice(&numbers);
        Ok(Self { weights, biases })
    }

    /// The sums for every cell of the board, which `take` gets two by two with the place of the first in the map.
    #[inline(always)]
    pub fn run(
        &self,
        input: &Map<INPUTS>,
        biases: &[[i32; LANES]; VECTORS],
        mut take: impl FnMut(usize, [[[i32; LANES]; VECTORS]; 2]),
    ) {
        // The cell itself, or all nine around it.
        let taps: &[usize] = if self.weights.len() == Self::PAIRS { &[STRIDE + 1] } else { &const { neighbours() } };
        let start = biases.map(i32x8::new);
        for y in 0..BOARD_SIZE {
            for x in (0..BOARD_SIZE).step_by(2) {
                let at = place(x, y);
                let mut sums = [start; 2];
                for (&tap, weights) in taps.iter().zip(self.weights.chunks_exact(Self::PAIRS)) {
                    let seen = [&input[at + tap - STRIDE - 1], &input[at + tap - STRIDE]];
                    for (pair, weights) in weights.iter().enumerate() {
                        for (sums, seen) in sums.iter_mut().zip(seen) {
                            let both: i32 = cast([seen[2 * pair], seen[2 * pair + 1]]);
                            let both: i16x16 = cast(i32x8::splat(both));
                            for (sum, weights) in sums.iter_mut().zip(weights) {
                                *sum += both.dot(*weights);
                            }
                        }
                    }
                }
                take(at, sums.map(|sums| sums.map(i32x8::to_array)));
            }
        }
    }
}

/// How far in a map the cells around one are from the first of them.
const fn neighbours() -> [usize; 9] {
    let mut taps = [0; 9];
    let mut n = 0;
    while n < taps.len() {
        taps[n] = n / 3 * STRIDE + n % 3;
        n += 1;
    }
    taps
}

/// The numbers of an array in parts of a unit.
///
/// # Errors
/// [`WeightsError`] if there is no such array, or a number is so large that sums of it could overflow.
pub fn whole(file: &mut WeightsFile, name: &str, shape: &[usize], unit: f32) -> Result<Vec<i32>, WeightsError> {
    const LARGEST: u32 = 31;
    let numbers = file.take(name, shape)?;
    if numbers.iter().any(|number| number.abs() > LARGEST as f32) {
        return Err(WeightsError::TooLarge { name: name.to_owned(), most: LARGEST });
    }
    Ok(numbers.into_iter().map(|number| libm::roundf(number * unit) as i32).collect())
}

/// The activation of a sum: not below 0 and not above the [`CEILING`].
#[inline(always)]
pub fn activation(sum: i32) -> i16 {
    const SHIFT: u32 = (WEIGHT_UNIT as u32).ilog2();
    ((sum + (1 << (SHIFT - 1))) >> SHIFT).clamp(0, CEILING) as i16
}

/// What an activation adds to a sum that it is carried over to.
#[inline(always)]
pub fn carried(activation: i16) -> i32 {
    i32::from(activation) * WEIGHT_UNIT as i32
}
