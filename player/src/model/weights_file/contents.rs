//! What a file of weights holds.

use super::array::Array;
use super::error::WeightsError;

/// What made some weights, so that they can be made again.
///
/// ```
/// use player::model::{Model, Origin};
///
/// let origin = Origin { command: "trainer learn".to_owned(), ..Origin::default() };
/// let file = Model::built_in().prior.to_file(origin.clone());
/// assert_eq!(file.origin, origin);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// The command line that made them.
    pub command: String,
    /// What they were learnt from: which games, how many positions.
    pub data: String,
    /// The fingerprint of the engine that played the games, see [`bench`](crate::bench).
    pub engine: String,
}

/// A file of weights in memory.
#[derive(Clone, PartialEq, Debug)]
pub struct WeightsFile {
    /// Which part of the model it holds.
    pub kind: String,
    /// What made it.
    pub origin: Origin,
    /// The weights.
    pub arrays: Vec<Array>,
}

impl WeightsFile {
    /// Takes out the numbers of the array of this name, which must have this shape.
    ///
    /// # Errors
    /// [`WeightsError::MissingArray`] or [`WeightsError::Shape`] if there is no such array.
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

    /// Makes sure that all arrays have been taken out.
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
    fn arrays_are_taken_out_once_or_named() {
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
