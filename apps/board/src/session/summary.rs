//! Entries in the list of games.

use game::{Rules, Team};
use record::{NodeId, Verdict};
use serde::Serialize;

use super::log::Session;
use super::seat::Seat;
use super::state::label;

/// An entry in the list of games. Its JSON has the names of the fields.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Summary {
    /// The name of the game; may be empty.
    pub name: String,
    /// The rules.
    pub rules: Rules,
    /// Number of moves to the current node.
    pub moves: usize,
    /// Names of the players of both teams; may be empty.
    pub names: [String; 2],
    /// The players, blue first.
    pub seats: [Seat; 4],
    /// The points of the teams.
    pub points: [i32; 2],
    /// `ONE`, `TWO`, `drawn` or `unfinished`.
    pub result: Verdict,
}

impl Summary {
    /// Summarises a session.
    pub fn of(session: &Session) -> Self {
        let position = session.position();
        Self {
            name: label(&session.state.node_at(NodeId::START).note).to_owned(),
            rules: position.rules(),
            moves: session.moves().len(),
            names: session.state.game.names.clone(),
            seats: session.state.seats.0.clone(),
            points: Team::ALL.map(|team| position.team_points(team)),
            result: session.verdict(),
        }
    }
}
