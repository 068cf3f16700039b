//! The whole numbers that the network computes with. They make the same of the same on every machine, in any order; and
//! two products of `i16` are one instruction.

use crate::model::weights_file::{WeightsError, WeightsFile};

/// Activations have this many parts of one, weights [`WEIGHT_UNIT`], and so sums the product of both.
pub const UNIT: f32 = 256.0;

/// How many parts of one a weight has.
pub const WEIGHT_UNIT: f32 = 1024.0;

/// The largest activation.
pub const CEILING: i32 = (15.9 * UNIT) as i32;

/// The largest weight, so that the sums of nine are `i16`.
pub const LARGEST_WEIGHT: u32 = 3;

/// The most that the weights of an output may add up to, signs aside, so that four times what they make of activations
/// is `i32`.
pub const LARGEST_SUM: u32 = 128;

const _: () = assert!(9 * LARGEST_WEIGHT as i32 * WEIGHT_UNIT as i32 <= i16::MAX as i32);
const _: () = assert!(4 * LARGEST_SUM as i64 * WEIGHT_UNIT as i64 * CEILING as i64 <= i32::MAX as i64);

/// An array of weights, those of the outputs side by side.
///
/// # Errors
/// [`WeightsError`] if there is no such array, or sums could overflow.
pub fn weights(file: &mut WeightsFile, name: &str, shape: &[usize]) -> Result<Vec<i32>, WeightsError> {
    let numbers = whole(file, name, shape, WEIGHT_UNIT, LARGEST_WEIGHT)?;
    let outputs = shape[shape.len() - 1];
    let sum = |output| numbers.iter().skip(output).step_by(outputs).map(|number| number.abs()).sum::<i32>();
    if (0..outputs).any(|output| sum(output) > LARGEST_SUM as i32 * WEIGHT_UNIT as i32) {
        return Err(WeightsError::SumTooLarge { name: name.to_owned(), most: LARGEST_SUM });
    }
    Ok(numbers)
}

/// An array of what is added to sums.
///
/// # Errors
/// [`WeightsError`] if there is no such array, or a number is so large that sums of it could overflow.
pub fn biases(file: &mut WeightsFile, name: &str, shape: &[usize]) -> Result<Vec<i32>, WeightsError> {
    const LARGEST: u32 = 31;
    whole(file, name, shape, UNIT * WEIGHT_UNIT, LARGEST)
}

/// The numbers of an array, of which `most` is the largest, in parts of a unit.
fn whole(file: &mut WeightsFile, name: &str, shape: &[usize], unit: f32, most: u32) -> Result<Vec<i32>, WeightsError> {
    let numbers = file.take(name, shape)?;
    if numbers.iter().any(|number| number.abs() > most as f32) {
        return Err(WeightsError::TooLarge { name: name.to_owned(), most });
    }
    Ok(numbers.into_iter().map(|number| libm::roundf(number * unit) as i32).collect())
}

/// The activation of a sum: not below 0 and not above the [`CEILING`].
#[inline(always)]
pub fn activation(sum: i32) -> i16 {
    const SHIFT: u32 = (WEIGHT_UNIT as u32).ilog2();
    ((sum + (1 << (SHIFT - 1))) >> SHIFT).clamp(0, CEILING) as i16
}

/// What an activation adds to a sum that it is carried over to.
#[inline(always)]
pub fn carried(activation: i16) -> i32 {
    i32::from(activation) * WEIGHT_UNIT as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Array, Origin};

    #[test]
    fn weights_of_which_sums_could_overflow_are_refused() {
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
        let error = "the array `it` has numbers for one output that add up to more than 128, signs aside";
        assert_eq!(take([rows(64, -2.0), rows(1, 0.001)].concat()), Err(error.to_owned()));
    }
}
