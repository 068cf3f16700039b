//! Statistics about the strength of contestants.
//!
//! Games come in pairs with the same opening and the sides swapped. The two games of a pair are not independent, pairs
//! are; so everything here counts pairs, by the points that the first contestant got out of both games (the
//! *pentanomial* model): 0, ½, 1, 1½ or 2.

mod elo;
mod fit;
mod likelihood;
mod score;
mod sprt;
mod sum;
mod tally;
mod win_draw_loss;

pub use elo::{elo_of_score, score_of_elo};
pub use fit::ratings;
pub use likelihood::{Interval, Pairs};
pub use score::ContestScore;
pub use sprt::{Sprt, SprtState};
pub use sum::Sum;
pub use tally::{SideTally, Tally};
pub use win_draw_loss::WinDrawLoss;
