//! The cost of each move of a game.
//!
//! The insights into the positions before and after a move judge it. If that makes the move look bad, a
//! [recheck](rechecks) searches it and the engine's choice alike, and their difference counts. As on lichess, winning
//! chances from -1 (lost) to 1 (won) measure the loss: 0.1, 0.2 and 0.3 are an inaccuracy, a mistake and a blunder, or
//! 5, 10 and 15 percentage points of win probability.
//!
//! The accuracy of a move follows lichess's curve: 100 for no loss, about 80, 63 and 16 for 5, 10 and 40 percentage
//! points. The accuracy of a side is the mean over its moves.

use std::sync::Arc;

use game::{Color, Move, Position, Team};
use record::NodeId;
use serde::Serialize;

use super::insight::{Insight, key};
use super::log::Session;
use super::played::PlayedMove;

/// A mark for a bad move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// A loss of at least 0.1 on the scale from -1 to 1.
    Inaccuracy,
    /// At least 0.2.
    Mistake,
    /// At least 0.3.
    Blunder,
}

impl Mark {
    /// Returns the mark for a loss on the scale from -1 to 1.
    pub fn of_loss(loss: f32) -> Option<Self> {
        match loss {
            _ if loss >= 0.3 => Some(Self::Blunder),
            _ if loss >= 0.2 => Some(Self::Mistake),
            _ if loss >= 0.1 => Some(Self::Inaccuracy),
            _ => None,
        }
    }

    /// Returns the sign of the mark.
    pub const fn sign(self) -> &'static str {
        ["?!", "?", "??"][self as usize]
    }
}

/// The cost of a move.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MoveReview {
    /// The number of the node after the move.
    pub node: usize,
    /// The turn number, from 0.
    pub turn: u16,
    /// The colour that moved.
    pub color: Color,
    /// Its team.
    pub team: Team,
    /// The move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// Its win probability before, 0 to 1.
    pub before: f32,
    /// Its win probability after.
    pub after: f32,
    /// The lost winning chance on the scale from -1 to 1, at least 0.
    pub loss: f32,
    /// The lost points, at least 0.
    pub points: f32,
    /// The mark of a bad move.
    pub mark: Option<Mark>,
    /// `true` if a recheck has confirmed the cost.
    pub is_checked: bool,
    /// Lichess's accuracy, 0 to 100.
    pub accuracy: f32,
    /// The line of the engine's choice; empty without a mark.
    pub better: Vec<PlayedMove>,
}

/// The known costs of the moves of a game.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub struct Review {
    /// The moves with insights before and after them.
    pub moves: Vec<MoveReview>,
    /// Known win probabilities and expected margins of team one at the nodes from the start. Values that have no other
    /// value within two places are left out.
    pub graph: Vec<Option<(f32, f32)>>,
    /// The accuracy of both teams, 0 to 100.
    pub accuracy: [Option<f32>; 2],
    /// Numbers of inaccuracies, mistakes and blunders of both teams.
    pub marks: [[usize; 3]; 2],
}

impl Review {
    /// Reviews the moves to the current node by insights or by the notes of the game.
    pub fn of(session: &Session) -> Self {
        let known = |position: &Position, node, team| {
            let insight = session.insight(position).cloned().or_else(|| Insight::of_end(position));
            insight.or_else(|| Insight::of_note(&session.state.node_at(node).note, team))
        };
        let mut before = known(session.start(), NodeId::START, Team::One);
        let mut graph = vec![before.as_ref().map(values)];
        let mut moves = Vec::new();
        for (node, position, mv) in session.plies() {
            let after = known(&position.after(mv), node, position.color().team());
            graph.push(after.as_ref().map(values));
            if let (Some(before), Some(after)) = (&before, &after) {
                moves.push(MoveReview::of(node.index(), &position, mv, before, after));
            }
            before = after;
        }
        let mut review = Self { moves, graph: without_lone(&graph), accuracy: [None; 2], marks: [[0; 3]; 2] };
        review.sum_up();
        review
    }

    fn sum_up(&mut self) {
        for team in Team::ALL {
            let own = || self.moves.iter().filter(|mv| mv.team == team);
            let count = own().count();
            let sum: f32 = own().map(|mv| mv.accuracy).sum();
            self.accuracy[team as usize] = (count > 0).then(|| sum / count as f32);
            let mut marks = [0; 3];
            for mark in own().filter_map(|mv| mv.mark) {
                marks[mark as usize] += 1;
            }
            self.marks[team as usize] = marks;
        }
    }
}

/// A move that looks bad and has not been compared with the engine's choice yet, see [`rechecks`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Recheck {
    /// The position before the move.
    pub position: Position,
    /// The engine's choice.
    pub best: Move,
    /// The move that was played.
    pub played: Move,
}

impl Recheck {
    /// Adds the insights into the positions after both moves to the session.
    pub fn add_to(&self, session: &mut Session, best: &Insight, played: &Insight) {
        let team = self.position.color().team();
        if let Some(known) = Arc::make_mut(&mut session.insights).get_mut(&key(&self.position)) {
            *known = Insight::clone(known).compared(team, [(self.best, best), (self.played, played)]).into();
        }
    }
}

/// Minimum loss on the scale from -1 to 1 for a recheck.
const RECHECKED: f32 = 0.06;

/// Returns the moves to the current node that need a [comparison](Insight::compared) with better ones.
pub fn rechecks(session: &Session) -> Vec<Recheck> {
    let reviewed = Review::of(session).moves.into_iter();
    let bad: Vec<usize> = reviewed.filter(|mv| mv.loss >= RECHECKED && !mv.is_checked).map(|mv| mv.node).collect();
    let recheck = |(node, position, played): (NodeId, Position, Move)| {
        let &best = session.insight(&position)?.line.first().filter(|_| bad.contains(&node.index()))?;
        Some(Recheck { position, best, played })
    };
    session.plies().into_iter().filter_map(recheck).collect()
}

fn values(insight: &Insight) -> (f32, f32) {
    (insight.win, insight.margin)
}

impl MoveReview {
    fn of(node: usize, start: &Position, mv: Move, before: &Insight, after: &Insight) -> Self {
        let (turn, color) = (start.turn(), start.color());
        let team = color.team();
        let comparison = before.comparison(mv);
        let first_search = [before, after].map(|insight| (insight.win_of(team), insight.margin_of(team)));
        let [(win_before, margin_before), (win_after, margin_after)] = comparison.unwrap_or(first_search);
        // The engine's own choice costs nothing, even if a later search is less optimistic.
        let is_best = before.line.first() == Some(&mv);
        let lost = if is_best { 0.0 } else { (win_before - win_after).max(0.0) };
        let loss = 2.0 * lost;
        let points = if is_best { 0.0 } else { (margin_before - margin_after).max(0.0) };
        let mark = Mark::of_loss(loss);
        let better = if mark.is_some() { PlayedMove::line(start, &before.line) } else { Vec::new() };
        Self {
            node,
            turn,
            color,
            team,
            mv,
            before: win_before,
            after: win_after,
            loss,
            points,
            mark,
            is_checked: comparison.is_some(),
            accuracy: accuracy(lost),
            better,
        }
    }
}

/// Lichess's accuracy of a move that lost this win probability (`modules/analyse`, `AccuracyPercent.scala`).
fn accuracy(lost: f32) -> f32 {
    (103.1668 * (-0.04354 * 100.0 * lost).exp() - 3.1669).clamp(0.0, 100.0)
}

/// Removes values that have no other value within two places: they make no line. Programs that search their own turns
/// only know every other value. `knownRuns` in `graph.js` has the same limit of two places.
fn without_lone<T: Copy>(values: &[Option<T>]) -> Vec<Option<T>> {
    let near = |i: usize| &values[i.saturating_sub(2)..values.len().min(i + 3)];
    (0..values.len()).map(|i| values[i].filter(|_| near(i).iter().flatten().count() > 1)).collect()
}

#[cfg(test)]
mod tests {
    use game::Rules;

    use super::*;

    #[test]
    fn accuracies_match_lichess() {
        for (lost, expected) in [(0.0, 100.0), (0.05, 79.8), (0.1, 63.6), (0.4, 14.9), (1.0, 0.0)] {
            assert!((accuracy(lost) - expected).abs() < 0.5, "{lost}: {}", accuracy(lost));
        }
    }

    #[test]
    fn lone_values_make_no_graph() {
        let known = |values: &str| values.chars().map(|c| (c == 'x').then_some(c)).collect::<Vec<_>>();
        for (values, kept) in
            [("xx---x", "xx----"), ("x-x--x", "x-x---"), ("x--x--", "------"), ("---x-x", "---x-x"), ("x", "-")]
        {
            assert_eq!(without_lone(&known(values)), known(kept), "{values}");
        }
    }

    #[test]
    fn engines_choice_costs_nothing() {
        let mv: Move = "MONO@0,0".parse().unwrap();
        let insight = |win| Insight { win, margin: 10.0 * win, nodes: 1, time: 0, line: vec![mv], candidates: vec![] };
        let mut position = Position::new(Rules::Classic, None).unwrap();
        let review = |played| MoveReview::of(1, &position, played, &insight(0.9), &insight(0.5));
        assert_eq!((review(mv).loss, review(mv).points, review(mv).mark), (0.0, 0.0, None));
        let other = review(Move::Pass);
        assert_eq!((other.mark, other.points, other.better[0].mv), (Some(Mark::Blunder), 4.0, mv));
        position.play(mv);
        let of_two = MoveReview::of(1, &position, Move::Pass, &insight(0.5), &insight(0.9));
        assert_eq!((of_two.mark, of_two.points), (Some(Mark::Blunder), 4.0));
    }
}
