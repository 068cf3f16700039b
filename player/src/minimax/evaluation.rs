//! Evaluations of the leaves.

use std::sync::Arc;

use game::{Position, Team};

use crate::model::Model;
use crate::model::handcrafted::{self, POINT};
use crate::model::value_net::{PositionFeatures, evaluated_turn, margin_of_win};

/// An evaluation of positions that are not over.
pub trait Evaluate: Send + Sync {
    /// Evaluates a position for a team, in hundredths of a point of the final margin. The other team gets the negated
    /// value. Values are less than [`INFINITY`](super::INFINITY).
    fn evaluate(&self, position: &Position, team: Team) -> i32;
}

/// The [hand-crafted evaluation](handcrafted), including mobility.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandCrafted;

impl Evaluate for HandCrafted {
    fn evaluate(&self, position: &Position, team: Team) -> i32 {
        handcrafted::evaluate(position, team) + handcrafted::mobility(position, team)
    }
}

/// The [value network](crate::model::value_net) of a model, converted to margins. Before every colour has placed a
/// piece, the hand-crafted evaluation.
#[derive(Clone, Debug)]
pub struct ValueNetEvaluation(pub Arc<Model>);

impl Evaluate for ValueNetEvaluation {
    fn evaluate(&self, position: &Position, team: Team) -> i32 {
        let turn = position.turn();
        let features = PositionFeatures::of(position.board(), position.in_play(), evaluated_turn(turn));
        let Some(features) = features else { return HandCrafted.evaluate(position, team) };
        let margin = (POINT as f32 * margin_of_win(self.0.value_net.evaluate(&features), turn)) as i32;
        if team == Team::One { margin } else { -margin }
    }
}

/// Returns the value of a position that is over.
pub fn final_margin(position: &Position, team: Team) -> i32 {
    POINT * position.margin(team)
}
