//! Games won, drawn and lost.

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
