//! The logistic function.

/// Computes the logistic function, which maps log-odds to probabilities.
pub fn logistic(log_odds: f32) -> f32 {
    // Unlike the exponential of the system, this one returns the same number on every machine.
    1.0 / (1.0 + libm::expf(-log_odds))
}
