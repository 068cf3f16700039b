//! The policy network: all its layers, from the inputs to the scores of placements.

use bytemuck::cast;
use game::{BOARD_SIZE, Cell, Color, Piece, Placement, Shape};

use super::inputs::{Inputs, PLANES};
use super::layer::Layer;
use super::map::{CHANNELS, Map, STRIDE, place};
use super::matrix::{BATCH, Matrix};
use super::numbers::{UNIT, WEIGHT_UNIT, activation, biases, carried, weights};
use super::output::{BESIDE, BitTable, CORNER, COVERED, PolicyOutput, ROOT};
use crate::model::weights_file::{WeightsError, WeightsFile};

/// What is told of the position besides the planes: the pieces in hand, and the turn.
const GLOBALS: usize = Color::ALL.len() * Piece::COUNT + 1;

/// Turns that count one.
const TURN_UNIT: i32 = 64;

/// Maps of the last layer.
const MAPS: usize = COVERED + BESIDE + CORNER + ROOT;

const HIDDEN: usize = 32;

/// Points of the margin that count one.
const MARGIN_UNIT: f32 = 20.0;

/// The network: convolutions of three by three cells, each of which changes what the one before found (a residual
/// network); to every second of them goes the mean over the whole board. The file says how many there are. A placement
/// is scored by sums over the cells that it covers, those beside it and its corners, which its piece weighs, and by
/// what its shape makes of its root; the value by what there is on the whole board. `python -m blokus.learn` learns it,
/// from the visits of searches and the ends of games.
#[derive(Clone, PartialEq, Debug)]
pub struct PolicyNet {
    first: Layer,
    /// What each of the globals adds to the first layer.
    globals: Vec<[i32; CHANNELS]>,
    residuals: Vec<Residual>,
    maps: Matrix,
    map_biases: [i32; MAPS],
    /// What a placement of each piece makes of its sums.
    gates: Vec<[f32; COVERED + BESIDE + CORNER]>,
    /// What each shape makes of its root.
    shapes: Vec<[f32; ROOT]>,
    pieces: Dense<CHANNELS, { Piece::COUNT }>,
    /// How much the score of the prior counts.
    trust: f32,
    hidden: Dense<CHANNELS, HIDDEN>,
    value: Dense<HIDDEN, 2>,
}

impl PolicyNet {
    /// The kind of its files.
    pub const KIND: &'static str = "convolution";

    /// The network of a file.
    ///
    /// # Errors
    /// [`WeightsError`] if it does not hold exactly the weights of this network.
    pub fn from_file(mut file: WeightsFile) -> Result<Self, WeightsError> {
        let of = &mut file;
        let rows = |numbers: Vec<i32>| numbers.as_chunks::<CHANNELS>().0.to_vec();
        let network = Self {
            first: Layer::take(of, "first", PLANES)?,
            globals: rows(biases(of, "globals", &[GLOBALS, CHANNELS])?),
            residuals: (0..depth(of)).map(|n| Residual::take(of, n)).collect::<Result<_, _>>()?,
            maps: {
                let weights = weights(of, "maps.weights", &[1, CHANNELS, MAPS])?;
                // The rows of a matrix are longer.
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
    pub fn evaluate(&self, inputs: &Inputs) -> PolicyOutput {
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
                    *changed = activation(sum + carried(before));
                }
            });
            std::mem::swap(&mut cells, &mut changed);
        }
        self.heads(&cells)
    }

    /// How likely a placement is: the logarithm of its probability but for a constant. `prior` is the score of the
    /// [prior](crate::model::Prior).
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

    /// The biases of the first layer with what the globals add.
    fn first_biases(&self, inputs: &Inputs) -> [i32; CHANNELS] {
        let mut sums = self.first.biases;
        let (pieces, turn) = self.globals.split_at(GLOBALS - 1);
        for (hand, weights) in inputs.hands.into_iter().zip(pieces.chunks_exact(Piece::COUNT)) {
            for piece in hand.iter() {
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
            for (n, numbers) in cells[place(0, y)..][..BOARD_SIZE].as_chunks::<BATCH>().0.iter().enumerate() {
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

/// A layer that changes what the one before found.
#[derive(Clone, PartialEq, Debug)]
struct Residual {
    layer: Layer,
    /// What the mean of each channel over the board adds.
    pool: Option<[[i32; CHANNELS]; CHANNELS]>,
}

impl Residual {
    /// The layer of this number, from 0: `layerN` and, for every second one but the first, a `pool`.
    fn take(file: &mut WeightsFile, n: usize) -> Result<Self, WeightsError> {
        let layer = Layer::take(file, &format!("layer{n}"), CHANNELS)?;
        let pool =
            pool_before(n).map(|pool| weights(file, &format!("pool{pool}"), &[CHANNELS, CHANNELS])).transpose()?;
        let rows = |numbers: Vec<i32>| numbers.as_chunks().0.try_into().expect("a row for each channel");
        Ok(Self { layer, pool: pool.map(rows) })
    }
}

/// How many residual layers a file has; each of them is two arrays.
fn depth(file: &WeightsFile) -> usize {
    file.arrays.iter().filter(|array| array.name().starts_with("layer")).count().div_ceil(2)
}

/// The number of the pool whose sums a residual layer gets, if it gets any.
fn pool_before(layer: usize) -> Option<usize> {
    (layer > 0 && layer.is_multiple_of(2)).then(|| layer / 2 - 1)
}

/// The planes as a map.
fn planes(inputs: &Inputs) -> Map {
    let mut map = [[0; CHANNELS]; STRIDE * STRIDE];
    for (n, &plane) in inputs.planes.iter().enumerate() {
        for cell in plane {
            map[place(cell.x(), cell.y())][n] = UNIT as i16;
        }
    }
    map
}

/// The mean of every channel over the board.
fn mean(cells: &Map) -> [i32; CHANNELS] {
    const CELLS: i32 = (BOARD_SIZE * BOARD_SIZE) as i32;
    let mut sums = [0; CHANNELS];
    for y in 0..BOARD_SIZE {
        for cell in &cells[place(0, y)..][..BOARD_SIZE] {
            sums.iter_mut().zip(cell).for_each(|(sum, &number)| *sum += i32::from(number));
        }
    }
    sums.map(|sum| (sum + CELLS / 2) / CELLS)
}

/// Adds what every number, times its row of weights, adds to the sums.
fn add_products(sums: &mut [i32], numbers: &[i32; CHANNELS], weights: &[[i32; CHANNELS]; CHANNELS]) {
    for (number, weights) in numbers.iter().zip(weights) {
        sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += number * weight);
    }
}

/// The sum of products, in their order.
#[inline(always)]
fn dot<'a>(numbers: impl IntoIterator<Item = &'a f32>, weights: &[f32]) -> f32 {
    numbers.into_iter().zip(weights).map(|(number, weight)| number * weight).sum()
}

/// Weighted sums of a few numbers.
#[derive(Clone, PartialEq, Debug)]
struct Dense<const INPUTS: usize, const OUTPUTS: usize> {
    weights: Vec<[f32; OUTPUTS]>,
    biases: [f32; OUTPUTS],
}

impl<const INPUTS: usize, const OUTPUTS: usize> Dense<INPUTS, OUTPUTS> {
    fn take(file: &mut WeightsFile, name: &str) -> Result<Self, WeightsError> {
        let weights = file.take(&format!("{name}.weights"), &[INPUTS, OUTPUTS])?.as_chunks().0.to_vec();
        let biases = file.take(&format!("{name}.biases"), &[OUTPUTS])?;
        Ok(Self { weights, biases: biases.try_into().expect("as many as outputs") })
    }

    fn sums(&self, inputs: &[f32; INPUTS]) -> [f32; OUTPUTS] {
        let mut sums = self.biases;
        for (input, weights) in inputs.iter().zip(&self.weights) {
            sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += input * weight);
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::super::numbers::CEILING;
    use super::*;
    use crate::model::{Array, Model, Origin};
    use game::Position;

    fn positions() -> Vec<Position> {
        crate::bench::positions().expect("a list")
    }

    fn inputs(position: &Position) -> Inputs {
        Inputs::of(position.board(), position.in_play(), position.color(), position.turn())
    }

    /// A network of arbitrary weights, small enough that activations are not all at their limits.
    fn file(layers: usize) -> WeightsFile {
        let mut state = 1u32;
        let mut array = |name: &str, shape: &[usize]| {
            let mut number = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                ((state >> 8) as f32 / (1 << 24) as f32 - 0.45) * 0.2
            };
            Array::new(name, shape, (0..shape.iter().product()).map(|_| number()).collect())
        };
        let mut arrays = vec![
            array("first.weights", &[9, PLANES, CHANNELS]),
            array("first.biases", &[CHANNELS]),
            array("globals", &[GLOBALS, CHANNELS]),
        ];
        for n in 0..layers {
            arrays.push(array(&format!("layer{n}.weights"), &[9, CHANNELS, CHANNELS]));
            arrays.push(array(&format!("layer{n}.biases"), &[CHANNELS]));
            if let Some(pool) = pool_before(n) {
                arrays.push(array(&format!("pool{pool}"), &[CHANNELS, CHANNELS]));
            }
        }
        for (name, shape) in [
            ("maps.weights", &[1, CHANNELS, MAPS][..]),
            ("maps.biases", &[MAPS]),
            ("gates", &[Piece::COUNT, MAPS - ROOT]),
            ("shapes", &[Shape::COUNT, ROOT]),
            ("pieces.weights", &[CHANNELS, Piece::COUNT]),
            ("pieces.biases", &[Piece::COUNT]),
            ("trust", &[1]),
            ("hidden.weights", &[CHANNELS, HIDDEN]),
            ("hidden.biases", &[HIDDEN]),
            ("value.weights", &[HIDDEN, 2]),
            ("value.biases", &[2]),
        ] {
            arrays.push(array(name, shape));
        }
        WeightsFile { kind: PolicyNet::KIND.to_owned(), origin: Origin::default(), arrays }
    }

    #[test]
    fn a_file_has_all_weights_and_no_other() {
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
        let error = PolicyNet::from_file(large).expect_err("is too large").to_string();
        assert_eq!(error, "the array `first.biases` has a number beyond 31 and -31");
    }

    /// The same network in whole numbers, cell by cell and weight by weight, as its description says and as slow as it
    /// comes: scores of all legal placements without what the prior adds, log-odds and margin.
    fn evaluate_naively(file: &WeightsFile, position: &Position) -> (Vec<f32>, [f32; 2]) {
        let arrays: HashMap<&str, &[f32]> = file.arrays.iter().map(|array| (array.name(), array.numbers())).collect();
        let whole =
            |name: &str, unit: f32| arrays[name].iter().map(|it| (it * unit).round() as i64).collect::<Vec<_>>();
        let cells = || (0..BOARD_SIZE as i32).flat_map(|y| (0..BOARD_SIZE as i32).map(move |x| (x, y)));
        type Numbers = HashMap<(i32, i32), Vec<i64>>;
        let convolve = |seen: &Numbers, name: &str, taps: i32, outputs: usize| -> Numbers {
            let weights = whole(&format!("{name}.weights"), WEIGHT_UNIT);
            let biases = whole(&format!("{name}.biases"), UNIT * WEIGHT_UNIT);
            let inputs = weights.len() / (taps * taps) as usize / outputs;
            let sums_at = |x: i32, y: i32| {
                let mut sums = biases.clone();
                for tap in 0..taps * taps {
                    let Some(seen) = seen.get(&(x + tap % taps - taps / 2, y + tap / taps - taps / 2)) else {
                        continue;
                    };
                    for (input, number) in seen.iter().enumerate() {
                        let row = tap as usize * inputs + input;
                        sums.iter_mut()
                            .zip(&weights[row * outputs..])
                            .for_each(|(sum, weight)| *sum += number * weight);
                    }
                }
                sums
            };
            cells().map(|(x, y)| ((x, y), sums_at(x, y))).collect()
        };
        let activated = |sum: i64| (sum + 512).div_euclid(1024).clamp(0, CEILING.into());
        let mean = |seen: &Numbers| -> Vec<i64> {
            (0..CHANNELS).map(|n| (seen.values().map(|numbers| numbers[n]).sum::<i64>() + 200) / 400).collect()
        };

        let inputs = inputs(position);
        let plane =
            |plane: &game::Bitboard, x, y| if plane.contains(Cell::new(x, y).expect("a cell")) { 256 } else { 0 };
        let seen = cells().map(|(x, y)| ((x, y), inputs.planes.iter().map(|it| plane(it, x, y)).collect())).collect();
        let mut seen = convolve(&seen, "first", 3, CHANNELS);
        let globals = whole("globals", UNIT * WEIGHT_UNIT);
        for numbers in seen.values_mut() {
            for (channel, number) in numbers.iter_mut().enumerate() {
                for (n, hand) in inputs.hands.iter().enumerate() {
                    for piece in hand.iter() {
                        *number += globals[(n * Piece::COUNT + piece as usize) * CHANNELS + channel];
                    }
                }
                *number += globals[(GLOBALS - 1) * CHANNELS + channel] * i64::from(inputs.turn) / 64;
                *number = activated(*number);
            }
        }
        for n in 0..depth(file) {
            let mut sums = convolve(&seen, &format!("layer{n}"), 3, CHANNELS);
            let pool = pool_before(n).map(|pool| whole(&format!("pool{pool}"), WEIGHT_UNIT));
            let mean = mean(&seen);
            for (cell, sums) in &mut sums {
                for (channel, sum) in sums.iter_mut().enumerate() {
                    let pooled =
                        |pool: &Vec<i64>| (0..CHANNELS).map(|n| mean[n] * pool[n * CHANNELS + channel]).sum::<i64>();
                    *sum += 1024 * seen[cell][channel] + pool.as_ref().map_or(0, pooled);
                    *sum = activated(*sum);
                }
            }
            seen = sums;
        }
        let maps = convolve(&seen, "maps", 1, MAPS);
        let mean: Vec<f32> = mean(&seen).into_iter().map(|number| number as f32 / UNIT).collect();
        let dense = |name: &str, inputs: &[f32], output: usize, outputs: usize| {
            let weights = arrays[&*format!("{name}.weights")];
            let products = inputs.iter().enumerate().map(|(n, input)| input * weights[n * outputs + output]);
            arrays[&*format!("{name}.biases")][output] + products.sum::<f32>()
        };
        let hidden: Vec<f32> = (0..HIDDEN).map(|n| dense("hidden", &mean, n, HIDDEN).max(0.0)).collect();
        let score = |placement: Placement| {
            let piece = placement.piece() as usize;
            let map = |cell: Cell, n: usize| maps[&(cell.x() as i32, cell.y() as i32)][n] as f32 / (UNIT * WEIGHT_UNIT);
            let on_board = |set: game::Bitboard| (set & game::Bitboard::BOARD).into_iter();
            let gate = |n: usize| arrays["gates"][piece * (MAPS - ROOT) + n];
            let mut score = dense("pieces", &mean, piece, Piece::COUNT);
            for (first, count, set) in [
                (0, COVERED, placement.cells()),
                (COVERED, BESIDE, placement.sides()),
                (COVERED + BESIDE, CORNER, placement.corners()),
            ] {
                for n in first..first + count {
                    score += gate(n) * on_board(set).map(|cell| map(cell, n)).sum::<f32>();
                }
            }
            for n in 0..ROOT {
                score +=
                    arrays["shapes"][placement.shape().index() * ROOT + n] * map(placement.root(), MAPS - ROOT + n);
            }
            score
        };
        let placements = position.board().placements(position.color());
        (placements.into_iter().map(score).collect(), [0, 1].map(|n| dense("value", &hidden, n, 2)))
    }

    #[test]
    fn it_sees_what_a_slow_network_sees() {
        let positions = positions();
        for (layers, positions) in [(5, &positions[..]), (0, &positions[..1]), (8, &positions[6..7])] {
            sees_what_a_slow_network_sees(&file(layers), positions);
        }
    }

    fn sees_what_a_slow_network_sees(file: &WeightsFile, positions: &[Position]) {
        let network = PolicyNet::from_file(file.clone()).expect("a network");
        for position in positions {
            let output = network.evaluate(&inputs(position));
            let (scores, [log_odds, margin]) = evaluate_naively(file, position);
            let is_near = |found: f32, expected: f32| (found - expected).abs() < 1e-4 * (1.0 + expected.abs());
            assert!(is_near(output.log_odds(), log_odds) && is_near(output.margin(), MARGIN_UNIT * margin));
            let placements = position.board().placements(position.color());
            for (placement, expected) in placements.into_iter().zip(scores) {
                let found = network.score(&output, placement, 0.0);
                assert!(is_near(found, expected), "{placement:?}: {found} instead of {expected}");
            }
        }
    }

    #[test]
    fn what_it_has_learnt_makes_sense() {
        let model = Model::built_in();
        let network = &model.policy_net;
        for position in positions() {
            let output = network.evaluate(&inputs(&position));
            // Both heads tell who is ahead.
            let (odds, margin) = (output.log_odds(), output.margin());
            assert!(odds.abs() < 0.5 || odds.is_sign_positive() == margin.is_sign_positive(), "{odds}, {margin}");
            assert!(odds.abs() < 12.0 && margin.abs() < 110.0);
        }
        // Without one of its colours in play a team is worse off.
        let middle = positions().into_iter().find(|position| position.turn() == 20).expect("a position");
        let poor = |color: Color| {
            let mut in_play = middle.in_play();
            in_play.remove(color);
            let seen = |in_play| Inputs::of(middle.board(), in_play, middle.color(), middle.turn());
            network.evaluate(&seen(in_play)).margin() - network.evaluate(&seen(middle.in_play())).margin()
        };
        let color = middle.color();
        assert!(poor(color.partner()) < 0.0 && poor(color.next()) > 0.0);
    }
}
