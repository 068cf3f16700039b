//! Names of columns and rows.

use game::BOARD_SIZE;

/// Names of columns and rows of a board.
///
/// ```
/// use picture::Labels;
///
/// assert_eq!((Labels::Coordinates.column(19), Labels::Coordinates.row(0)), ("19".to_owned(), "0".to_owned()));
/// assert_eq!((Labels::Points.column(19), Labels::Points.row(0)), ("t".to_owned(), "20".to_owned()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Labels {
    /// By x and y, both 0 to 19 from the upper left, as in the notation of moves.
    Coordinates,
    /// By the letters a to t and the numbers 1 to 20 from the bottom, as on other boards.
    Points,
}

impl Labels {
    /// Returns the name of the column `x`, 0 to 19 from the left.
    pub fn column(self, x: usize) -> String {
        match self {
            Self::Coordinates => x.to_string(),
            Self::Points => ('a'..='t').nth(x).into_iter().collect(),
        }
    }

    /// Returns the name of the row `y`, 0 to 19 from the top.
    pub fn row(self, y: usize) -> String {
        match self {
            Self::Coordinates => y.to_string(),
            Self::Points => BOARD_SIZE.saturating_sub(y).to_string(),
        }
    }
}
