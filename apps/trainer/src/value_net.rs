//! Trains an [`Mlp`] by back-propagation: [`Adam`] reduces the cross entropy between a target share and the logistic
//! function of the output.

use player::model::logistic;
use player::model::value_net::{HIDDEN, Mlp};
use rand::seq::SliceRandom;
use rand::{Rng, RngExt};

use crate::adam::Adam;

/// A training sample.
#[derive(Clone, Debug)]
pub struct Sample<const INPUTS: usize> {
    /// Inputs of the network.
    pub inputs: [f32; INPUTS],
    /// 0 to 1.
    pub target: f32,
}

impl<const INPUTS: usize> Sample<INPUTS> {
    /// Returns the expectation of the network minus the target, given its hidden units.
    fn excess(&self, network: &Mlp<INPUTS>, hidden: &[f32; HIDDEN]) -> f32 {
        logistic(network.output(hidden)) - self.target
    }

    /// Adds the gradient of the loss: the excess times the output's gradient.
    fn add_gradient(&self, network: &Mlp<INPUTS>, gradient: &mut Mlp<INPUTS>) {
        let hidden = network.hidden(&self.inputs);
        let excess = self.excess(network, &hidden);
        gradient.output_bias += excess;
        // Gradient passed on by each hidden unit; zero where the unit is inactive.
        let mut passed = [0.0; HIDDEN];
        for (unit, value) in hidden.into_iter().enumerate() {
            gradient.output_weights[unit] += excess * value;
            passed[unit] = if value > 0.0 { excess * network.output_weights[unit] } else { 0.0 };
            gradient.hidden_biases[unit] += passed[unit];
        }
        for (weights, input) in gradient.hidden_weights.iter_mut().zip(&self.inputs) {
            weights.iter_mut().zip(&passed).for_each(|(weight, passed)| *weight += input * passed);
        }
    }
}

/// Learning rate of an [untrained] network.
pub const RATE: f32 = 3e-3;

/// Returns the root mean squared error; `None` without samples.
pub fn error<'a, const INPUTS: usize>(
    samples: impl IntoIterator<Item = &'a Sample<INPUTS>>,
    network: &Mlp<INPUTS>,
) -> Option<f32> {
    let square = |sample: &Sample<INPUTS>| f64::from(sample.excess(network, &network.hidden(&sample.inputs)).powi(2));
    let (mut sum, mut count) = (0.0, 0);
    for sample in samples {
        sum += square(sample);
        count += 1;
    }
    (count > 0).then(|| (sum / f64::from(count)).sqrt() as f32)
}

/// Returns a network with random weights.
pub fn untrained<const INPUTS: usize>(rng: &mut impl Rng) -> Mlp<INPUTS> {
    let mut network = Mlp::ZERO;
    // Different units have to begin differently, with sums of about 1.
    let reach = (3.0 / INPUTS as f32).sqrt();
    let weights = network.hidden_weights.as_flattened_mut().iter_mut();
    weights.chain(&mut network.output_weights).for_each(|weight| *weight = rng.random_range(-reach..reach));
    network
}

/// Trains a network on samples in random order. `rate` is the first learning rate; it decays to 0.
pub fn train<const INPUTS: usize>(
    mut network: Mlp<INPUTS>,
    samples: &mut [Sample<INPUTS>],
    epochs: usize,
    rate: f32,
    rng: &mut impl Rng,
) -> Mlp<INPUTS> {
    const BATCH: usize = 256;
    let mut adam = Adam::new(network.numbers_mut().count());
    for epoch in 0..epochs {
        samples.shuffle(rng);
        let rate = rate * (1.0 - epoch as f32 / epochs as f32);
        for batch in samples.chunks(BATCH) {
            let mut gradient = Mlp::ZERO;
            batch.iter().for_each(|sample| sample.add_gradient(&network, &mut gradient));
            let mean = gradient.numbers_mut().map(|sum| *sum / batch.len() as f32);
            adam.step(network.numbers_mut(), mean, rate);
        }
    }
    network
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn gradient_is_slope_of_loss() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let sample = Sample { inputs: [0.3, -0.8, 0.5], target: 0.7 };
        let mut network = Mlp::ZERO;
        network.numbers_mut().for_each(|number| *number = rng.random_range(-0.5..0.5));
        let loss = |network: &Mlp<3>| {
            let expected = logistic(network.output(&network.hidden(&sample.inputs)));
            -sample.target * expected.ln() - (1.0 - sample.target) * (1.0 - expected).ln()
        };
        let mut gradient = Mlp::ZERO;
        sample.add_gradient(&network, &mut gradient);
        let gradient: Vec<f32> = gradient.numbers_mut().map(|number| *number).collect();
        assert!(gradient.iter().filter(|&&slope| slope != 0.0).count() > HIDDEN);
        for (n, slope) in gradient.into_iter().enumerate() {
            let moved = |step: f32| {
                let mut network = network.clone();
                network.numbers_mut().skip(n).take(1).for_each(|number| *number += step);
                loss(&network)
            };
            assert!((moved(1e-3) - moved(-1e-3) - 2e-3 * slope).abs() < 3e-6, "{n}: {slope}");
        }
    }

    #[test]
    fn fits_a_nonlinear_function() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        let mut sample = || {
            let inputs = [0; 2].map(|_| rng.random_range(-1.0..1.0f32));
            Sample { inputs, target: logistic(4.0 * (inputs[0] - inputs[1]).abs() - 2.0) }
        };
        let mut samples: Vec<_> = (0..2000).map(|_| sample()).collect();
        let held_out = samples.split_off(1500);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let network = train(untrained(&mut rng), &mut samples, 150, RATE, &mut rng);
        let error = |network: &Mlp<2>| error(&held_out, network).unwrap();
        assert!(error(&Mlp::ZERO) > 0.2);
        assert!(error(&network) < 0.03, "{}", error(&network));
    }
}
