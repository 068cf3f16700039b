//! A neural network with one hidden layer, small enough to be asked for every leaf of a search.

/// How many hidden units there are. With half as many the predictions are a little worse, and with two layers of 32 and
/// 16 units they are no better.
pub const HIDDEN: usize = 64;

/// Each hidden unit is a weighted sum of the inputs, or 0 where that is negative (a rectified linear unit);
/// the output is a weighted sum of the hidden units.
///
/// All sums are taken in one order, so that the output is the same on every machine.
#[derive(Clone, PartialEq, Debug)]
pub struct ValueNet<const INPUTS: usize> {
    /// What each input adds to each hidden unit.
    pub hidden_weights: [[f32; HIDDEN]; INPUTS],
    /// What the hidden units are before any input is added.
    pub hidden_biases: [f32; HIDDEN],
    /// What each hidden unit adds to the output.
    pub output_weights: [f32; HIDDEN],
    /// The output if all hidden units are 0.
    pub output_bias: f32,
}

impl<const INPUTS: usize> ValueNet<INPUTS> {
    /// A network whose output is always 0.
    pub const ZERO: Self = Self {
        hidden_weights: [[0.0; HIDDEN]; INPUTS],
        hidden_biases: [0.0; HIDDEN],
        output_weights: [0.0; HIDDEN],
        output_bias: 0.0,
    };

    /// The hidden units.
    #[allow(
        clippy::needless_range_loop,
        reason = "many sums at once, each in the order of the inputs; with chained iterators in the place of the \
                  outer loop, a network of 32 and 16 units made the whole search 7 % longer"
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

    /// The output of some hidden units.
    #[inline]
    pub fn output(&self, hidden: &[f32; HIDDEN]) -> f32 {
        let products = hidden.iter().zip(&self.output_weights).map(|(unit, weight)| unit * weight);
        products.sum::<f32>() + self.output_bias
    }

    /// All weights and biases, for a learner to change.
    pub fn numbers_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        let hidden = self.hidden_weights.as_flattened_mut().iter_mut().chain(&mut self.hidden_biases);
        hidden.chain(&mut self.output_weights).chain([&mut self.output_bias])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_rectified_sums() {
        let mut network = ValueNet::<2>::ZERO;
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
    fn a_learner_finds_every_number() {
        let mut network = ValueNet::<3>::ZERO;
        network.numbers_mut().for_each(|number| *number += 1.0);
        assert_eq!(network.numbers_mut().count(), 5 * HIDDEN + 1);
        assert_eq!(network.output(&network.hidden(&[1.0; 3])), 4.0 * HIDDEN as f32 + 1.0);
    }
}
