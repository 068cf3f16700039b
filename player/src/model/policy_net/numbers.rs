//! Fixed-point numbers of the network. Their sums are the same on every machine and in any order, and two products of
//! `i16` are one instruction.

use crate::model::weights_file::{WeightsError, WeightsFile};

/// Scale of activations. Weights have [`WEIGHT_UNIT`], sums the product of both.
pub const UNIT: f32 = 256.0;

/// Scale of weights.
pub const WEIGHT_UNIT: f32 = 1024.0;

/// Maximum activation.
pub const CEILING: i32 = (15.9 * UNIT) as i32;

/// Maximum weight. The sum of nine fits into `i16`.
pub const MAX_WEIGHT: u32 = 3;

/// Maximum sum of the absolute weights of an output. Four times its products with activations fit into `i32`.
pub const MAX_WEIGHT_SUM: u32 = 128;

const _: () = assert!(9 * MAX_WEIGHT as i32 * WEIGHT_UNIT as i32 <= i16::MAX as i32);
const _: () = assert!(4 * MAX_WEIGHT_SUM as i64 * WEIGHT_UNIT as i64 * CEILING as i64 <= i32::MAX as i64);

/// Takes an array of weights, in the last dimension by output.
///
/// # Errors
/// [`WeightsError`] if it is missing, or sums could overflow.
pub fn weights(file: &mut WeightsFile, name: &str, shape: &[usize]) -> Result<Vec<i32>, WeightsError> {
    let numbers = whole(file, name, shape, WEIGHT_UNIT, MAX_WEIGHT)?;
    let outputs = shape[shape.len() - 1];
    let sum = |output| numbers.iter().skip(output).step_by(outputs).map(|number| number.abs()).sum::<i32>();
    if (0..outputs).any(|output| sum(output) > MAX_WEIGHT_SUM as i32 * WEIGHT_UNIT as i32) {
        return Err(WeightsError::SumTooLarge { name: name.to_owned(), limit: MAX_WEIGHT_SUM });
    }
    Ok(numbers)
}

/// Takes an array of biases.
///
/// # Errors
/// [`WeightsError`] if it is missing, or sums could overflow.
pub fn biases(file: &mut WeightsFile, name: &str, shape: &[usize]) -> Result<Vec<i32>, WeightsError> {
    const MAX_BIAS: u32 = 31;
    whole(file, name, shape, UNIT * WEIGHT_UNIT, MAX_BIAS)
}

/// Takes an array as fixed-point numbers of at most `limit`.
fn whole(file: &mut WeightsFile, name: &str, shape: &[usize], unit: f32, limit: u32) -> Result<Vec<i32>, WeightsError> {
    let numbers = file.take(name, shape)?;
    if numbers.iter().any(|number| number.abs() > limit as f32) {
        return Err(WeightsError::TooLarge { name: name.to_owned(), limit });
    }
    Ok(numbers.into_iter().map(|number| libm::roundf(number * unit) as i32).collect())
}

/// Computes the activation of a sum, clamped to 0 to [`CEILING`].
#[inline(always)]
pub fn activation(sum: i32) -> i16 {
    const SHIFT: u32 = (WEIGHT_UNIT as u32).ilog2();
    ((sum + (1 << (SHIFT - 1))) >> SHIFT).clamp(0, CEILING) as i16
}

/// Scales an activation for addition to a sum.
#[inline(always)]
pub fn to_sum(activation: i16) -> i32 {
    i32::from(activation) * WEIGHT_UNIT as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Array, Origin};

    #[test]
    fn rejects_weights_that_could_overflow() {
        let take = |numbers: Vec<f32>| {
            let arrays = vec![Array::new("it", &[numbers.len() / 2, 2], numbers)];
            let mut file = WeightsFile { kind: "test".to_owned(), origin: Origin::default(), arrays };
            let shape = file.arrays[0].shape().to_vec();
            weights(&mut file, "it", &shape).map_err(|error| error.to_string())
        };
        assert_eq!(take(vec![3.0, -3.0, 0.5, 0.0]), Ok(vec![3072, -3072, 512, 0]));
        assert_eq!(take(vec![0.0, -3.001]), Err("the array `it` has a number beyond 3 and -3".to_owned()));
        // Only the second output has weights.
        let rows = |count: usize, weight: f32| [0.0, weight].repeat(count);
        assert!(take(rows(64, -2.0)).is_ok());
        let error = "the array `it` has weights of one output with absolute values of more than 128 together";
        assert_eq!(take([rows(64, -2.0), rows(1, 0.001)].concat()), Err(error.to_owned()));
    }
}
