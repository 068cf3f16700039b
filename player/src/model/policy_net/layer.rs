//! A convolutional layer.

use bytemuck::cast;
use game::BOARD_SIZE;
use wide::{i16x16, i32x8};

use super::map::{CHANNELS, Map, Numbers, STRIDE, cell_index};
use super::matrix::{BATCH, Matrix, Sums, VECTORS};
use super::numbers;
use super::winograd::{self, INPUT_TILE, TILE};
use crate::model::weights_file::{WeightsError, WeightsFile};

/// Number of tiles of a row.
const TILES: usize = BOARD_SIZE / TILE;

const _: () = assert!(BOARD_SIZE.is_multiple_of(TILE) && TILES.is_multiple_of(BATCH));

/// The values of each product, by row and column, for the tiles of a row. With the tiles next to each other, each
/// weight serves all of them.
type ByProduct<T> = [[[T; TILES]; INPUT_TILE]; INPUT_TILE];

/// A convolution of three by three cells with [`CHANNELS`] outputs.
#[derive(Clone, PartialEq, Debug)]
pub struct Layer {
    /// Transformed weights, see [`winograd`].
    weights: [[Matrix; INPUT_TILE]; INPUT_TILE],
    /// Biases.
    pub biases: [i32; CHANNELS],
}

impl Layer {
    /// Takes the arrays `NAME.weights`, by neighbour, input and output, and `NAME.biases` from a file. The layer uses
    /// the first `inputs` channels of each cell.
    ///
    /// # Errors
    /// [`WeightsError`] if one is missing or a weight is too large.
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

    /// Computes the sums of every cell and passes them to `take` with the index of the cell in the map.
    #[inline(always)]
    pub fn run(&self, input: &Map, biases: &[i32; CHANNELS], mut take: impl FnMut(usize, [i32; CHANNELS])) {
        let biases: Sums = cast(*biases);
        let mut tiles = [[[[0; CHANNELS]; TILES]; INPUT_TILE]; INPUT_TILE];
        let mut products = [[[[i32x8::ZERO; VECTORS]; TILES]; INPUT_TILE]; INPUT_TILE];
        for y in (0..BOARD_SIZE).step_by(TILE) {
            transform(&input[y * STRIDE..], &mut tiles);
            self.multiply(&tiles, &mut products);
            for tile in 0..TILES {
                let sums = sums_of(tile, &products, &biases);
                for (row, sums) in sums.into_iter().enumerate() {
                    for (column, sums) in sums.into_iter().enumerate() {
                        take(cell_index(TILE * tile + column, y + row), cast(sums));
                    }
                }
            }
        }
    }

    fn multiply(&self, tiles: &ByProduct<Numbers>, products: &mut ByProduct<Sums>) {
        let matrices = self.weights.as_flattened();
        for ((matrix, tiles), products) in matrices.iter().zip(tiles.as_flattened()).zip(products.as_flattened_mut()) {
            for (tiles, products) in tiles.as_chunks().0.iter().zip(products.as_chunks_mut().0) {
                *products = matrix.multiply(tiles);
            }
        }
    }
}

/// Transforms the numbers of the tiles of a row.
fn transform(rows: &[Numbers], tiles: &mut ByProduct<Numbers>) {
    const LANES: usize = 16;
    for tile in 0..TILES {
        for lane in (0..CHANNELS).step_by(LANES) {
            let number = |row: usize, column: usize| {
                let cell = &rows[row * STRIDE + TILE * tile + column];
                i16x16::new(cell[lane..][..LANES].try_into().expect("as many"))
            };
            let numbers = winograd::numbers(number);
            for (tiles, numbers) in tiles.as_flattened_mut().iter_mut().zip(numbers.as_flattened()) {
                tiles[tile][lane..][..LANES].copy_from_slice(&numbers.to_array());
            }
        }
    }
}

/// Computes the sums of the cells of a tile, by row and column.
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
    use super::super::numbers::{CEILING, MAX_WEIGHT, MAX_WEIGHT_SUM, UNIT, WEIGHT_UNIT};
    use super::*;
    use crate::model::{Array, Origin};
    use proptest::prelude::*;

    /// Creates a layer with these weights and distinct biases, and returns its sums for a map and naive sums.
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
        for at in (0..BOARD_SIZE).flat_map(|y| (0..BOARD_SIZE).map(move |x| cell_index(x, y))) {
            let mut sums: [i64; CHANNELS] = std::array::from_fn(|output| bias(output).into());
            for (neighbour, weights) in weights.chunks_exact(inputs * CHANNELS).enumerate() {
                let cell = &map[at + neighbour / 3 * STRIDE + neighbour % 3 - STRIDE - 1];
                for (&number, weights) in cell.iter().zip(weights.as_chunks::<CHANNELS>().0) {
                    sums.iter_mut().zip(weights).for_each(|(sum, &it)| *sum += i64::from(number) * i64::from(it));
                }
            }
            slow[at] = sums.map(|sum| sum.try_into().expect("no overflow"));
        }
        [fast, slow]
    }

    /// Creates a map from a number for each cell and channel.
    fn map(mut number: impl FnMut(usize, usize, usize) -> i16) -> Map {
        let mut map = [[0; CHANNELS]; STRIDE * STRIDE];
        for (x, y) in (0..BOARD_SIZE).flat_map(|y| (0..BOARD_SIZE).map(move |x| (x, y))) {
            map[cell_index(x, y)] = std::array::from_fn(|channel| number(x, y, channel));
        }
        map
    }

    #[test]
    fn largest_weights_and_numbers_do_not_overflow() {
        const MAX: i16 = (MAX_WEIGHT as f32 * WEIGHT_UNIT) as i16;
        /// Maximum number of largest weights of an output.
        const MAX_COUNT: usize = (MAX_WEIGHT_SUM / MAX_WEIGHT) as usize;
        // Each output has another pattern of signs.
        let mut weights = vec![0; 9 * CHANNELS * CHANNELS];
        for n in 0..MAX_COUNT {
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
                weights[(neighbour * CHANNELS + input) * CHANNELS + output] = if is_negative { -MAX } else { MAX };
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
        fn sums_match_a_naive_layer(
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
