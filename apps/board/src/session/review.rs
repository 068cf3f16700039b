//! Which moves of a game cost how much.
//!
//! A move is judged by what an engine thinks of the positions before and after it. Where that makes it look bad, the
//! move is in [doubt](doubts): it and the engine's are to be looked at alike, and then the difference of the two
//! counts. As on lichess, the loss is measured on a scale of winning chances from -1 (lost) to 1 (won): 0.1, 0.2 and
//! 0.3 make an inaccuracy, a mistake and a blunder. On the scale of probabilities, 0 to 1, these are 5, 10 and 15
//! percentage points.
//!
//! The accuracy of a move is lichess's curve of it, 100 for no loss, about 80 for five, 63 for ten and 16 for forty
//! percentage points; that of a side is the mean over its moves.

use game::{Move, Position, Team};
use serde::Serialize;

use super::doubt::Doubt;
use super::insight::Insight;
use super::log::Session;
use super::played::PlayedMove;
use super::words;

/// How bad a move was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// It cost at least 0.1 of the winning chance from -1 to 1.
    Inaccuracy,
    /// At least 0.2.
    Mistake,
    /// At least 0.3.
    Blunder,
}

impl Mark {
    /// The mark of a loss of winning chance on the scale from -1 to 1.
    ///
    /// ```
    /// use board::session::Mark;
    ///
    /// let marks = [0.09, 0.1, 0.2, 0.3].map(Mark::of_loss);
    /// assert_eq!(marks, [None, Some(Mark::Inaccuracy), Some(Mark::Mistake), Some(Mark::Blunder)]);
    /// ```
    pub fn of_loss(loss: f32) -> Option<Self> {
        match loss {
            _ if loss >= 0.3 => Some(Self::Blunder),
            _ if loss >= 0.2 => Some(Self::Mistake),
            _ if loss >= 0.1 => Some(Self::Inaccuracy),
            _ => None,
        }
    }
}

/// A part of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The first five rounds, in which everybody goes for the middle.
    Opening,
    /// Rounds 6 to 12.
    Middle,
    /// From round 13 on, when most colours look for places for what they have left.
    End,
}

/// All phases in order.
pub const PHASES: [Phase; 3] = [Phase::Opening, Phase::Middle, Phase::End];

impl Phase {
    /// The phase of a turn number.
    ///
    /// ```
    /// use board::session::Phase;
    ///
    /// assert_eq!([0, 19, 20, 47, 48].map(Phase::of_turn), {
    ///     use Phase::*;
    ///     [Opening, Opening, Middle, Middle, End]
    /// });
    /// ```
    pub fn of_turn(turn: u16) -> Self {
        match turn {
            0..20 => Self::Opening,
            20..48 => Self::Middle,
            _ => Self::End,
        }
    }
}

/// What a move cost.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MoveReview {
    /// The number of the place after the move.
    pub node: usize,
    /// The team that moved.
    #[serde(with = "words::team")]
    pub team: Team,
    /// The part of the game.
    pub phase: Phase,
    /// Its chance to win before, 0 to 1.
    pub before: f32,
    /// Its chance to win after.
    pub after: f32,
    /// The winning chance that it lost, on the scale from -1 to 1; not below 0.
    pub loss: f32,
    /// The points that it gave away, not below 0.
    pub points: f32,
    /// How bad it was.
    pub mark: Option<Mark>,
    /// Whether it and what would have been better were looked at alike. Else the mark is what a first look says.
    pub is_checked: bool,
    /// Lichess's accuracy, 0 to 100.
    pub accuracy: f32,
    /// What would have been better, and how it would have gone on; empty if the move is what the engine would have
    /// played, or if it cost nothing that is worth a mark.
    pub better: Vec<PlayedMove>,
}

/// What is known about the moves of a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Review {
    /// The moves whose positions before and after have been looked at, in order.
    pub moves: Vec<MoveReview>,
    /// How many moves there are.
    pub count: usize,
    /// The chance of team one to win and its expected margin at every place from the start on, as far as known.
    pub graph: Vec<Option<(f32, f32)>>,
    /// The accuracy of both teams, 0 to 100.
    pub accuracy: [Option<f32>; 2],
    /// The points that both teams gave away in the [`PHASES`].
    pub points: [[f32; 3]; 2],
    /// How many inaccuracies, mistakes and blunders both teams made.
    pub marks: [[usize; 3]; 2],
}

impl Review {
    /// What is known about the moves that lead to where the session stands: from an engine, or from the notes of the
    /// game.
    ///
    /// ```
    /// use board::session::{Action, By, Insight, Mark, Review, Session};
    /// use game::{Position, Rules};
    ///
    /// let start = Position::new(Rules::Classic, None)?;
    /// let mut session = Session::new(start);
    /// session.act(&Action::Play { mv: "MONO@0,0".parse()? }, By::Host, 0)?;
    /// let better = vec!["PENTO_W@0,0".parse()?];
    /// let insight = |win| Insight { win, margin: 0.0, nodes: 1, time: 0, line: better.clone(), candidates: vec![] };
    /// session.learn(&start, insight(0.5));
    /// session.learn(&session.position().clone(), insight(0.38));
    /// let review = Review::of(&session);
    /// assert_eq!((review.moves[0].mark, review.moves[0].better[0].mv.as_str()), (Some(Mark::Mistake), "PENTO_W@0,0"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(session: &Session) -> Self {
        let mut position = *session.start();
        let known = |position: &_, node, team| {
            let insight = session.insight(position).cloned().or_else(|| Insight::of_end(position));
            insight.or_else(|| Insight::of_note(&session.state.node_at(session.state.node(node).ok()?).note, team))
        };
        let path = session.path();
        let mut before = known(&position, path[0], Team::One);
        let mut graph = vec![before.as_ref().map(values)];
        let mut moves = Vec::new();
        for (&node, mv) in path[1..].iter().zip(session.moves()) {
            let start = position;
            position.play(mv);
            let after = known(&position, node, start.color().team());
            graph.push(after.as_ref().map(values));
            if let (Some(before), Some(after)) = (&before, &after) {
                moves.push(MoveReview::of(node, &start, mv, before, after));
            }
            before = after;
        }
        let mut review = Self {
            moves,
            count: path.len() - 1,
            graph,
            accuracy: [None; 2],
            points: [[0.0; 3]; 2],
            marks: [[0; 3]; 2],
        };
        review.sum_up();
        review
    }

    fn sum_up(&mut self) {
        for team in Team::ALL {
            let own = || self.moves.iter().filter(|mv| mv.team == team);
            let count = own().count();
            let sum: f32 = own().map(|mv| mv.accuracy).sum();
            self.accuracy[team as usize] = (count > 0).then(|| sum / count as f32);
            let (mut points, mut marks) = ([0.0; 3], [0; 3]);
            for mv in own() {
                points[mv.phase as usize] += mv.points;
                if let Some(mark) = mv.mark {
                    marks[mark as usize] += 1;
                }
            }
            (self.points[team as usize], self.marks[team as usize]) = (points, marks);
        }
    }
}

/// From which loss of winning chance on, on the scale from -1 to 1, a move is worth a second look.
const DOUBTFUL: f32 = 0.06;

/// The moves that lead to where a session stands and are to be [compared](Insight::compared) with better ones.
///
/// ```
/// use board::session::{Action, By, Insight, Review, Session, doubts};
/// use game::{Position, Rules, Team};
///
/// let start = Position::new(Rules::Classic, None)?;
/// let mut session = Session::new(start);
/// session.act(&Action::Play { mv: "MONO@0,0".parse()? }, By::Host, 0)?;
/// let best = "PENTO_W@0,0".parse()?;
/// let insight = |win| Insight { win, margin: 0.0, nodes: 1, time: 0, line: vec![best], candidates: vec![] };
/// session.learn(&start, insight(0.5));
/// session.learn(&session.position().clone(), insight(0.3));
/// let doubt = doubts(&session)[0];
/// assert_eq!((doubt.best, doubt.played), (best, "MONO@0,0".parse()?));
///
/// // A second look at both says that there is little between them.
/// let looked = insight(0.5).compared(Team::One, [(doubt.best, &insight(0.42)), (doubt.played, &insight(0.4))]);
/// session.learn(&start, looked);
/// let review = Review::of(&session);
/// assert!(doubts(&session).is_empty() && review.moves[0].is_checked && review.moves[0].mark.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn doubts(session: &Session) -> Vec<Doubt> {
    let mut position = *session.start();
    let mut doubts = Vec::new();
    let path = session.path();
    let reviewed = Review::of(session).moves;
    for (node, played) in path[1..].iter().zip(session.moves()) {
        let review = reviewed.iter().find(|review| review.node == *node);
        if review.is_some_and(|review| review.loss >= DOUBTFUL && !review.is_checked)
            && let Some(&best) = session.insight(&position).and_then(|insight| insight.line.first())
        {
            doubts.push(Doubt { position, best, played });
        }
        position.play(played);
    }
    doubts
}

fn values(insight: &Insight) -> (f32, f32) {
    (insight.win, insight.margin)
}

impl MoveReview {
    fn of(node: usize, start: &Position, mv: Move, before: &Insight, after: &Insight) -> Self {
        let (team, phase) = (start.color().team(), Phase::of_turn(start.turn()));
        let comparison = before.comparison(mv);
        let first_look = [before, after].map(|insight| (insight.win_of(team), insight.margin_of(team)));
        let [(win_before, margin_before), (win_after, margin_after)] = comparison.unwrap_or(first_look);
        // Who plays the engine's move loses nothing; what it thinks later is what it learnt meanwhile.
        let is_best = before.line.first() == Some(&mv);
        let lost = if is_best { 0.0 } else { (win_before - win_after).max(0.0) };
        let loss = 2.0 * lost;
        let points = if is_best { 0.0 } else { (margin_before - margin_after).max(0.0) };
        let mark = Mark::of_loss(loss);
        let better = if mark.is_some() { PlayedMove::line(start, &before.line) } else { Vec::new() };
        let accuracy = accuracy(lost);
        let is_checked = comparison.is_some();
        Self {
            node,
            team,
            phase,
            before: win_before,
            after: win_after,
            loss,
            points,
            mark,
            is_checked,
            accuracy,
            better,
        }
    }
}

/// Lichess's accuracy of a move that lost so much of the probability to win (`modules/analyse`,
/// `AccuracyPercent.scala`).
fn accuracy(lost: f32) -> f32 {
    (103.1668 * (-0.04354 * 100.0 * lost).exp() - 3.1669).clamp(0.0, 100.0)
}

#[cfg(test)]
mod tests {
    use game::Rules;

    use super::*;

    #[test]
    fn accuracies_are_lichesss() {
        for (lost, expected) in [(0.0, 100.0), (0.05, 79.8), (0.1, 63.6), (0.4, 14.9), (1.0, 0.0)] {
            assert!((accuracy(lost) - expected).abs() < 0.5, "{lost}: {}", accuracy(lost));
        }
    }

    #[test]
    fn the_engines_own_move_costs_nothing() {
        let mv: Move = "MONO@0,0".parse().unwrap();
        let insight = |win| Insight { win, margin: 10.0 * win, nodes: 1, time: 0, line: vec![mv], candidates: vec![] };
        let mut position = Position::new(Rules::Classic, None).unwrap();
        let review = |played| MoveReview::of(1, &position, played, &insight(0.9), &insight(0.5));
        assert_eq!((review(mv).loss, review(mv).points, review(mv).mark), (0.0, 0.0, None));
        let other = review(Move::Pass);
        assert_eq!((other.mark, other.points, other.better[0].mv.as_str()), (Some(Mark::Blunder), 4.0, "MONO@0,0"));
        position.play(mv);
        let of_two = MoveReview::of(1, &position, Move::Pass, &insight(0.5), &insight(0.9));
        assert_eq!((of_two.mark, of_two.points), (Some(Mark::Blunder), 4.0));
    }
}
