//! The strength of several contestants from all their games at once.

use std::f64::consts::LN_10;

use super::likelihood::{Interval, Pairs};

/// Elo points for each unit of the logistic function's argument.
const ELO: f64 = 400.0 / LN_10;

/// Standard deviation of the ratings before any game, in Elo points. It matters only for contestants that have won or
/// lost all games, whose ratings would have no bounds.
const PRIOR: f64 = 1500.0;

/// The variance of a pair's score, as a multiple of the variance of a single game that cannot be drawn: ½ for two games
/// that are independent. A lower bound, because a few pairs may all end alike.
const MIN_DISPERSION: f64 = 0.5;

/// Half the width of a 95 % interval of the normal distribution, in standard deviations.
const NORMAL_95: f64 = 1.959963984540054;

/// The steps are much fewer; this many end.
const MAX_STEPS: usize = 200;

/// Maximum number of iterations for a step.
const MAX_ITERATIONS: usize = 1000;

/// Returns the ratings of `count` contestants, in Elo points relative to their mean, each with its 95 % interval, from
/// the pairs of games between any two of them (from the point of view of the first).
///
/// The expected score of a pair depends on the difference of two ratings as everywhere in this module; the ratings are
/// those that make all scores most likely (Bradley and Terry 1952, found by Newton's method). The variance of pairs is
/// estimated from their deviations (dispersion of quasi-likelihood, Wedderburn 1974).
///
/// # Panics
/// If a contestant's number is `count` or more.
pub fn ratings(count: usize, results: &[(usize, usize, Pairs)]) -> Vec<Interval> {
    let prior = (ELO / PRIOR).powi(2);
    let expected = |ratings: &[f64], a: usize, b: usize| 1.0 / (1.0 + (ratings[b] - ratings[a]).exp());
    let mut ratings = vec![0.0; count];
    // Rate at which the slope of the likelihood falls with the difference of two ratings.
    let mut weights: Vec<(usize, usize, f64)> = Vec::new();
    for _ in 0..MAX_STEPS {
        let mut slope: Vec<f64> = ratings.iter().map(|rating| -prior * rating).collect();
        weights.clear();
        for &(a, b, pairs) in results {
            let (n, p) = (pairs.count() as f64, expected(&ratings, a, b));
            let excess = n * (pairs.score() - p);
            slope[a] += excess;
            slope[b] -= excess;
            weights.push((a, b, n * p * (1.0 - p)));
        }
        let steps = newton_step(prior, &weights, &slope);
        let longest = steps.iter().copied().map(f64::abs).fold(0.0, f64::max);
        for (rating, step) in ratings.iter_mut().zip(&steps) {
            // Longer ones could overshoot.
            *rating += step / longest.max(1.0);
        }
        if longest < 1e-10 {
            break;
        }
    }
    let mut bend = vec![vec![0.0; count]; count];
    bend.iter_mut().enumerate().for_each(|(i, row)| row[i] = prior);
    for &(a, b, weight) in &weights {
        for (i, j, sign) in [(a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)] {
            bend[i][j] += sign * weight;
        }
    }
    let inverse = inverted(bend);
    let residual = |&(a, b, pairs): &(usize, usize, Pairs)| -> f64 {
        let p = expected(&ratings, a, b);
        let squares = pairs.0.iter().zip(0..).map(|(&n, i)| n as f64 * (f64::from(i) / 4.0 - p).powi(2));
        squares.sum::<f64>() / (p * (1.0 - p))
    };
    let pairs: u64 = results.iter().map(|(_, _, pairs)| pairs.count()).sum();
    let freedom = (pairs as f64 - (count as f64 - 1.0)).max(1.0);
    let dispersion = (results.iter().map(residual).sum::<f64>() / freedom).max(MIN_DISPERSION);
    let (mean, all) = (ratings.iter().sum::<f64>() / count as f64, inverse.iter().flatten().sum::<f64>());
    let interval = |(rating, (i, row)): (&f64, (usize, &Vec<f64>))| {
        // Of the difference to the mean of all.
        let n = count as f64;
        let variance = row[i] - 2.0 * row.iter().sum::<f64>() / n + all / (n * n);
        let (estimate, error) = (ELO * (rating - mean), ELO * NORMAL_95 * (dispersion * variance.max(0.0)).sqrt());
        Interval { low: estimate - error, estimate, high: estimate + error }
    };
    ratings.iter().zip(inverse.iter().enumerate()).map(interval).collect()
}

/// Solves the sparse equations of Newton's method by conjugate gradients (Hestenes and Stiefel 1952), because a matrix
/// of a thousand versions takes a second for each step.
fn newton_step(prior: f64, weights: &[(usize, usize, f64)], slope: &[f64]) -> Vec<f64> {
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    let (mut steps, mut rest, mut direction) = (vec![0.0; slope.len()], slope.to_vec(), slope.to_vec());
    let mut square = dot(&rest, &rest);
    let enough = square * 1e-26;
    for _ in 0..MAX_ITERATIONS {
        if square <= enough {
            break;
        }
        let mut image: Vec<f64> = direction.iter().map(|x| prior * x).collect();
        for &(a, b, weight) in weights {
            let flow = weight * (direction[a] - direction[b]);
            image[a] += flow;
            image[b] -= flow;
        }
        let length = square / dot(&direction, &image);
        steps.iter_mut().zip(&direction).for_each(|(x, y)| *x += length * y);
        rest.iter_mut().zip(&image).for_each(|(x, y)| *x -= length * y);
        let before = std::mem::replace(&mut square, dot(&rest, &rest));
        direction.iter_mut().zip(&rest).for_each(|(x, y)| *x = y + square / before * *x);
    }
    steps
}

/// Returns the inverse of a matrix that is symmetric and positive definite, by Gauss and Jordan.
fn inverted(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let count = matrix.len();
    for k in 0..count {
        let pivot = 1.0 / matrix[k][k];
        matrix[k][k] = 1.0;
        matrix[k].iter_mut().for_each(|x| *x *= pivot);
        let row = matrix[k].clone();
        for (_, other) in matrix.iter_mut().enumerate().filter(|&(i, _)| i != k) {
            let factor = std::mem::replace(&mut other[k], 0.0);
            other.iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
        }
    }
    matrix
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn difference_matches_score() {
        let pairs = Pairs([30, 10, 70, 20, 80]);
        let known = pairs.elo_interval().unwrap();
        let [a, b] = ratings(2, &[(0, 1, pairs)])[..] else { panic!() };
        assert!((a.estimate - b.estimate - known.estimate).abs() < 1.0, "{a} {b} {known}");
        // Each is half the difference away from the mean.
        let width = 2.0 * (a.high - a.low);
        assert!((width / (known.high - known.low) - 1.0).abs() < 0.15, "{a} {known}");
    }

    #[test]
    fn rates_contestants_through_common_opponent() {
        let (up, down) = (Pairs([0, 10, 0, 30, 0]), Pairs([0, 30, 0, 10, 0]));
        let [a, b, c] = ratings(3, &[(0, 1, up), (1, 2, up)])[..] else { panic!() };
        assert!((a.estimate - b.estimate - (b.estimate - c.estimate)).abs() < 1e-6);
        let turned = ratings(3, &[(1, 0, down), (2, 1, down)]);
        assert!((turned[0].estimate - a.estimate).abs() < 1e-6);
        // The one that met both has the smallest interval.
        assert!(b.high - b.low < a.high - a.low);
    }

    #[test]
    fn ratings_stay_finite() {
        for interval in ratings(3, &[(0, 1, Pairs([0, 0, 0, 0, 20]))]) {
            assert!(interval.low.is_finite() && interval.high.is_finite() && interval.high - interval.low > 200.0);
        }
        assert!(ratings(2, &[]).iter().all(|rating| rating.estimate == 0.0 && rating.high > 1000.0));
    }
}
