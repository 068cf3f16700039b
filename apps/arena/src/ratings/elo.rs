//! The Elo scale.

/// Returns the expected score, 0 to 1, of a contestant that is `elo` points stronger than the other.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Returns the difference in Elo points of an expected score; infinite for a score of 0 or 1.
pub fn elo_of_score(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_match_known_values() {
        for (elo, score) in [(0.0, 0.5), (400.0, 10.0 / 11.0), (-400.0, 1.0 / 11.0), (190.848501887865, 0.75)] {
            assert!((score_of_elo(elo) - score).abs() < 1e-12);
            assert!((elo_of_score(score) - elo).abs() < 1e-9);
        }
        assert_eq!((elo_of_score(0.0), elo_of_score(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
    }
}
