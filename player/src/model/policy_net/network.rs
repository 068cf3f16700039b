//! The policy network: all layers, from the inputs to the scores of placements.

use bytemuck::cast;
use game::{BOARD_SIZE, Cell, Color, Piece, Placement, Shape};

use super::dense::Dense;
use super::inputs::{PLANES, PolicyInputs};
use super::layer::Layer;
use super::map::{CHANNELS, Map, STRIDE, cell_index};
use super::matrix::{BATCH, Matrix};
use super::numbers::{UNIT, WEIGHT_UNIT, activation, biases, to_sum, weights};
use super::output::{BESIDE, BitTable, CORNER, COVERED, PolicyOutput, ROOT};
use crate::model::weights_file::{WeightsError, WeightsFile};

/// Inputs without cells: the remaining pieces, and the turn.
pub(super) const GLOBALS: usize = Color::ALL.len() * Piece::COUNT + 1;

/// Turns of one unit.
const TURN_UNIT: i32 = 64;

/// Number of maps of the last layer.
pub(super) const MAPS: usize = COVERED + BESIDE + CORNER + ROOT;

pub(super) const HIDDEN: usize = 32;

/// Points of one unit of the margin.
const MARGIN_UNIT: f32 = 20.0;

/// A residual network of convolutions of three by three cells; every second one also gets the mean over the board. The
/// file determines their number.
///
/// Placements are scored by sums over their cells, sides and corners, weighted by piece, and by the root of their
/// shape; the value by means over the board. `python -m blokus.train` trains the network on the visits of searches and
/// the results of games.
#[derive(Clone, PartialEq, Debug)]
pub struct PolicyNet {
    first: Layer,
    /// Weights from the globals to the first layer.
    globals: Vec<[i32; CHANNELS]>,
    residuals: Vec<Residual>,
    maps: Matrix,
    map_biases: [i32; MAPS],
    /// Weights of a placement's sums, by piece.
    gates: Vec<[f32; COVERED + BESIDE + CORNER]>,
    /// Weights of a placement's root, by shape.
    shapes: Vec<[f32; ROOT]>,
    pieces: Dense<CHANNELS, { Piece::COUNT }>,
    /// Weight of the prior.
    trust: f32,
    hidden: Dense<CHANNELS, HIDDEN>,
    value: Dense<HIDDEN, 2>,
}

impl PolicyNet {
    /// Kind of its weights files.
    pub const KIND: &'static str = "convolution";

    /// Reads the network from a weights file.
    ///
    /// # Errors
    /// [`WeightsError`] if the file does not contain exactly the weights of this network.
    pub fn from_file(mut file: WeightsFile) -> Result<Self, WeightsError> {
        let of = &mut file;
        let rows = |numbers: Vec<i32>| numbers.as_chunks::<CHANNELS>().0.to_vec();
        let network = Self {
            first: Layer::take(of, "first", PLANES)?,
            globals: rows(biases(of, "globals", &[GLOBALS, CHANNELS])?),
            residuals: (0..depth(of)).map(|n| Residual::take(of, n)).collect::<Result<_, _>>()?,
            maps: {
                let weights = weights(of, "maps.weights", &[1, CHANNELS, MAPS])?;
                // The matrix has more outputs than there are maps.
                let weight = |input: usize, output: usize| weights[input * MAPS + output] as i16;
                Matrix::new(CHANNELS, |input, output| if output < MAPS { weight(input, output) } else { 0 })
            },
            map_biases: biases(of, "maps.biases", &[MAPS])?.try_into().expect("as many as maps"),
            gates: of.take("gates", &[Piece::COUNT, COVERED + BESIDE + CORNER])?.as_chunks().0.to_vec(),
            shapes: of.take("shapes", &[Shape::COUNT, ROOT])?.as_chunks().0.to_vec(),
            pieces: Dense::take(of, "pieces")?,
            trust: of.take("trust", &[1])?[0],
            hidden: Dense::take(of, "hidden")?,
            value: Dense::take(of, "value")?,
        };
        file.finish()?;
        Ok(network)
    }

    /// Evaluates a position.
    pub fn evaluate(&self, inputs: &PolicyInputs) -> PolicyOutput {
        let mut cells = [[0; CHANNELS]; STRIDE * STRIDE];
        self.first.run(&planes(inputs), &self.first_biases(inputs), |at, sums| {
            cells[at] = sums.map(activation);
        });
        let mut changed = cells;
        for Residual { layer, pool } in &self.residuals {
            let mut biases = layer.biases;
            if let Some(pool) = pool {
                add_products(&mut biases, &mean(&cells), pool);
            }
            layer.run(&cells, &biases, |at, sums| {
                for ((changed, sum), &before) in changed[at].iter_mut().zip(sums).zip(&cells[at]) {
                    *changed = activation(sum + to_sum(before));
                }
            });
            std::mem::swap(&mut cells, &mut changed);
        }
        self.heads(&cells)
    }

    /// Returns the logarithm of a placement's probability, up to a constant. `prior` is the score of the
    /// [prior](crate::model::prior).
    #[inline]
    pub fn score(&self, output: &PolicyOutput, placement: Placement, prior: f32) -> f32 {
        let piece = placement.piece() as usize;
        let covered = output.covered.sums(placement.cell_bits());
        let beside = output.beside.sums(placement.side_bits());
        let corner = output.corner.sums(placement.corner_bits());
        let sums = covered.iter().chain(&beside).chain(&corner);
        let gated = dot(sums, &self.gates[piece]);
        let rooted = dot(&output.root.at(placement.root().bit()), &self.shapes[placement.shape().index()]);
        self.trust * prior + output.pieces[piece] + gated + rooted
    }

    /// Adds the globals to the biases of the first layer.
    fn first_biases(&self, inputs: &PolicyInputs) -> [i32; CHANNELS] {
        let mut sums = self.first.biases;
        let (pieces, turn) = self.globals.split_at(GLOBALS - 1);
        for (remaining, weights) in inputs.remaining.into_iter().zip(pieces.chunks_exact(Piece::COUNT)) {
            for piece in remaining.iter() {
                sums.iter_mut().zip(&weights[piece as usize]).for_each(|(sum, weight)| *sum += weight);
            }
        }
        sums.iter_mut().zip(&turn[0]).for_each(|(sum, weight)| *sum += weight * i32::from(inputs.turn) / TURN_UNIT);
        sums
    }

    fn heads(&self, cells: &Map) -> PolicyOutput {
        let (mut covered, mut beside) = (BitTable::new(), BitTable::new());
        let (mut corner, mut root) = (BitTable::new(), BitTable::new());
        for y in 0..BOARD_SIZE {
            for (n, numbers) in cells[cell_index(0, y)..][..BOARD_SIZE].as_chunks::<BATCH>().0.iter().enumerate() {
                for (x, sums) in (n * BATCH..).zip(self.maps.multiply(numbers)) {
                    let cell = Cell::new(x as i32, y as i32).expect("a cell of the board");
                    let sums: [i32; CHANNELS] = cast(sums);
                    let map = |n: usize| (sums[n] + self.map_biases[n]) as f32 / (UNIT * WEIGHT_UNIT);
                    covered.set(cell, std::array::from_fn(map));
                    beside.set(cell, std::array::from_fn(|n| map(COVERED + n)));
                    corner.set(cell, std::array::from_fn(|n| map(COVERED + BESIDE + n)));
                    root.set(cell, std::array::from_fn(|n| map(COVERED + BESIDE + CORNER + n)));
                }
            }
        }
        let mean = mean(cells).map(|number| number as f32 / UNIT);
        let hidden = self.hidden.sums(&mean).map(|sum| sum.max(0.0));
        let [log_odds, margin] = self.value.sums(&hidden);
        let pieces = self.pieces.sums(&mean);
        PolicyOutput { covered, beside, corner, root, pieces, log_odds, margin: MARGIN_UNIT * margin }
    }
}

/// A residual layer.
#[derive(Clone, PartialEq, Debug)]
struct Residual {
    layer: Layer,
    /// Weights of the means of the channels over the board.
    pool: Option<[[i32; CHANNELS]; CHANNELS]>,
}

impl Residual {
    /// Takes a layer by its number, from 0: `layerN`, and a `pool` for every second one but the first.
    fn take(file: &mut WeightsFile, n: usize) -> Result<Self, WeightsError> {
        let layer = Layer::take(file, &format!("layer{n}"), CHANNELS)?;
        let pool =
            pool_before(n).map(|pool| weights(file, &format!("pool{pool}"), &[CHANNELS, CHANNELS])).transpose()?;
        let rows = |numbers: Vec<i32>| numbers.as_chunks().0.try_into().expect("a row for each channel");
        Ok(Self { layer, pool: pool.map(rows) })
    }
}

/// Returns the number of residual layers of a file; each has two arrays.
pub(super) fn depth(file: &WeightsFile) -> usize {
    file.arrays.iter().filter(|array| array.name().starts_with("layer")).count().div_ceil(2)
}

/// Returns the number of a residual layer's pool, if it has one.
pub(super) fn pool_before(layer: usize) -> Option<usize> {
    (layer > 0 && layer.is_multiple_of(2)).then(|| layer / 2 - 1)
}

/// Converts the planes to a map.
fn planes(inputs: &PolicyInputs) -> Map {
    let mut map = [[0; CHANNELS]; STRIDE * STRIDE];
    for (n, &plane) in inputs.planes.iter().enumerate() {
        for cell in plane {
            map[cell_index(cell.x(), cell.y())][n] = UNIT as i16;
        }
    }
    map
}

/// Returns the mean of every channel over the board.
fn mean(cells: &Map) -> [i32; CHANNELS] {
    const CELLS: i32 = (BOARD_SIZE * BOARD_SIZE) as i32;
    let mut sums = [0; CHANNELS];
    for y in 0..BOARD_SIZE {
        for cell in &cells[cell_index(0, y)..][..BOARD_SIZE] {
            sums.iter_mut().zip(cell).for_each(|(sum, &number)| *sum += i32::from(number));
        }
    }
    sums.map(|sum| (sum + CELLS / 2) / CELLS)
}

/// Adds the products of numbers and weights to the sums.
fn add_products(sums: &mut [i32], numbers: &[i32; CHANNELS], weights: &[[i32; CHANNELS]; CHANNELS]) {
    for (number, weights) in numbers.iter().zip(weights) {
        sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += number * weight);
    }
}

/// Adds products in their order.
#[inline(always)]
fn dot<'a>(numbers: impl IntoIterator<Item = &'a f32>, weights: &[f32]) -> f32 {
    numbers.into_iter().zip(weights).map(|(number, weight)| number * weight).sum()
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::naive::evaluate_naively;
    use super::*;
    use crate::model::{Array, BUILT_IN};
    use game::Position;

    fn positions() -> Vec<Position> {
        crate::bench::positions()
    }

    pub fn inputs(position: &Position) -> PolicyInputs {
        PolicyInputs::of(position.board(), position.in_play(), position.color(), position.turn())
    }

    /// Returns the built-in network with another number of layers, which repeat the known ones.
    fn file(layers: usize) -> WeightsFile {
        let built_in = WeightsFile::from_bytes(BUILT_IN[2]).expect("weights");
        let numbered = |prefix: &str, n: usize, suffix: &str, known: usize| {
            let source = format!("{prefix}{}{suffix}", n % known);
            let array = built_in.arrays.iter().find(|array| array.name() == source).expect("an array");
            Array::new(format!("{prefix}{n}{suffix}"), array.shape(), array.numbers().to_vec())
        };
        let is_other = |array: &&Array| !array.name().starts_with("layer") && !array.name().starts_with("pool");
        let mut arrays: Vec<Array> = built_in.arrays.iter().filter(is_other).cloned().collect();
        for n in 0..layers {
            arrays.extend([".weights", ".biases"].map(|suffix| numbered("layer", n, suffix, 5)));
            arrays.extend(pool_before(n).map(|pool| numbered("pool", pool, "", 2)));
        }
        WeightsFile { arrays, ..built_in.clone() }
    }

    #[test]
    fn files_contain_exactly_the_weights() {
        let file = || file(5);
        assert!(PolicyNet::from_file(file()).is_ok());
        for name in file().arrays.iter().map(Array::name) {
            let mut without = file();
            without.arrays.retain(|array| array.name() != name);
            assert_eq!(PolicyNet::from_file(without), Err(WeightsError::MissingArray(name.to_owned())));
        }
        let mut large = file();
        large.arrays.push(Array::new("more", &[1], vec![0.0]));
        assert_eq!(PolicyNet::from_file(large), Err(WeightsError::UnknownArray("more".to_owned())));
        let mut large = file();
        large.take("first.biases", &[CHANNELS]).expect("an array");
        large.arrays.push(Array::new("first.biases", &[CHANNELS], vec![-40.0; CHANNELS]));
        let error = PolicyNet::from_file(large).unwrap_err().to_string();
        assert_eq!(error, "the array `first.biases` has a number beyond 31 and -31");
    }

    #[test]
    fn outputs_match_the_naive_network() {
        let positions = positions();
        for (layers, positions) in [(5, &positions[..]), (0, &positions[..1]), (8, &positions[6..7])] {
            check_against_naive_network(&file(layers), positions);
        }
    }

    fn check_against_naive_network(file: &WeightsFile, positions: &[Position]) {
        let network = PolicyNet::from_file(file.clone()).expect("a network");
        for position in positions {
            let output = network.evaluate(&inputs(position));
            let (scores, [log_odds, margin]) = evaluate_naively(file, position);
            let is_near = |found: f32, expected: f32| (found - expected).abs() < 1e-4 * (1.0 + expected.abs());
            assert!(is_near(output.log_odds, log_odds) && is_near(output.margin, MARGIN_UNIT * margin));
            let placements = position.board().placements(position.color());
            for (placement, expected) in placements.into_iter().zip(scores) {
                let found = network.score(&output, placement, 0.0);
                assert!(is_near(found, expected), "{placement:?}: {found} instead of {expected}");
            }
        }
    }
}
