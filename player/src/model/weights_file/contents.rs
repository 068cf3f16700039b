//! The contents of a weights file.

use super::array::Array;
use super::error::WeightsError;

/// Origin of weights, for reproduction.
///
/// ```
/// use player::model::{Model, Origin};
///
/// let origin = Origin { command: "trainer train".to_owned(), ..Origin::default() };
/// let file = Model::built_in().prior.to_file(origin.clone());
/// assert_eq!(file.origin, origin);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// Command line that created them.
    pub command: String,
    /// Training data: games and number of positions.
    pub data: String,
    /// Fingerprint of the engine that played the games, see [`bench`](crate::bench).
    pub engine: String,
}

/// A weights file.
#[derive(Clone, PartialEq, Debug)]
pub struct WeightsFile {
    /// Part of the model.
    pub kind: String,
    /// Origin.
    pub origin: Origin,
    /// Weights.
    pub arrays: Vec<Array>,
}

impl WeightsFile {
    /// Removes an array of this name and shape, and returns its numbers.
    ///
    /// # Errors
    /// [`WeightsError::MissingArray`] or [`WeightsError::Shape`].
    pub fn take(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>, WeightsError> {
        let at = self.arrays.iter().position(|array| array.name() == name);
        let array = self.arrays.swap_remove(at.ok_or_else(|| WeightsError::MissingArray(name.to_owned()))?);
        if array.shape() != shape {
            return Err(WeightsError::Shape {
                name: name.to_owned(),
                found: array.to_string(),
                expected: format!("f32{shape:?}"),
            });
        }
        Ok(array.into_numbers())
    }

    /// Checks that no array is left.
    ///
    /// # Errors
    /// [`WeightsError::UnknownArray`] if one is left.
    pub fn finish(self) -> Result<(), WeightsError> {
        self.arrays.first().map_or(Ok(()), |array| Err(WeightsError::UnknownArray(array.name().to_owned())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_can_be_taken_once() {
        let arrays = vec![Array::new("matrix", &[2, 1], vec![3.0, 4.0]), Array::new("scalar", &[], vec![5.0])];
        let mut file = WeightsFile { kind: "test".to_owned(), origin: Origin::default(), arrays };
        let wrong = WeightsError::Shape {
            name: "matrix".to_owned(),
            found: "f32[2, 1]".to_owned(),
            expected: "f32[1, 2]".to_owned(),
        };
        assert_eq!(file.clone().take("matrix", &[1, 2]), Err(wrong));
        assert_eq!(file.take("vector", &[2]), Err(WeightsError::MissingArray("vector".to_owned())));
        assert_eq!(file.take("matrix", &[2, 1]), Ok(vec![3.0, 4.0]));
        assert_eq!(file.take("matrix", &[2, 1]), Err(WeightsError::MissingArray("matrix".to_owned())));
        assert_eq!(file.clone().finish(), Err(WeightsError::UnknownArray("scalar".to_owned())));
        assert_eq!(file.take("scalar", &[]), Ok(vec![5.0]));
        assert_eq!(file.finish(), Ok(()));
    }
}
