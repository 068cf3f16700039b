//! Empirical likelihood of a mean.
//!
//! The sample is the number of pairs of games for each of five scores. Among all distributions on these scores with a
//! given mean, one makes the sample most likely; it has a simple form and is found by solving one equation (Owen,
//! *Empirical likelihood ratio confidence intervals for a single functional*, Biometrika 1988). Ratios of such
//! likelihoods give both the sequential test ([`Sprt`](super::Sprt)) and the interval of the score.

use std::fmt;

use super::elo::elo_of_score;

/// Pairs of games by the points of the first contestant in both games: 0, ½, 1, 1½, 2.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Pairs(pub [u64; 5]);

/// An estimate and the ends of its 95 % interval; as text for example `+32.1 [+10.0, +55.2]`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The estimate.
    pub estimate: f64,
    /// The upper end.
    pub high: f64,
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.1} [{:+.1}, {:+.1}]", self.estimate, self.low, self.high)
    }
}

/// The score of a pair with `i` half points, as a share of both games.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Stands for a count of 0, so that every mean between 0 and 1 is possible. This is the value that the testing
/// framework of Stockfish uses.
const ALMOST_NONE: f64 = 1e-3;

/// 95 % quantile of the chi-squared distribution with one degree of freedom.
const CHI_SQUARED_95: f64 = 3.841458820694124;

/// Halvings of an interval after which nothing changes in an `f64`.
const BISECTIONS: usize = 60;

impl Pairs {
    /// Returns the number of pairs.
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns the mean score, 0 to 1; ½ if there are no pairs.
    pub fn score(&self) -> f64 {
        if self.count() == 0 {
            return 0.5;
        }
        let points: f64 = self.0.iter().zip(SCORES).map(|(&n, score)| n as f64 * score).sum();
        points / self.count() as f64
    }

    /// Returns the mean score with its 95 % interval: all means that the pairs do not make too unlikely.
    ///
    /// Unlike the usual interval of the normal distribution it needs no variance, stays between 0 and 1 and makes sense
    /// if all pairs ended alike. `None` without any pair.
    pub fn score_interval(&self) -> Option<Interval> {
        if self.count() == 0 {
            return None;
        }
        let estimate = self.score();
        let is_likely = |mean: f64| 2.0 * (self.log_likelihood(estimate) - self.log_likelihood(mean)) <= CHI_SQUARED_95;
        Some(Interval { low: boundary(estimate, 0.0, is_likely), estimate, high: boundary(estimate, 1.0, is_likely) })
    }

    /// Returns the difference in Elo points with its 95 % interval.
    pub fn elo_interval(&self) -> Option<Interval> {
        self.score_interval().map(|Interval { low, estimate, high }| Interval {
            low: elo_of_score(low),
            estimate: elo_of_score(estimate),
            high: elo_of_score(high),
        })
    }

    /// Returns the logarithm of the ratio of the likelihoods of two mean scores: positive if the pairs speak
    /// for `mean1` rather than `mean0`. Both are greater than 0 and less than 1.
    pub fn log_likelihood_ratio(&self, mean0: f64, mean1: f64) -> f64 {
        if self.count() == 0 {
            return 0.0;
        }
        self.log_likelihood(mean1) - self.log_likelihood(mean0)
    }

    /// Returns the logarithm of the likelihood of the pairs under the distribution with this mean that makes
    /// them most likely, up to a constant.
    ///
    /// With counts n and scores a that distribution is p = n / N / (1 + x (a - mean)), where x makes the mean right.
    /// (Michel Van den Bergh, *A practical introduction to the GSPRT*.)
    fn log_likelihood(&self, mean: f64) -> f64 {
        let mean = mean.clamp(f64::EPSILON, 1.0 - f64::EPSILON);
        let counts = self.0.map(|n| if n == 0 { ALMOST_NONE } else { n as f64 });
        let excess = |x: f64| -> f64 {
            counts.iter().zip(SCORES).map(|(n, score)| n * (score - mean) / (1.0 + x * (score - mean))).sum()
        };
        // The excess falls from plus to minus infinity between these ends.
        let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
        for _ in 0..BISECTIONS {
            let middle = (low + high) / 2.0;
            if excess(middle) > 0.0 { low = middle } else { high = middle }
        }
        let x = (low + high) / 2.0;
        -counts.iter().zip(SCORES).map(|(n, score)| n * (1.0 + x * (score - mean)).ln()).sum::<f64>()
    }
}

/// Returns the value nearest to `outside` at which `holds`, which holds at `inside`, still does.
fn boundary(inside: f64, outside: f64, holds: impl Fn(f64) -> bool) -> f64 {
    let (mut inside, mut outside) = (inside, outside);
    if holds(outside) {
        return outside;
    }
    for _ in 0..BISECTIONS {
        let middle = (inside + outside) / 2.0;
        if holds(middle) { inside = middle } else { outside = middle }
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::super::elo::score_of_elo;
    use super::*;

    #[track_caller]
    fn assert_close(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance, "{value} is not within {tolerance} of {expected}");
    }

    /// Two results of chess engines whose ratios other programs publish (tests of the match runner
    /// fastchess, which computes them as Stockfish's testing framework does).
    #[test]
    fn ratios_agree_with_published_ones() {
        let ratio =
            |pairs: [u64; 5], elo0, elo1| Pairs(pairs).log_likelihood_ratio(score_of_elo(elo0), score_of_elo(elo1));
        assert_close(ratio([223, 9863, 20279 + 1000, 10037, 246], 0.5, 2.5), -3.07, 0.005);
        assert_close(ratio([871, 26175, 55003 + 980, 26678, 821], 0.0, 2.0), -4.98, 0.005);
    }

    /// For many pairs the interval approaches the normal distribution's.
    #[test]
    fn intervals_of_many_pairs_are_normal() {
        let pairs = Pairs([100, 400, 1000, 450, 130]);
        let count = pairs.count() as f64;
        let mean = pairs.score();
        let variance: f64 =
            pairs.0.iter().zip(SCORES).map(|(&n, score)| n as f64 * (score - mean).powi(2)).sum::<f64>() / count;
        let error = 1.959964 * (variance / count).sqrt();
        let interval = pairs.score_interval().unwrap();
        assert_close(interval.low, mean - error, 2e-4);
        assert_close(interval.high, mean + error, 2e-4);
    }

    #[test]
    fn intervals_of_one_sided_results() {
        assert_eq!(Pairs::default().score_interval(), None);
        // The likelihood of 50 wins is mean^50: the interval ends where 2 * 50 * -ln(mean) = 3.84.
        let all_won = Pairs([0, 0, 0, 0, 50]).score_interval().unwrap();
        assert_close(all_won.low, (-CHI_SQUARED_95 / 100.0).exp(), 5e-3);
        assert_eq!((all_won.estimate, all_won.high), (1.0, 1.0));
        let all_lost = Pairs([50, 0, 0, 0, 0]).elo_interval().unwrap();
        assert_eq!((all_lost.low, all_lost.estimate), (f64::NEG_INFINITY, f64::NEG_INFINITY));
        assert!(all_lost.high < -500.0);
        let drawn = Pairs([0, 0, 50, 0, 0]).elo_interval().unwrap();
        assert_close(drawn.low, -drawn.high, 1e-6);
        assert!(drawn.high < 20.0, "{drawn:?}");
    }
}
