//! A node of the tree, and the result of a simulation.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use bytemuck::Zeroable;
use game::Placement;

use super::super::atomic::{AtomicF32, MAX_MEAN_COUNT};
use super::link::{AtomicNodeLink, NodeLink};
use crate::math::min;

/// A node: a move and the results of its simulations.
///
/// Value and gap belong to the team that made the move: a value of 1 is a win for it. The evaluation belongs to team
/// one.
#[derive(Zeroable, Debug)]
#[repr(C)]
pub struct TreeNode {
    pub(super) link: AtomicNodeLink,
    visits: AtomicU32,
    /// Mean of the values added, see [`MAX_MEAN_COUNT`].
    value: AtomicF32,
    /// Sum of the weights of the values added.
    weight: AtomicF32,
    prior: AtomicF32,
    /// Mean of the gaps added, with the same weights.
    gap: AtomicF32,
    /// Expected result of team one; 0 for none.
    evaluation: AtomicF32,
}

const _: () = assert!(size_of::<TreeNode>() == 32);

impl TreeNode {
    /// Returns the placement that leads to the node.
    ///
    /// # Panics
    /// For the root of a new tree.
    pub fn placement(&self) -> Placement {
        Placement::from_index(self.placement_index()).expect("nodes hold indices of placements")
    }

    /// Returns the [`Placement::index`] of the placement that leads to the node.
    #[inline(always)]
    pub fn placement_index(&self) -> usize {
        self.link.load(Ordering::Relaxed).placement.into()
    }

    #[inline(always)]
    pub fn visits(&self) -> u32 {
        self.visits.load(Ordering::Relaxed)
    }

    /// Returns the mean of the values added.
    #[inline(always)]
    pub fn value(&self) -> f32 {
        self.value.load()
    }

    /// Returns the mean of the [gaps](SimulationResult::gap) added.
    #[inline(always)]
    pub fn gap(&self) -> f32 {
        self.gap.load()
    }

    /// Returns the stored evaluation of the position after the move, for team one.
    #[inline(always)]
    pub fn evaluation(&self) -> Option<f32> {
        Some(self.evaluation.load()).filter(|&evaluation| evaluation > 0.0)
    }

    /// Stores the evaluation for team one, 0 to 1. Exactly 0 counts as none.
    #[inline(always)]
    pub fn set_evaluation(&self, evaluation: f32) {
        self.evaluation.store(evaluation);
    }

    /// Returns the sum of the weights of the values added.
    pub fn weight(&self) -> f32 {
        self.weight.load()
    }

    /// Returns the probability of the move before the search.
    #[inline(always)]
    pub fn prior(&self) -> f32 {
        self.prior.load()
    }

    /// Adds a visit and returns their number. This is no virtual loss: the selection divides by the weight, which
    /// changes only when results are backpropagated.
    #[inline(always)]
    pub fn add_visit(&self) -> u32 {
        let visits = self.visits() + 1;
        self.set_visits(visits);
        visits
    }

    pub(super) fn set_visits(&self, visits: u32) {
        self.visits.store(visits, Ordering::Relaxed);
    }

    /// Adds a result to the means.
    #[inline(always)]
    pub fn add(&self, result: SimulationResult, weight: f32) {
        let sum = self.weight.load() + weight;
        // Experience can weigh more than the maximum of the mean.
        let part = min(weight / min(sum, MAX_MEAN_COUNT), 1.0);
        for (field, new) in [(&self.value, result.value), (&self.gap, result.gap)] {
            let mean = field.load();
            field.store(mean + (new - mean) * part);
        }
        self.weight.store(sum);
    }

    pub(super) fn children(&self) -> Range<u32> {
        self.link.load(Ordering::Acquire).children()
    }

    /// Makes the node a leaf without visits.
    pub(super) fn reset(&self, placement: Placement, prior: f32, first_value: f32, weight: f32) {
        self.link.store(NodeLink::leaf(placement.index() as u16));
        self.set_visits(0);
        self.value.store(first_value);
        self.weight.store(weight);
        self.gap.store(0.0);
        self.evaluation.store(0.0);
        self.prior.store(prior);
    }

    /// Replaces prior and first value. The first value has `weight` in the value.
    pub(super) fn update_prior(&self, prior: f32, first_value_gain: f32, weight: f32) {
        self.value.store(self.value() + first_value_gain * weight / self.weight());
        self.prior.store(prior);
    }

    /// Copies another node, with other children.
    pub(super) fn copy_from(&self, other: &Self, first_child: u32, child_count: u16) {
        let placement = other.placement_index() as u16;
        self.link.store(NodeLink { first_child, child_count, placement });
        self.set_visits(other.visits());
        self.value.store(other.value());
        self.weight.store(other.weight.load());
        self.prior.store(other.prior());
        self.gap.store(other.gap());
        self.evaluation.store(other.evaluation.load());
    }

    pub(super) fn set_children(&self, first_child: u32, child_count: u16) {
        let placement = self.placement_index() as u16;
        self.link.store(NodeLink { first_child, child_count, placement });
    }
}

/// The result of a simulation for the team that made a move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SimulationResult {
    /// 0 to 1; 1 is a win.
    pub value: f32,
    /// Evaluation of the leaf minus result of the playout, -1 to 1; 0 without an evaluation.
    pub gap: f32,
}

impl SimulationResult {
    /// Mixes the result of a playout with the evaluation of the leaf, which gets this `share`.
    pub fn new(played: f32, evaluation: Option<f32>, share: f32) -> Self {
        let gap = evaluation.map_or(0.0, |evaluation| evaluation - played);
        Self { value: played + share * gap, gap }
    }

    /// Returns the result for the other team.
    pub fn of_opponent(self) -> Self {
        Self { value: 1.0 - self.value, gap: -self.gap }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_weighted_means() {
        let node = TreeNode::zeroed();
        node.add(SimulationResult { value: 1.0, gap: 0.5 }, 1.0);
        node.add(SimulationResult { value: 0.0, gap: -0.5 }, 3.0);
        assert_eq!((node.value(), node.gap(), node.weight()), (0.25, -0.25, 4.0));
    }

    #[test]
    fn mean_of_millions_of_values_is_exact() {
        const VALUES: u32 = 8_000_000;
        let (node, mut sum) = (TreeNode::zeroed(), 0.0);
        for n in 0..VALUES {
            // Like the values of a search: partly an evaluation, partly a win or a loss.
            let [evaluation, won] = [0.618_034, 0.414_214].map(|step| (f64::from(n) * step).fract());
            let value = (0.45 * evaluation + if won < 0.6 { 0.55 } else { 0.0 }) as f32;
            sum += f64::from(value);
            node.add(SimulationResult { value, gap: 0.0 }, 1.0);
        }
        let error = f64::from(node.value()) - sum / f64::from(VALUES);
        assert!(error.abs() < 0.0005, "{error}");
    }

    #[test]
    fn results_mix_playout_and_evaluation() {
        let result = SimulationResult::new(0.25, Some(0.75), 0.5);
        assert_eq!(result, SimulationResult { value: 0.5, gap: 0.5 });
        assert_eq!(SimulationResult::new(0.25, None, 0.5), SimulationResult { value: 0.25, gap: 0.0 });
        let of_opponent = SimulationResult::new(0.75, Some(0.25), 0.25).of_opponent();
        assert_eq!(of_opponent, SimulationResult::new(0.25, Some(0.75), 0.25));
    }
}
