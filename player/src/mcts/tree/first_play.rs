//! First-play urgency: the values of new children.

use game::Placement;

/// A child to create.
#[derive(Clone, Copy, Debug)]
pub struct NewChild {
    pub placement: Placement,
    pub prior: f32,
    /// Added to the first value: the history of the move.
    pub bonus: f32,
}

impl NewChild {
    pub fn new(placement: Placement, prior: f32) -> Self {
        Self { placement, prior, bonus: 0.0 }
    }
}

/// First values by prior: the likeliest child gets the value of its parent, another one less by the square root of its
/// prior divided by the largest one (Pentobi's formula).
pub struct FirstValues {
    value: f32,
    largest_prior: f32,
}

impl FirstValues {
    pub fn new(value: f32, priors: impl Iterator<Item = f32>) -> Self {
        // Values of the parent can be outside 0 to 1. Below 0 the likeliest child would get the least.
        Self { value: value.clamp(0.0, 1.0), largest_prior: priors.fold(f32::MIN_POSITIVE, f32::max) }
    }

    pub fn of(&self, prior: f32) -> f32 {
        self.value * (prior / self.largest_prior).sqrt()
    }
}
