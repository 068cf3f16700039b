//! Games won, drawn and lost, and scores that decide the places in a table.

use std::cmp::Ordering;
use std::ops::AddAssign;

use serde::Serialize;

/// Numbers of games that a side won, drew and lost. The JSON is a list in this order.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
#[serde(into = "[u64; 3]")]
pub struct WinDrawLoss {
    /// Number of won games.
    pub won: u64,
    /// Number of drawn games.
    pub drawn: u64,
    /// Number of lost games.
    pub lost: u64,
}

impl WinDrawLoss {
    /// Returns the number of games.
    pub const fn count(self) -> u64 {
        self.won + self.drawn + self.lost
    }

    /// Returns the points: 1 for a win, ½ for a draw.
    pub fn points(self) -> f64 {
        self.won as f64 + self.drawn as f64 / 2.0
    }

    /// Returns the games from the view of the opponent.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self { won: self.lost, drawn: self.drawn, lost: self.won }
    }
}

impl AddAssign for WinDrawLoss {
    fn add_assign(&mut self, other: Self) {
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
    }
}

impl From<WinDrawLoss> for [u64; 3] {
    fn from(games: WinDrawLoss) -> Self {
        [games.won, games.drawn, games.lost]
    }
}

/// Points for a win in a table; a draw counts 1, a loss 0.
const WIN: u64 = 2;

/// Score of a contestant by the contest's rules: points for wins first, then mean points per game.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Score {
    /// 2 for a win, 1 for a draw.
    pub win_points: u64,
    /// Points on the board at the ends of the games.
    points: u64,
    /// Number of games.
    games: u64,
}

impl Score {
    /// Creates the score of games with the given sum of board points.
    pub fn of(games: WinDrawLoss, points: u64) -> Self {
        Self { win_points: WIN * games.won + games.drawn, points, games: games.count() }
    }

    /// Creates the score of wins without games, as for a bye.
    pub fn of_wins(wins: u64) -> Self {
        Self { win_points: WIN * wins, ..Self::default() }
    }

    /// The mean of the points at the ends of the games; 0 if there are none.
    pub fn average_points(&self) -> f64 {
        self.points as f64 / self.games.max(1) as f64
    }

    /// Compares by points for wins, then by mean points.
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
