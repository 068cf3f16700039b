//! What decides the places in a table.

use std::cmp::Ordering;
use std::ops::AddAssign;

/// How many points a win counts in a table; a draw counts 1, and a loss nothing.
const WIN: u64 = 2;

/// What a contestant has reached, as the contest counts it: whoever has more points for wins is higher in the table,
/// and if they are equal, whoever has more points in a game on average.
///
/// ```
/// use arena::ratings::Score;
///
/// let mut score = Score::of([1, 1, 0], 163);
/// assert_eq!((score.win_points, score.average_points()), (3, 81.5));
/// score += Score::of_wins(2);
/// assert_eq!((score.win_points, score.average_points()), (7, 81.5));
/// assert!(score.compare(&Score::of([3, 1, 0], 320)).is_gt());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Score {
    /// 2 for a win, 1 for a draw.
    pub win_points: u64,
    /// Points on the board at the ends of the games.
    points: u64,
    /// How many games that were.
    games: u64,
}

impl Score {
    /// Of games that were won, drawn and lost, with so many points on the board at their ends together.
    pub fn of(games @ [won, drawn, _]: [u64; 3], points: u64) -> Self {
        Self { win_points: WIN * won + drawn, points, games: games.iter().sum() }
    }

    /// Of wins without games, for who has nobody to play against.
    pub fn of_wins(wins: u64) -> Self {
        Self { win_points: WIN * wins, ..Self::default() }
    }

    /// The mean of the points at the ends of the games; 0 if there are none.
    pub fn average_points(&self) -> f64 {
        self.points as f64 / self.games.max(1) as f64
    }

    /// Which is better.
    pub fn compare(&self, other: &Self) -> Ordering {
        let by_wins = self.win_points.cmp(&other.win_points);
        by_wins.then(self.average_points().total_cmp(&other.average_points()))
    }
}

impl AddAssign for Score {
    fn add_assign(&mut self, other: Self) {
        self.win_points += other.win_points;
        self.points += other.points;
        self.games += other.games;
    }
}
