//! Entries in the list of games.

use game::{Color, Rules, Team};
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
    /// The points of the teams, or of the colours in rules without teams.
    pub points: Vec<i32>,
    /// `ONE`, `TWO`, a colour, `drawn` or `unfinished`.
    pub result: Verdict,
}

impl Summary {
    /// Summarises a session.
    pub fn of(session: &Session) -> Self {
        let position = session.position();
        let points = match position.rules().has_teams() {
            true => Team::ALL.map(|team| position.team_points(team)).to_vec(),
            false => Color::ALL.map(|color| position.points(color)).to_vec(),
        };
        Self {
            name: label(&session.state.node_at(NodeId::START).note).to_owned(),
            rules: position.rules(),
            moves: session.moves().len(),
            names: session.state.game.names.clone(),
            seats: session.state.seats.0.clone(),
            points,
            result: session.verdict(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Action, By};
    use game::Position;

    #[test]
    fn four_players_have_own_points() {
        for (rules, points) in [(Rules::Classic, vec![1, 2]), (Rules::FourPlayers, vec![1, 2, 0, 0])] {
            let mut session = Session::new(Position::new(rules, None).unwrap());
            for mv in ["MONO@0,0", "DOMINO@18,0"] {
                session.act(&Action::Play { mv: mv.parse().unwrap() }, By::Host, 0).unwrap();
            }
            assert_eq!(Summary::of(&session).points, points);
        }
    }
}
