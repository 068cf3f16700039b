//! Matches between players of Blokus, and what they say about their strength.
//!
//! A [`Contestant`](contestant::Contestant) plays one side of a game; [`contest`] lets two of them play one game,
//! [`mod@matches`] many pairs of games; [`statistics`] says how much the results mean. [`store`] keeps matches and
//! games in a database, [`records`] those of a match that is played, [`live`] shows them meanwhile, and [`report`]
//! makes a page of them. [`tuning`] finds better parameters by playing, [`book`] the best first moves by searching. [`suite`] compares engines
//! on positions instead of games.
//!
//! The library never prints.

pub mod book;
pub mod contest;
pub mod contestant;
pub mod defaults;
mod descendants;
mod digest;
pub mod ending;
pub mod interrupt;
pub mod live;
pub mod matches;
pub mod opening;
mod pause;
pub mod plan;
pub mod played;
mod process;
#[cfg(feature = "queue")]
pub mod queue;
pub mod records;
pub mod report;
pub mod standings;
pub mod statistics;
pub mod store;
pub mod suite;
pub mod tuning;
