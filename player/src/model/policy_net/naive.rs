//! A second, naive implementation of the network for tests.

use std::collections::HashMap;

use game::{BOARD_SIZE, Bitboard, Cell, Piece, Placement, Position};

use super::map::CHANNELS;
use super::network::tests::inputs;
use super::network::{GLOBALS, HIDDEN, MAPS, depth, pool_before};
use super::numbers::{CEILING, UNIT, WEIGHT_UNIT};
use super::output::{BESIDE, CORNER, COVERED, ROOT};
use crate::model::WeightsFile;

/// Evaluates the network in integers, cell by cell and weight by weight: scores of all legal placements without the
/// prior, log-odds and margin.
pub fn evaluate_naively(file: &WeightsFile, position: &Position) -> (Vec<f32>, [f32; 2]) {
    let arrays: HashMap<&str, &[f32]> = file.arrays.iter().map(|array| (array.name(), array.numbers())).collect();
    let whole = |name: &str, unit: f32| arrays[name].iter().map(|it| (it * unit).round() as i64).collect::<Vec<_>>();
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
                    sums.iter_mut().zip(&weights[row * outputs..]).for_each(|(sum, weight)| *sum += number * weight);
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
    let plane = |plane: &Bitboard, x, y| if plane.contains(Cell::new(x, y).expect("a cell")) { 256 } else { 0 };
    let seen = cells().map(|(x, y)| ((x, y), inputs.planes.iter().map(|it| plane(it, x, y)).collect())).collect();
    let mut seen = convolve(&seen, "first", 3, CHANNELS);
    let globals = whole("globals", UNIT * WEIGHT_UNIT);
    for numbers in seen.values_mut() {
        for (channel, number) in numbers.iter_mut().enumerate() {
            for (n, remaining) in inputs.remaining.iter().enumerate() {
                for piece in remaining.iter() {
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
        let on_board = |set: Bitboard| (set & Bitboard::BOARD).into_iter();
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
            score += arrays["shapes"][placement.shape().index() * ROOT + n] * map(placement.root(), MAPS - ROOT + n);
        }
        score
    };
    let placements = position.board().placements(position.color());
    (placements.into_iter().map(score).collect(), [0, 1].map(|n| dense("value", &hidden, n, 2)))
}
