//! What an engine thinks of a position.

use std::fmt;
use std::str::FromStr;

use game::{Move, Position, Team};
use player::Evaluation;
use record::Note;
use serde::{Deserialize, Serialize};

use super::words;

/// What an engine thinks of a position, in JSON
/// `{"win":0.53,"margin":3.2,"nodes":1000,"time":500,"line":["PENTO_W@0,0",…],"candidates":[{"move":…,"share":0.4,"win":0.55},…]}`.
///
/// ```
/// use board::session::Insight;
/// use game::{Position, Rules, Team};
///
/// let over = "classic - 4 - - B19/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20".parse()?;
/// let insight = Insight::of_end(&over).expect("the game is over");
/// assert_eq!((insight.win_of(Team::One), insight.margin_of(Team::Two)), (1.0, -1.0));
/// assert!(Insight::of_end(&Position::new(Rules::Classic, None)?).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Insight {
    /// The chance of team one to win, 0 to 1; a draw is half a win.
    pub win: f32,
    /// The points by which team one is expected to end ahead.
    pub margin: f32,
    /// How many nodes were visited for it.
    pub nodes: u64,
    /// How long an engine was to think about it and did, in milliseconds; 0 as long as it does, and if it was stopped.
    #[serde(default)]
    pub time: u64,
    /// How the game is expected to go on, the best move first.
    #[serde(with = "words::moves")]
    pub line: Vec<Move>,
    /// The moves that were looked at most, the best first.
    pub candidates: Vec<Candidate>,
}

/// A move that an engine would think of.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    /// The move.
    #[serde(rename = "move", with = "words::mv")]
    pub mv: Move,
    /// The share of the visits that went to it, 0 to 1.
    pub share: f32,
    /// The chance to win of the team that moves, if it was looked at.
    pub win: Option<f32>,
    /// The points by which that team is expected to end ahead, if the move was [compared](Insight::compared) with
    /// another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<f32>,
}

impl Insight {
    /// What an evaluation for the team on turn says.
    pub fn of(position: &Position, evaluation: Evaluation, nodes: u64, line: Vec<Move>) -> Self {
        let of_one = match position.color().team() {
            Team::One => evaluation,
            Team::Two => evaluation.of_opponents(),
        };
        let margin = expected_margin(position.turn(), of_one);
        Self { win: of_one.win, margin, nodes, time: 0, line, candidates: Vec::new() }
    }

    /// The win probability and the margin of a note about a move of `team`.
    pub(super) fn of_note(note: &Note, team: Team) -> Option<Self> {
        let (win, margin) = note.win.zip(note.margin)?;
        let (win, margin) = if team == Team::One { (win, margin) } else { (1.0 - win, -margin) };
        Some(Self { win, margin, nodes: 0, time: 0, line: Vec::new(), candidates: Vec::new() })
    }

    /// What is certain of a position in which the game is over.
    pub fn of_end(position: &Position) -> Option<Self> {
        let evaluation = Evaluation::of_result(position.margin(position.color().team()));
        position.is_over().then(|| Self::of(position, evaluation, u64::MAX >> 1, Vec::new()))
    }

    /// The same with two moves for `team` that were looked at alike: what was thought of the positions after them.
    #[must_use]
    pub fn compared(mut self, team: Team, moves: [(Move, &Self); 2]) -> Self {
        for (mv, after) in moves {
            let (win, margin) = (Some(after.win_of(team)), Some(after.margin_of(team)));
            match self.candidates.iter_mut().find(|candidate| candidate.mv == mv) {
                Some(known) => (known.win, known.margin) = (win, margin),
                None => self.candidates.push(Candidate { mv, share: 0.0, win, margin }),
            }
        }
        self
    }

    /// The best move and another one as [candidates](Self::candidates) if they were [compared](Self::compared): the
    /// chance to win and the margin of both.
    pub(super) fn comparison(&self, other: Move) -> Option<[(f32, f32); 2]> {
        let of = |mv| {
            let candidate = self.candidates.iter().find(|candidate| candidate.mv == mv)?;
            candidate.win.zip(candidate.margin)
        };
        Some([of(*self.line.first()?)?, of(other)?])
    }

    /// The chance of a team to win.
    pub fn win_of(&self, team: Team) -> f32 {
        if team == Team::One { self.win } else { 1.0 - self.win }
    }

    /// The points by which a team is expected to end ahead.
    pub fn margin_of(&self, team: Team) -> f32 {
        if team == Team::One { self.margin } else { -self.margin }
    }
}

/// The margin to expect at a turn when an engine says so: what its playouts and its chance to win together say of how
/// games end. Playouts know little of the end in the first rounds, and later see smaller margins than there will be;
/// the figures are in `docs/experiments.md`.
fn expected_margin(turn: u16, said: Evaluation) -> f32 {
    if said == Evaluation::of_result(said.margin as i32) {
        return said.margin;
    }
    let turn = f32::from(turn);
    let of_playouts = (turn / 18.0).min(1.0);
    let of_chance = 22.0 * (1.0 - of_playouts) + 4.0 * of_playouts * (1.0 - turn / 52.0).max(0.0);
    let win = said.win.clamp(0.01, 0.99);
    of_playouts * said.margin + of_chance * (win / (1.0 - win)).ln()
}

/// A position within its game: equal positions have equal keys.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Key {
    turn: u16,
    hash: u64,
}

impl Key {
    pub fn of(position: &Position) -> Self {
        Self { turn: position.turn(), hash: position.hash() }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:016x}", self.turn, self.hash)
    }
}

impl FromStr for Key {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (turn, hash) = text.split_once('-').ok_or(())?;
        Ok(Self { turn: turn.parse().map_err(|_| ())?, hash: u64::from_str_radix(hash, 16).map_err(|_| ())? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_are_those_of_chances_first_and_those_of_playouts_later_and_certain_ones_stay() {
        let said = |win, margin| Evaluation { win, margin };
        assert_eq!(expected_margin(0, said(0.5, 20.0)), 0.0);
        assert!((9.0..13.0).contains(&expected_margin(9, said(0.6, 12.0))));
        assert_eq!(expected_margin(60, said(0.9, 12.0)), 12.0);
        assert_eq!(expected_margin(0, Evaluation::of_result(7)), 7.0);
        let of_two = expected_margin(5, said(0.7, 10.0).of_opponents());
        assert!((expected_margin(5, said(0.7, 10.0)) + of_two).abs() < 1e-4, "{of_two}");
    }
}
