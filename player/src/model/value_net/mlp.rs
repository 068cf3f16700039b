//! A multilayer perceptron with one hidden layer, fast enough for every leaf of a search.

/// Number of hidden units. Half as many predict a little worse; two layers of 32 and 16 units predict no better.
pub const HIDDEN: usize = 64;

/// A multilayer perceptron: rectified linear hidden units, and one linear output. All sums have a fixed order, so the
/// output is the same on every machine.
#[derive(Clone, PartialEq, Debug)]
pub struct Mlp<const INPUTS: usize> {
    /// Weights from each input to each hidden unit.
    pub hidden_weights: [[f32; HIDDEN]; INPUTS],
    /// Biases of the hidden units.
    pub hidden_biases: [f32; HIDDEN],
    /// Weights from the hidden units to the output.
    pub output_weights: [f32; HIDDEN],
    /// Bias of the output.
    pub output_bias: f32,
}

impl<const INPUTS: usize> Mlp<INPUTS> {
    /// A network with zero weights.
    pub const ZERO: Self = Self {
        hidden_weights: [[0.0; HIDDEN]; INPUTS],
        hidden_biases: [0.0; HIDDEN],
        output_weights: [0.0; HIDDEN],
        output_bias: 0.0,
    };

    /// Computes the hidden units.
    #[expect(
        clippy::needless_range_loop,
        reason = "many sums at once, each in the order of the inputs; chained iterators were slower"
    )]
    #[inline]
    pub fn hidden(&self, inputs: &[f32; INPUTS]) -> [f32; HIDDEN] {
        let mut sums = self.hidden_biases;
        for i in 0..INPUTS {
            let weights = &self.hidden_weights[i];
            for unit in 0..HIDDEN {
                sums[unit] += inputs[i] * weights[unit];
            }
        }
        sums.map(|sum| sum.max(0.0))
    }

    /// Computes the output from the hidden units.
    #[inline]
    pub fn output(&self, hidden: &[f32; HIDDEN]) -> f32 {
        let products = hidden.iter().zip(&self.output_weights).map(|(unit, weight)| unit * weight);
        products.sum::<f32>() + self.output_bias
    }

    /// Returns all weights and biases, for training.
    pub fn numbers_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        let hidden = self.hidden_weights.as_flattened_mut().iter_mut().chain(&mut self.hidden_biases);
        hidden.chain(&mut self.output_weights).chain([&mut self.output_bias])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_units_are_rectified_sums() {
        let mut network = Mlp::<2>::ZERO;
        assert_eq!(network.output(&network.hidden(&[1.0, 1.0])), 0.0);
        // |a - b| + 3
        (network.hidden_weights[0][0], network.hidden_weights[1][0]) = (1.0, -1.0);
        (network.hidden_weights[0][1], network.hidden_weights[1][1]) = (-1.0, 1.0);
        (network.output_weights[0], network.output_weights[1], network.output_bias) = (1.0, 1.0, 3.0);
        assert_eq!(network.output(&network.hidden(&[7.0, 2.0])), 8.0);
        assert_eq!(network.output(&network.hidden(&[2.0, 7.0])), 8.0);
        network.hidden_biases[1] = 1.0;
        assert_eq!(network.output(&network.hidden(&[2.0, 7.0])), 9.0);
    }

    #[test]
    fn training_reaches_every_number() {
        let mut network = Mlp::<3>::ZERO;
        network.numbers_mut().for_each(|number| *number += 1.0);
        assert_eq!(network.numbers_mut().count(), 5 * HIDDEN + 1);
        assert_eq!(network.output(&network.hidden(&[1.0; 3])), 4.0 * HIDDEN as f32 + 1.0);
    }
}
