//! The logistic function.

/// The logistic function, which makes a share from 0 to 1 of an output.
pub fn logistic(output: f32) -> f32 {
    // The exponential of the crate libm is the same on every machine, that of the system need not be.
    1.0 / (1.0 + libm::expf(-output))
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logistic_rises_from_0_to_1() {
        assert_eq!((logistic(-100.0), logistic(0.0), logistic(100.0)), (0.0, 0.5, 1.0));
        assert!((logistic(1.0) - 0.731).abs() < 1e-3 && (logistic(1.0) + logistic(-1.0) - 1.0).abs() < 1e-6);
    }
}
