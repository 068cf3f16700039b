//! What a player says with its move.

use game::Move;

use crate::math::logistic;

/// A move and what led to it.
///
/// ```
/// use game::Move;
/// use player::Report;
///
/// let report = Report::without_thought(Move::Pass);
/// assert!(report.evaluation.is_none() && report.line.is_empty());
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// The chosen move.
    pub mv: Move,
    /// What the player expects, if it has an opinion.
    pub evaluation: Option<Evaluation>,
    /// The moves it expects from here, the chosen one first; empty if it did not look ahead.
    pub line: Vec<Move>,
    /// Nodes visited: positions of a tree search, simulations of a Monte Carlo search.
    pub nodes: u64,
    /// How many plies it looked ahead at most.
    pub depth: u32,
}

impl Report {
    /// The report of a move that needed no thought.
    pub fn without_thought(mv: Move) -> Self {
        Self { mv, evaluation: None, line: Vec::new(), nodes: 0, depth: 0 }
    }
}

/// The outlook of the team on turn.
///
/// ```
/// use player::Evaluation;
///
/// let ahead = Evaluation::of_margin(22.0);
/// assert!((ahead.win - 0.9).abs() < 0.01);
/// assert_eq!(Evaluation::of_result(-3), Evaluation::of_result(3).of_opponents());
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Evaluation {
    /// Probability to win plus half the probability of a draw, 0 to 1.
    pub win: f32,
    /// Expected points of the team less those of the other team at the end. A search of the Monte Carlo player gives the
    /// mean of all its playouts, whatever move they began with.
    pub margin: f32,
}

impl Evaluation {
    /// What somebody else says, if it can be meant.
    pub fn checked(win: f32, margin: f32) -> Option<Self> {
        ((0.0..=1.0).contains(&win) && margin.is_finite()).then_some(Self { win, margin })
    }

    /// The outlook of a team that expects to end this many points ahead of the other, the chance to
    /// win by a logistic curve that gives nine in ten to a lead of 22 points.
    pub fn of_margin(margin: f32) -> Self {
        Self { win: logistic(margin / 10.0), margin }
    }

    /// The same outlook for the other team.
    pub fn of_opponents(self) -> Self {
        Self { win: 1.0 - self.win, margin: -self.margin }
    }

    /// The outlook of a team that is certain to end this many points ahead of the other.
    pub fn of_result(margin: i32) -> Self {
        Self { win: 0.5 + 0.5 * margin.signum() as f32, margin: margin as f32 }
    }
}
