//! Softmax regression: finds feature weights such that the softmax of the options' weighted sums comes closest to their
//! target shares. [`Adam`] minimises the cross entropy.

use rand::Rng;
use rand::seq::SliceRandom;

use crate::adam::Adam;

/// A training sample: the features and target shares of the options of a choice.
#[derive(Clone, Debug, Default)]
pub struct ChoiceSample {
    /// The target share of each option; they sum up to 1.
    pub targets: Vec<f32>,
    /// The features of the options, one option after the other.
    pub features: Vec<f32>,
}

impl ChoiceSample {
    fn options(&self) -> std::slice::ChunksExact<'_, f32> {
        self.features.chunks_exact(self.features.len() / self.targets.len())
    }

    /// Returns the shares that some weights give to the options.
    fn shares(&self, weights: &[f32]) -> Vec<f32> {
        let sums: Vec<f32> =
            self.options().map(|features| features.iter().zip(weights).map(|(f, w)| f * w).sum()).collect();
        let largest = sums.iter().copied().fold(f32::MIN, f32::max);
        let mut shares: Vec<f32> = sums.iter().map(|sum| (sum - largest).exp()).collect();
        let total: f32 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= total);
        shares
    }
}

/// Returns the mean cross entropy of some choices, in nats; none without choices.
pub fn loss(choices: &[ChoiceSample], weights: &[f32]) -> Option<f32> {
    let of_choice = |choice: &ChoiceSample| -> f32 {
        let shares = choice.shares(weights);
        choice.targets.iter().zip(shares).map(|(target, share)| -target * share.max(1e-9).ln()).sum()
    };
    (!choices.is_empty()).then(|| choices.iter().map(of_choice).sum::<f32>() / choices.len() as f32)
}

/// Improves weights; `choices` are shuffled.
pub fn fit(choices: &mut [ChoiceSample], weights: &mut [f32], epochs: usize, rng: &mut impl Rng) {
    const BATCH: usize = 64;
    const DECAY: f32 = 1e-5;
    let mut adam = Adam::new(weights.len());
    for epoch in 0..epochs {
        choices.shuffle(rng);
        let rate = 0.03 * (1.0 - epoch as f32 / epochs as f32);
        for batch in choices.chunks(BATCH) {
            let mut gradient: Vec<f32> = weights.iter().map(|weight| DECAY * weight).collect();
            for choice in batch {
                let shares = choice.shares(weights);
                for ((features, target), share) in choice.options().zip(&choice.targets).zip(shares) {
                    let error = (share - target) / batch.len() as f32;
                    gradient.iter_mut().zip(features).for_each(|(sum, feature)| *sum += error * feature);
                }
            }
            adam.step(weights.iter_mut(), gradient, rate);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn finds_weights_of_targets() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let truth = [1.5, -0.5, 0.0, 3.0];
        let mut choices = Vec::new();
        for _ in 0..3000 {
            let features = (0..5 * truth.len()).map(|_| rng.random_range(-1.0..1.0)).collect();
            let mut choice = ChoiceSample { targets: vec![0.0; 5], features };
            choice.targets = choice.shares(&truth);
            choices.push(choice);
        }
        let mut weights = [0.0; 4];
        let before = loss(&choices, &weights);
        fit(&mut choices, &mut weights, 20, &mut rng);
        assert!(loss(&choices, &weights) < before);
        for (weight, truth) in weights.iter().zip(truth) {
            assert!((weight - truth).abs() < 0.1, "{weights:?}");
        }
    }

    #[test]
    fn share_is_logistic_against_zero() {
        let choice = ChoiceSample { targets: vec![0.25, 0.75], features: vec![1.0, 2.0, 0.0, 0.0] };
        let shares = choice.shares(&[0.5, -1.0]);
        assert!((shares[0] - 1.0 / (1.0 + 1.5f32.exp())).abs() < 1e-6);
        assert!((loss(&[choice], &[0.0, 0.0]).unwrap() - 2f32.ln()).abs() < 1e-6);
    }
}
