//! An array of weights.

use std::fmt;

/// A named array.
///
/// ```
/// use player::model::Array;
///
/// let array = Array::new("biases", &[2], vec![0.5, 0.25]);
/// assert_eq!((array.name(), array.to_string()), ("biases", "f32[2]".to_owned()));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Array {
    name: String,
    shape: Vec<usize>,
    numbers: Vec<f32>,
}

impl Array {
    /// Creates an array.
    ///
    /// # Panics
    /// If the number of elements does not match the shape.
    #[track_caller]
    pub fn new(name: impl Into<String>, shape: &[usize], numbers: Vec<f32>) -> Self {
        assert_eq!(shape.iter().product::<usize>(), numbers.len(), "{shape:?}");
        Self { name: name.into(), shape: shape.to_vec(), numbers }
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the size in each dimension.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns the numbers in row-major order.
    pub fn numbers(&self) -> &[f32] {
        &self.numbers
    }

    /// Converts the array to its numbers.
    pub fn into_numbers(self) -> Vec<f32> {
        self.numbers
    }
}

/// Writes type and shape, for example `f32[5, 22]`.
impl fmt::Display for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "f32{:?}", self.shape)
    }
}
