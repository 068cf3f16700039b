//! Statistics about the strength of contestants.
//!
//! Games come in pairs with the same opening and the sides swapped. The two games of a pair are
//! not independent, pairs are; so everything here counts pairs, by the points that the first
//! contestant got out of both games (the *pentanomial* model): 0, ½, 1, 1½ or 2.

mod fit;
mod likelihood;
mod score;
mod sprt;
pub mod standings;
mod tally;

pub use fit::ratings;
pub use likelihood::{Interval, Pairs, elo_of_score, score_of_elo};
pub use score::{Score, WinDrawLoss};
pub use sprt::{Sprt, Verdict};
pub use tally::{SideTally, Sum, Tally};
