//! What is searched less deep than the rest, or not at all, because it will hardly matter.
//!
//! Late move reductions: good moves are mostly among the first candidates, so a later one gets a full search only if a
//! less deep one says that it is better than what there is. Futility pruning: a position shortly before the end of a
//! line is not searched if its evaluation lies so far outside the window that the plies which are left will hardly
//! bring it back (E. A. Heinz, Extended futility pruning, 1998; of positions that are too good: reverse futility
//! pruning). The team on turn mostly gains by moving, so much less is needed to be too good than to be too bad.

use super::Params;
use super::window::Window;
use crate::model::handcrafted::POINT;

impl Params {
    /// By how many plies less deep the candidate of this number, counted from 0, is searched first.
    pub(super) fn reduction(&self, number: usize, depth: u32) -> u32 {
        // One ply must be left after the candidate.
        u32::from(number >= self.full_depth_moves as usize && depth > 2)
    }

    /// Whether there is futility pruning in positions that are searched to this depth.
    pub(super) fn may_prune(&self, depth: u32) -> bool {
        depth <= self.futility_depth
    }

    /// The bound beyond the window that a position of this evaluation keeps when it is searched to this depth, if it is
    /// so good or so bad that no search is needed.
    pub(super) fn futility_bound(&self, evaluation: i32, depth: u32, window: Window) -> Option<i32> {
        let margin = |points: f32| (points * (depth * POINT as u32) as f32) as i32;
        let least = evaluation - margin(self.reverse_futility_margin);
        let most = evaluation + margin(self.futility_margin);
        if least >= window.beta { Some(least) } else { (most <= window.alpha).then_some(most) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_later_candidates_are_searched_less_deep_and_never_without_a_ply_after_them() {
        let params = Params { full_depth_moves: 4, ..Params::default() };
        assert_eq!([0, 3, 4, 9].map(|number| params.reduction(number, 3)), [0, 0, 1, 1]);
        assert_eq!([1, 2, 3].map(|depth| params.reduction(4, depth)), [0, 0, 1]);
    }

    #[test]
    fn positions_are_pruned_from_the_margins_on() {
        let params =
            Params { futility_depth: 2, reverse_futility_margin: 1.5, futility_margin: 12.0, ..Params::default() };
        let window = Window { alpha: 1000, beta: 1001 };
        let bound = |evaluation| params.futility_bound(evaluation, 2, window);
        assert_eq!([1300, 1301].map(bound), [None, Some(1001)]);
        assert_eq!([-1399, -1400].map(bound), [None, Some(1000)]);
        assert_eq!([0, 1, 2, 3].map(|depth| params.may_prune(depth)), [true, true, true, false]);
    }
}
