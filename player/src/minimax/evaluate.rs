//! What a position is worth where the search stops.

use std::sync::Arc;

use game::{Position, Team};

use crate::model::Model;
use crate::model::evaluation::{View, evaluated_turn, likely_margin};
use crate::model::handcrafted::{self, POINT};

/// An opinion about positions that are not over.
pub trait Evaluate: Send + Sync {
    /// What the position is worth to a team, in hundredths of a point of the final margin. The
    /// value for the other team is the negative. Less than [`INFINITY`](super::INFINITY).
    fn evaluate(&self, position: &Position, team: Team) -> i32;
}

/// The [hand-crafted evaluation](handcrafted) of the heuristic player, the number of placements included.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandCrafted;

impl Evaluate for HandCrafted {
    fn evaluate(&self, position: &Position, team: Team) -> i32 {
        handcrafted::evaluate(position, team) + handcrafted::mobility(position, team)
    }
}

/// The [learnt evaluation](crate::model::evaluation) of a model, as the margin that goes with it. Where a colour has
/// not begun, the hand-crafted one.
#[derive(Clone, Debug)]
pub struct Learnt(pub Arc<Model>);

impl Evaluate for Learnt {
    fn evaluate(&self, position: &Position, team: Team) -> i32 {
        let turn = position.turn();
        let Some(view) = View::of(position.board(), position.in_play(), evaluated_turn(turn)) else {
            return HandCrafted.evaluate(position, team);
        };
        let margin = (POINT as f32 * likely_margin(self.0.evaluation.evaluate(&view), turn)) as i32;
        if team == Team::One { margin } else { -margin }
    }
}

/// The points by which a team leads; the value of a position that is over.
pub fn margin(position: &Position, team: Team) -> i32 {
    POINT * position.margin(team)
}
