//! Late move reductions and futility pruning.
//!
//! Late move reductions: good moves are mostly among the first candidates. A later one gets a full search only if a
//! shallower one beats the best so far.
//!
//! Futility pruning: a position shortly before the end of a line is not searched if its evaluation is far below the
//! window (E. A. Heinz, Extended futility pruning, 1998), or above it (reverse futility pruning). The team to move
//! usually gains by its move, so the upper margin is much smaller.

use super::params::Params;
use super::window::Window;
use crate::model::handcrafted::POINT;

impl Params {
    /// Returns the reduction in plies of a candidate by its number, from 0.
    pub(super) fn reduction(&self, number: usize, depth: u32) -> u32 {
        // One ply must remain after the candidate.
        u32::from(number >= self.full_depth_moves as usize && depth > 2)
    }

    /// Returns `true` if positions of this depth may be pruned.
    pub(super) fn may_prune(&self, depth: u32) -> bool {
        depth <= self.futility_depth
    }

    /// Returns a bound outside the window if the evaluation is so far outside that no search is needed.
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
    fn reductions_start_at_later_candidates_and_depth_3() {
        let params = Params { full_depth_moves: 4, ..Params::default() };
        assert_eq!([0, 3, 4, 9].map(|number| params.reduction(number, 3)), [0, 0, 1, 1]);
        assert_eq!([1, 2, 3].map(|depth| params.reduction(4, depth)), [0, 0, 1]);
    }

    #[test]
    fn positions_beyond_the_margins_are_pruned() {
        let params =
            Params { futility_depth: 2, reverse_futility_margin: 1.5, futility_margin: 12.0, ..Params::default() };
        let window = Window { alpha: 1000, beta: 1001 };
        let bound = |evaluation| params.futility_bound(evaluation, 2, window);
        assert_eq!([1300, 1301].map(bound), [None, Some(1001)]);
        assert_eq!([-1399, -1400].map(bound), [None, Some(1000)]);
        assert_eq!([0, 1, 2, 3].map(|depth| params.may_prune(depth)), [true, true, true, false]);
    }
}
