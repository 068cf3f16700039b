//! The sequential probability ratio test.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::elo::score_of_elo;
use super::likelihood::Pairs;

/// A test of two hypotheses about the difference in strength that ends as soon as the games suffice.
///
/// This is Wald's test (*Sequential analysis*, 1947) with likelihoods maximised over the unknown parameters.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sprt {
    /// The difference under the hypothesis H0, in Elo points.
    pub elo0: f64,
    /// The difference under the hypothesis H1, greater than `elo0`.
    pub elo1: f64,
    /// Probability to accept H1 although H0 is true.
    #[serde(default = "default_error")]
    pub alpha: f64,
    /// Probability to accept H0 although H1 is true.
    #[serde(default = "default_error")]
    pub beta: f64,
}

fn default_error() -> f64 {
    Sprt::DEFAULT_ERROR
}

/// State of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SprtState {
    /// More games are needed.
    Open,
    /// The difference is `elo0` or less.
    H0,
    /// The difference is `elo1` or more.
    H1,
}

impl Sprt {
    /// The probability of either error unless another is wanted.
    pub const DEFAULT_ERROR: f64 = 0.05;

    /// Returns `true` if two differences can be the hypotheses of a test.
    pub fn are_hypotheses(elo0: f64, elo1: f64) -> bool {
        elo0.is_finite() && elo1.is_finite() && elo0 < elo1
    }

    /// Returns `true` if this can be the probability of an error.
    pub fn is_error_rate(rate: f64) -> bool {
        0.0 < rate && rate < 0.5
    }

    /// Returns the logarithm of the likelihood ratio of H1 to H0.
    pub fn ratio(&self, pairs: &Pairs) -> f64 {
        pairs.log_likelihood_ratio(score_of_elo(self.elo0), score_of_elo(self.elo1))
    }

    /// Returns the bounds of the log-likelihood ratio: H0 is accepted at or below the first, H1 at or above the second.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// Returns the state for the given pairs.
    pub fn state(&self, pairs: &Pairs) -> SprtState {
        let (ratio, (low, high)) = (self.ratio(pairs), self.bounds());
        match () {
            () if ratio <= low => SprtState::H0,
            () if ratio >= high => SprtState::H1,
            () => SprtState::Open,
        }
    }

    /// Returns `true` if the pairs suffice.
    pub fn is_decided(&self, pairs: &Pairs) -> bool {
        self.state(pairs) != SprtState::Open
    }
}

impl fmt::Display for SprtState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Open => "undecided",
            Self::H0 => "H0 accepted",
            Self::H1 => "H1 accepted",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEST: Sprt = Sprt { elo0: 0.0, elo1: 40.0, alpha: 0.05, beta: 0.05 };

    #[test]
    fn bounds_are_walds() {
        for (beta, expected) in
            [(0.05, [-2.9444389791664403, 2.9444389791664403]), (0.1, [-2.2512917986064953, 2.8903717578961645])]
        {
            let (low, high) = Sprt { beta, ..TEST }.bounds();
            assert!((low - expected[0]).abs() < 1e-9 && (high - expected[1]).abs() < 1e-9, "{low} {high}");
        }
    }

    #[test]
    fn state_needs_ratio_beyond_bounds() {
        for (pairs, state) in [
            (Pairs::default(), SprtState::Open),
            (Pairs([90, 0, 200, 0, 110]), SprtState::Open),
            (Pairs([100, 0, 200, 0, 100]), SprtState::H0),
            (Pairs([80, 0, 200, 0, 120]), SprtState::H1),
        ] {
            assert_eq!(TEST.state(&pairs), state, "{pairs:?}: {}", TEST.ratio(&pairs));
        }
    }
}
