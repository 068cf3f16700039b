//! A game server that speaks the official protocol of one season.
//!
//! It answers as the official server of the season does, mistakes in the games of others included;
//! what is known about that stands beside the code that follows it. The parts, from the inside out:
//!
//! * [`verdict`] turns an end of a game into the result that is sent,
//! * `room` is one game: seats, moves, the clock, pauses,
//! * `lobby` is everything that clients can ask for; like `room` it has no socket and reads no
//!   clock,
//! * `connection` and `server` bring bytes to the lobby and back.
//!
//! ```no_run
//! use arena::referee::{Notice, Options, Referee};
//!
//! let referee = Referee::start(Options::default())?;
//! println!("two clients may join at {}", referee.address());
//! for notice in referee.notices() {
//!     match notice {
//!         Notice::State { state, .. } => println!("{}", state.position),
//!         Notice::Over(game) => println!("{:?}", game.result),
//!     }
//! }
//! # Ok::<(), std::io::Error>(())
//! ```

mod connection;
mod ids;
mod lobby;
mod options;
mod outbox;
mod room;
mod server;
#[cfg(test)]
mod tests;
mod texts;
pub mod verdict;

pub use lobby::Prepared;
pub use options::{Limits, Options};
pub use room::FinishedGame;
pub use server::{Notice, Referee};
