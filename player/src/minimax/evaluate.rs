//! What a position is worth where the search stops.

use game::{Position, Team};

use crate::heuristic::{self, Weights};

/// The unit of values: so many make one point at the end of the game.
pub const POINT: i32 = Weights::POINT;

/// An opinion about positions that are not over.
pub trait Evaluate: Send + Sync {
    /// What the position is worth to a team, in hundredths of a point of the final margin. The
    /// value for the other team is the negative. Less than [`INFINITY`](super::INFINITY).
    fn evaluate(&self, position: &Position, team: Team) -> i32;
}

/// Points and anchors: fast and shallow.
#[derive(Clone, Copy, Debug)]
pub struct Material {
    /// How much an anchor counts.
    pub anchor: i32,
}

impl Default for Material {
    fn default() -> Self {
        Self { anchor: POINT / 2 }
    }
}

impl Evaluate for Material {
    fn evaluate(&self, position: &Position, team: Team) -> i32 {
        let anchors = |team: Team| {
            let colors = team.colors().into_iter().filter(|&color| position.in_play().contains(color));
            colors.map(|color| position.board().anchors(color).len() as i32).sum::<i32>()
        };
        margin(position, team) + self.anchor * (anchors(team) - anchors(team.opponent()))
    }
}

/// The features of the [`heuristic`] player, the number of placements among them.
///
/// They are worked out afresh for every position: that takes about an eighth of the time of a
/// search, of which scoring the [`candidates`](super::candidates) takes more than half.
#[derive(Clone, Copy, Debug, Default)]
pub struct Features(pub Weights);

impl Evaluate for Features {
    fn evaluate(&self, position: &Position, team: Team) -> i32 {
        heuristic::evaluate(position, team, &self.0) + heuristic::mobility(position, team, &self.0)
    }
}

/// The points by which a team leads; the value of a position that is over.
pub fn margin(position: &Position, team: Team) -> i32 {
    POINT * position.margin(team)
}
