//! A dense layer.

use crate::model::weights_file::{WeightsError, WeightsFile};

/// A dense layer: weighted sums of a few numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct Dense<const INPUTS: usize, const OUTPUTS: usize> {
    weights: Vec<[f32; OUTPUTS]>,
    biases: [f32; OUTPUTS],
}

impl<const INPUTS: usize, const OUTPUTS: usize> Dense<INPUTS, OUTPUTS> {
    /// Takes the arrays `NAME.weights` and `NAME.biases` from a file.
    ///
    /// # Errors
    /// [`WeightsError`] if one is missing or has another shape.
    pub fn take(file: &mut WeightsFile, name: &str) -> Result<Self, WeightsError> {
        let weights = file.take(&format!("{name}.weights"), &[INPUTS, OUTPUTS])?.as_chunks().0.to_vec();
        let biases = file.take(&format!("{name}.biases"), &[OUTPUTS])?;
        Ok(Self { weights, biases: biases.try_into().expect("as many as outputs") })
    }

    /// Computes the outputs.
    pub fn sums(&self, inputs: &[f32; INPUTS]) -> [f32; OUTPUTS] {
        let mut sums = self.biases;
        for (input, weights) in inputs.iter().zip(&self.weights) {
            sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += input * weight);
        }
        sums
    }
}
