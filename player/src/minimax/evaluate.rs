//! What a position is worth where the search stops.

use game::{Position, Team};

use crate::model::handcrafted::{self, POINT};

/// An opinion about positions that are not over.
pub trait Evaluate: Send + Sync {
    /// What the position is worth to a team, in hundredths of a point of the final margin. The
    /// value for the other team is the negative. Less than [`INFINITY`](super::INFINITY).
    fn evaluate(&self, position: &Position, team: Team) -> i32;
}

/// The [hand-crafted evaluation](handcrafted) of the heuristic player, the number of placements included.
///
/// It is recomputed for every position, which takes about an eighth of the time of a search, of which scoring the [`candidates`](super::candidates) takes more than half.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandCrafted;

impl Evaluate for HandCrafted {
    fn evaluate(&self, position: &Position, team: Team) -> i32 {
        handcrafted::evaluate(position, team) + handcrafted::mobility(position, team)
    }
}

/// The points by which a team leads; the value of a position that is over.
pub fn margin(position: &Position, team: Team) -> i32 {
    POINT * position.margin(team)
}
