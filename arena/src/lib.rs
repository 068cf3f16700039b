//! Matches between players of Blokus, and what they say about their strength.
//!
//! A [`Contestant`](contestant::Contestant) plays one side of a game; [`contest`] lets two of them
//! play one game, [`mod@matches`] many pairs of games; [`statistics`] says how much the results mean.
//! [`referee`] is a game server for clients of the official protocol; [`replay`] reads and writes
//! the official files; [`store`] keeps matches and games in a database and
//! [`report`] makes a page of them; these two come with the feature `program`. [`tuning`] finds better
//! parameters by playing, [`learning`] the weights of the Monte Carlo player's models.
//!
//! The library never prints.

pub mod contest;
pub mod contestant;
pub mod learning;
pub mod matches;
pub mod opening;
mod process;
pub mod record;
pub mod referee;
pub mod replay;
#[cfg(feature = "program")]
pub mod report;
pub mod statistics;
#[cfg(feature = "program")]
pub mod store;
pub mod transcript;
pub mod tuning;
