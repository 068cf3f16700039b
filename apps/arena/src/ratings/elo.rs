//! The Elo scale.

/// Returns the expected score, 0 to 1, of a contestant that is `elo` points stronger than the other.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Returns the difference in Elo points of an expected score; infinite for a score of 0 or 1.
pub fn elo_of_score(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}
