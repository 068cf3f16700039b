//! One layer: sums over a cell and its neighbours.

use bytemuck::cast;
use game::BOARD_SIZE;
use wide::{i16x16, i32x8};

use super::map::{CHANNELS, Map, Numbers, STRIDE, place};
use super::matrix::{BATCH, Matrix, Sums, VECTORS};
use super::numbers;
use super::winograd::{self, SEEN, TILE};
use crate::model::weights_file::{WeightsError, WeightsFile};

/// Tiles of a row.
const TILES: usize = BOARD_SIZE / TILE;

const _: () = assert!(BOARD_SIZE.is_multiple_of(TILE) && TILES.is_multiple_of(BATCH));

/// For each product, by row and column, what there is of it for the tiles of a row: with the tiles side by side, each
/// weight serves all of them.
type ByProduct<T> = [[[T; TILES]; SEEN]; SEEN];

/// A convolution: from the numbers of each cell and its eight neighbours to [`CHANNELS`] sums.
#[derive(Clone, PartialEq, Debug)]
pub struct Layer {
    /// What the numbers of a tile are multiplied by, see [`winograd`].
    weights: [[Matrix; SEEN]; SEEN],
    /// The sums of nothing.
    pub biases: [i32; CHANNELS],
}

impl Layer {
    /// The layer that has the arrays `NAME.weights`, by neighbour, input and output, and `NAME.biases` in a file. It
    /// sees only the first `inputs` numbers of each cell.
    ///
    /// # Errors
    /// [`WeightsError`] if there are no such arrays, or a weight is too large.
    pub fn take(file: &mut WeightsFile, name: &str, inputs: usize) -> Result<Self, WeightsError> {
        let weights = numbers::weights(file, &format!("{name}.weights"), &[9, inputs, CHANNELS])?;
        let biases = numbers::biases(file, &format!("{name}.biases"), &[CHANNELS])?;
        let of_pairs: Vec<_> = (0..inputs * CHANNELS)
            .map(|pair| winograd::weights(|row, column| weights[(3 * row + column) * inputs * CHANNELS + pair]))
            .collect();
        let matrix = |row: usize, column: usize| {
            let weight = |input: usize, output: usize| of_pairs[input * CHANNELS + output][row][column];
            Matrix::new(inputs, |input, output| weight(input, output).try_into().expect("checked"))
        };
        Ok(Self {
            weights: std::array::from_fn(|row| std::array::from_fn(|column| matrix(row, column))),
            biases: biases.try_into().expect("as many as outputs"),
        })
    }

    /// The sums for every cell of the board, which `take` gets with the place of the cell in the map.
    #[inline(always)]
    pub fn run(&self, input: &Map, biases: &[i32; CHANNELS], mut take: impl FnMut(usize, [i32; CHANNELS])) {
        let biases: Sums = cast(*biases);
        let mut seen = [[[[0; CHANNELS]; TILES]; SEEN]; SEEN];
        let mut products = [[[[i32x8::ZERO; VECTORS]; TILES]; SEEN]; SEEN];
        for y in (0..BOARD_SIZE).step_by(TILE) {
            see(&input[y * STRIDE..], &mut seen);
            self.multiply(&seen, &mut products);
            for tile in 0..TILES {
                let sums = sums_of(tile, &products, &biases);
                for (row, sums) in sums.into_iter().enumerate() {
                    for (column, sums) in sums.into_iter().enumerate() {
                        take(place(TILE * tile + column, y + row), cast(sums));
                    }
                }
            }
        }
    }

    fn multiply(&self, seen: &ByProduct<Numbers>, products: &mut ByProduct<Sums>) {
        let matrices = self.weights.as_flattened();
        for ((matrix, seen), products) in matrices.iter().zip(seen.as_flattened()).zip(products.as_flattened_mut()) {
            for (seen, products) in seen.as_chunks().0.iter().zip(products.as_chunks_mut().0) {
                *products = matrix.multiply(seen);
            }
        }
    }
}

/// What is multiplied for the tiles of a row, of which `rows` is what is seen.
fn see(rows: &[Numbers], seen: &mut ByProduct<Numbers>) {
    const LANES: usize = 16;
    for tile in 0..TILES {
        for lane in (0..CHANNELS).step_by(LANES) {
            let number = |row: usize, column: usize| {
                let cell = &rows[row * STRIDE + TILE * tile + column];
                i16x16::new(cell[lane..][..LANES].try_into().expect("as many"))
            };
            let numbers = winograd::numbers(number);
            for (seen, numbers) in seen.as_flattened_mut().iter_mut().zip(numbers.as_flattened()) {
                seen[tile][lane..][..LANES].copy_from_slice(&numbers.to_array());
            }
        }
    }
}

/// The sums for the cells of a tile, by row and column.
#[inline(always)]
fn sums_of(tile: usize, products: &ByProduct<Sums>, biases: &Sums) -> [[Sums; TILE]; TILE] {
    let mut sums = [[[i32x8::ZERO; VECTORS]; TILE]; TILE];
    for n in 0..VECTORS {
        let of_tile = winograd::sums(|row, column| products[row][column][tile][n]);
        for (sums, sum) in sums.as_flattened_mut().iter_mut().zip(of_tile.into_iter().flatten()) {
            sums[n] = sum + biases[n];
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::super::numbers::{CEILING, LARGEST_SUM, LARGEST_WEIGHT, UNIT, WEIGHT_UNIT};
    use super::*;
    use crate::model::{Array, Origin};
    use proptest::prelude::*;

    /// A layer of these weights, in parts of one, and of biases that tell its outputs apart; and its sums for a map,
    /// added up one by one.
    fn both_sums(weights: &[i16], map: &Map) -> [Vec<[i32; CHANNELS]>; 2] {
        let inputs = weights.len() / 9 / CHANNELS;
        let bias = |output: usize| output as i32 - 16;
        let array = |name: &str, shape: &[usize], numbers| Array::new(name, shape, numbers);
        let arrays = vec![
            array(
                "it.weights",
                &[9, inputs, CHANNELS],
                weights.iter().map(|&it| f32::from(it) / WEIGHT_UNIT).collect(),
            ),
            array("it.biases", &[CHANNELS], (0..CHANNELS).map(|it| bias(it) as f32 / (UNIT * WEIGHT_UNIT)).collect()),
        ];
        let mut file = WeightsFile { kind: "test".to_owned(), origin: Origin::default(), arrays };
        let layer = Layer::take(&mut file, "it", inputs).expect("small weights");
        let mut fast = vec![[0; CHANNELS]; map.len()];
        layer.run(map, &layer.biases, |at, sums| fast[at] = sums);

        let mut slow = vec![[0; CHANNELS]; map.len()];
        for at in (0..BOARD_SIZE).flat_map(|y| (0..BOARD_SIZE).map(move |x| place(x, y))) {
            let mut sums: [i64; CHANNELS] = std::array::from_fn(|output| bias(output).into());
            for (neighbour, weights) in weights.chunks_exact(inputs * CHANNELS).enumerate() {
                let seen = &map[at + neighbour / 3 * STRIDE + neighbour % 3 - STRIDE - 1];
                for (&number, weights) in seen.iter().zip(weights.as_chunks::<CHANNELS>().0) {
                    sums.iter_mut().zip(weights).for_each(|(sum, &it)| *sum += i64::from(number) * i64::from(it));
                }
            }
            slow[at] = sums.map(|sum| sum.try_into().expect("no overflow"));
        }
        [fast, slow]
    }

    /// A map of this number at each cell and channel.
    fn map(mut number: impl FnMut(usize, usize, usize) -> i16) -> Map {
        let mut map = [[0; CHANNELS]; STRIDE * STRIDE];
        for (x, y) in (0..BOARD_SIZE).flat_map(|y| (0..BOARD_SIZE).map(move |x| (x, y))) {
            map[place(x, y)] = std::array::from_fn(|channel| number(x, y, channel));
        }
        map
    }

    #[test]
    fn the_largest_weights_and_numbers_do_not_overflow() {
        const LARGEST: i16 = (LARGEST_WEIGHT as f32 * WEIGHT_UNIT) as i16;
        /// As many of the largest weights as an output may have.
        const MOST: usize = (LARGEST_SUM / LARGEST_WEIGHT) as usize;
        // Each output has another pattern of signs, in the first inputs and in each of the nine neighbours.
        let mut weights = vec![0; 9 * CHANNELS * CHANNELS];
        for n in 0..MOST {
            let (input, neighbour) = (n / 9, n % 9);
            for output in 0..CHANNELS {
                let is_negative = match output {
                    0 => false,
                    1 => true,
                    2 => neighbour % 2 == 0,
                    3 => neighbour / 3 == 1,
                    4 => neighbour % 3 == 1,
                    _ => (n * 7 + output * 5) % 11 < output / 3,
                };
                weights[(neighbour * CHANNELS + input) * CHANNELS + output] =
                    if is_negative { -LARGEST } else { LARGEST };
            }
        }
        let ceiling_if = |is_there: bool| if is_there { CEILING as i16 } else { 0 };
        for map in [
            map(|_, _, _| CEILING as i16),
            map(|x, y, _| ceiling_if((x + y) % 2 == 0)),
            map(|x, _, _| ceiling_if(x % 4 < 2)),
            map(|_, y, _| ceiling_if(y % 4 >= 2)),
            map(|x, y, _| ceiling_if(x % 4 < 2 && y % 4 < 2)),
            map(|x, y, channel| ceiling_if((x * x + 3 * y + channel) % 5 < 3)),
        ] {
            let [fast, slow] = both_sums(&weights, &map);
            assert_eq!(fast, slow);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20))]

        #[test]
        fn sums_are_those_of_a_slow_layer(
            inputs in 1..=CHANNELS / 2,
            seed in proptest::collection::vec(any::<u16>(), 997),
        ) {
            let inputs = 2 * inputs;
            let mut numbers = seed.iter().cycle().map(|&it| i32::from(it));
            let mut number = |below: i32| (numbers.next().expect("a cycle") % below) as i16;
            let weights: Vec<i16> = (0..9 * inputs * CHANNELS).map(|_| number(901) - 450).collect();
            let map = map(|_, _, _| number(CEILING + 1));
            let [fast, slow] = both_sums(&weights, &map);
            prop_assert_eq!(fast, slow);
        }
    }
}
