//! The inputs of the value network.

use crate::model::features::{Features, features};

features! {
    /// Inputs of the value network: features of the four colours, beginning with the colour to move.
    pub struct ValueInputs {
        /// The colour to move.
        own: ColorFeatures,
        /// The next opponent.
        next: ColorFeatures,
        /// The partner.
        partner: ColorFeatures,
        /// The last opponent.
        last: ColorFeatures,
        /// Progress of the game.
        progress: ProgressFeatures,
    }

    /// Features of one colour, most of them from 0 to 1. Anchors that no piece can cover do not count.
    pub struct ColorFeatures {
        /// Covered cells, divided by 50.
        covered: f32,
        /// Remaining pieces of five cells, divided by 10.
        pentominoes: f32,
        /// Remaining pieces of four cells, divided by 5.
        tetrominoes: f32,
        /// Anchors, divided by 20.
        anchors: f32,
        /// Anchors that a piece of at least two cells can cover, divided by 20.
        anchors_for_2: f32,
        /// Anchors that a piece of at least three cells can cover, divided by 20.
        anchors_for_3: f32,
        /// Anchors that a piece of at least four cells can cover, divided by 20.
        anchors_for_4: f32,
        /// Anchors that a piece of five cells can cover, divided by 20.
        anchors_for_5: f32,
        /// Square root of the number of pairs of a placement and a covered anchor, divided by 20.
        mobility: f32,
        /// Cells of the remaining pieces that fit anywhere, divided by 50.
        placeable: f32,
        /// Cells reached no later than by any opponent (see `reach.rs`), divided by 50.
        reached_first: f32,
        /// Cells within four steps of an anchor, divided by 50.
        near: f32,
        /// Cells within eight steps of an anchor, divided by 50.
        far: f32,
        /// Near cells that are near no opponent's anchor.
        near_alone: f32,
        /// Far cells that are far cells of no opponent.
        far_alone: f32,
        /// Near cells that are also near the partner's anchors.
        near_shared: f32,
        /// Far cells that are also far cells of the partner.
        far_shared: f32,
    }

    /// The turn divided by the last evaluated turn, and its excess over one, two, three and four fifths. So each phase
    /// of the game has its own weight.
    pub struct ProgressFeatures {
        /// Part of the game that has passed.
        passed: f32,
        /// Part since the first fifth.
        since_1st_fifth: f32,
        /// Part since the second fifth.
        since_2nd_fifth: f32,
        /// Part since the third fifth.
        since_3rd_fifth: f32,
        /// Part since the fourth fifth.
        since_4th_fifth: f32,
    }
}

/// Number of inputs.
pub const INPUTS: usize = ValueInputs::COUNT;
