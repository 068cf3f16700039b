//! The result of a search of a position.

use game::{Move, Position, Team};
use player::Evaluation;
use record::Note;
use serde::{Deserialize, Serialize};

/// The result of a search of a position, in JSON
/// `{"win":0.53,"margin":3.2,"nodes":1000,"time":500,"line":["PENTO_W@0,0",…],"candidates":[{"move":…,"share":0.4,"win":0.55},…]}`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Insight {
    /// Win probability of team one, 0 to 1; a draw is half a win.
    pub win: f32,
    /// Expected margin of team one in points.
    pub margin: f32,
    /// Number of visited nodes.
    pub nodes: u64,
    /// Time of the search in milliseconds; 0 if it is not complete.
    #[serde(default)]
    pub time: u64,
    /// The principal variation.
    pub line: Vec<Move>,
    /// The best move, then those with the most visits.
    pub candidates: Vec<CandidateMove>,
}

/// A candidate of a search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CandidateMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// Its share of the visits, 0 to 1.
    pub share: f32,
    /// Win probability of the team that moves, if it was searched.
    pub win: Option<f32>,
    /// Expected margin of that team, if the move was [compared](Insight::compared) with another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<f32>,
}

impl Insight {
    /// Creates an insight from an evaluation for the team to move.
    pub fn of(position: &Position, evaluation: Evaluation, nodes: u64, line: Vec<Move>) -> Self {
        let of_one = match position.color().team() {
            Team::One => evaluation,
            Team::Two => evaluation.of_opponents(),
        };
        let margin = expected_margin(position.turn(), of_one);
        Self { win: of_one.win, margin, nodes, time: 0, line, candidates: Vec::new() }
    }

    /// Reads the win probability and the margin of a note about a move of `team`.
    pub(super) fn of_note(note: &Note, team: Team) -> Option<Self> {
        let (win, margin) = note.win.zip(note.margin)?;
        let (win, margin) = if team == Team::One { (win, margin) } else { (1.0 - win, -margin) };
        Some(Self { win, margin, nodes: 0, time: 0, line: Vec::new(), candidates: Vec::new() })
    }

    /// Returns the insight into the end of a game; `None` before the end.
    pub fn of_end(position: &Position) -> Option<Self> {
        let evaluation = Evaluation::of_result(position.margin(position.color().team()));
        position.is_over().then(|| Self::of(position, evaluation, u64::MAX >> 1, Vec::new()))
    }

    /// Adds the insights into the positions after two moves of `team` with equal search times.
    #[must_use]
    pub fn compared(mut self, team: Team, moves: [(Move, &Self); 2]) -> Self {
        for (mv, after) in moves {
            let (win, margin) = (Some(after.win_of(team)), Some(after.margin_of(team)));
            match self.candidates.iter_mut().find(|candidate| candidate.mv == mv) {
                Some(known) => (known.win, known.margin) = (win, margin),
                None => self.candidates.push(CandidateMove { mv, share: 0.0, win, margin }),
            }
        }
        self
    }

    /// Returns the win probabilities and margins of the best move and another one if they were
    /// [compared](Self::compared).
    pub(super) fn comparison(&self, other: Move) -> Option<[(f32, f32); 2]> {
        let of = |mv| {
            let candidate = self.candidates.iter().find(|candidate| candidate.mv == mv)?;
            candidate.win.zip(candidate.margin)
        };
        Some([of(*self.line.first()?)?, of(other)?])
    }

    /// Returns the win probability of a team.
    pub fn win_of(&self, team: Team) -> f32 {
        if team == Team::One { self.win } else { 1.0 - self.win }
    }

    /// Returns the expected margin of a team.
    pub fn margin_of(&self, team: Team) -> f32 {
        if team == Team::One { self.margin } else { -self.margin }
    }
}

/// Combines the margin of the playouts and the win probability. Playouts are poor predictors in the first rounds, and
/// underestimate margins later; see `docs/experiments.md`.
fn expected_margin(turn: u16, evaluation: Evaluation) -> f32 {
    if evaluation == Evaluation::of_result(evaluation.margin as i32) {
        return evaluation.margin;
    }
    let turn = f32::from(turn);
    let of_playouts = (turn / 18.0).min(1.0);
    let of_chance = 22.0 * (1.0 - of_playouts) + 4.0 * of_playouts * (1.0 - turn / 52.0).max(0.0);
    let win = evaluation.win.clamp(0.01, 0.99);
    of_playouts * evaluation.margin + of_chance * (win / (1.0 - win)).ln()
}

/// Returns the key of a position within its game.
pub(super) fn key(position: &Position) -> String {
    format!("{}-{:016x}", position.turn(), position.zobrist_hash())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_follow_the_win_probability_first() {
        let evaluation = |win, margin| Evaluation { win, margin };
        assert_eq!(expected_margin(0, evaluation(0.5, 20.0)), 0.0);
        assert!((9.0..13.0).contains(&expected_margin(9, evaluation(0.6, 12.0))));
        assert_eq!(expected_margin(60, evaluation(0.9, 12.0)), 12.0);
        assert_eq!(expected_margin(0, Evaluation::of_result(7)), 7.0);
        let of_two = expected_margin(5, evaluation(0.7, 10.0).of_opponents());
        assert!((expected_margin(5, evaluation(0.7, 10.0)) + of_two).abs() < 1e-4, "{of_two}");
    }
}
