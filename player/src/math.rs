//! Functions of floats.

/// Returns the smaller of two numbers that are not NaN. `f32::min` tests for NaN, and is a call in WebAssembly.
#[inline(always)]
pub fn min(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// Computes the logistic function, which maps log-odds to probabilities.
pub fn logistic(log_odds: f32) -> f32 {
    // Unlike the exponential of the system, this one returns the same number on every machine.
    1.0 / (1.0 + libm::expf(-log_odds))
}
