//! Scores that decide the places in a table.

use std::cmp::Ordering;
use std::ops::AddAssign;

use super::win_draw_loss::WinDrawLoss;

/// Points for a win in a table; a draw counts 1, a loss 0.
const WIN: u64 = 2;

/// Score of a contestant by the contest's rules: points for wins first, then mean points per game.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ContestScore {
    /// 2 for a win, 1 for a draw.
    pub win_points: u64,
    /// Points on the board at the ends of the games.
    points: u64,
    /// Number of games.
    games: u64,
}

impl ContestScore {
    /// Creates the score of games with the given sum of board points.
    pub fn of(games: WinDrawLoss, points: u64) -> Self {
        Self { win_points: WIN * games.won + games.drawn, points, games: games.count() }
    }

    /// Creates the score of wins without games, as for a bye.
    pub fn of_wins(wins: u64) -> Self {
        Self { win_points: WIN * wins, ..Self::default() }
    }

    /// Returns the mean of the points at the ends of the games; 0 if there are none.
    pub fn average_points(&self) -> f64 {
        self.points as f64 / self.games.max(1) as f64
    }

    /// Compares by points for wins, then by mean points.
    pub fn compare(&self, other: &Self) -> Ordering {
        let by_wins = self.win_points.cmp(&other.win_points);
        by_wins.then(self.average_points().total_cmp(&other.average_points()))
    }
}

impl AddAssign for ContestScore {
    fn add_assign(&mut self, other: Self) {
        self.win_points += other.win_points;
        self.points += other.points;
        self.games += other.games;
    }
}
