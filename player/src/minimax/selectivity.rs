//! What is searched less deep than the rest, or given up, because it will hardly matter.
//!
//! Late move reductions: good moves are mostly among the first candidates, so later ones need a full search only if a
//! less deep one says that they are better than what there is. Futility pruning: a position shortly before the end of a
//! line is given up if its evaluation lies so far outside the window that the plies which are left will hardly bring it
//! back (E. A. Heinz, Extended futility pruning, 1998). The team that moves next mostly gains by moving, so much less is
//! needed to be too good than to be too bad.

use super::Params;
use super::search::Window;
use crate::model::handcrafted::POINT;

impl Params {
    /// By how many plies less deep the candidate of this number, counted from 0, is searched first.
    pub fn reduction(&self, number: usize, depth: u32) -> u32 {
        // One ply must be left after the candidate.
        u32::from(number >= self.full_depth_moves as usize && depth > 2)
    }

    /// Whether positions are given up at all that are to be searched to this depth.
    pub fn may_give_up(&self, depth: u32) -> bool {
        depth <= self.futility_depth
    }

    /// Whether a position of this evaluation that is to be searched to this depth is given up.
    pub fn gives_up(&self, evaluation: i32, depth: u32, window: Window) -> bool {
        let margin = |points: f32| (points * (depth * POINT as u32) as f32) as i32;
        evaluation - margin(self.good_margin) >= window.beta || evaluation + margin(self.bad_margin) <= window.alpha
    }
}
