//! The answer of a player.

use game::Move;

/// A chosen move and the search behind it. Create it with [`without_search`](Self::without_search), and then set
/// fields.
///
/// ```
/// use game::Move;
/// use player::Report;
///
/// let report = Report::without_search(Move::Pass);
/// assert!(report.evaluation.is_none() && report.line.is_empty());
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The chosen move.
    pub mv: Move,
    /// Evaluation of the position, if the player has one. In a game of four players it is for the team of the colour to
    /// move.
    pub evaluation: Option<Evaluation>,
    /// Principal variation, beginning with the chosen move; empty without a search.
    pub line: Vec<Move>,
    /// Nodes visited: positions of a minimax search, simulations of a Monte Carlo search.
    pub nodes: u64,
    /// Maximum depth in plies.
    pub depth: u32,
}

impl Report {
    /// Creates the report of a move that was chosen without a search.
    pub fn without_search(mv: Move) -> Self {
        Self { mv, evaluation: None, line: Vec::new(), nodes: 0, depth: 0 }
    }
}

/// Expected result of the team to move.
///
/// ```
/// use player::Evaluation;
///
/// assert_eq!(Evaluation::of_result(-3), Evaluation::of_result(3).of_opponents());
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Evaluation {
    /// Win probability plus half the probability of a draw, 0 to 1.
    pub win: f32,
    /// Expected final margin in points. Searches with playouts report the mean margin of their playouts.
    pub margin: f32,
}

impl Evaluation {
    /// Returns the evaluation if its numbers are in range.
    pub fn checked(win: f32, margin: f32) -> Option<Self> {
        ((0.0..=1.0).contains(&win) && margin.is_finite()).then_some(Self { win, margin })
    }

    /// Returns the same evaluation from the opponents' side.
    #[must_use]
    pub fn of_opponents(self) -> Self {
        Self { win: 1.0 - self.win, margin: -self.margin }
    }

    /// Returns the evaluation of a game that ends with this margin for certain.
    pub fn of_result(margin: i32) -> Self {
        Self { win: 0.5 + 0.5 * margin.signum() as f32, margin: margin as f32 }
    }
}
