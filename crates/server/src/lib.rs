//! A game server that speaks the official protocol of one season.
//!
//! It answers as the official server of the season does, mistakes in the games of others included;
//! what is known about that stands beside the code that follows it. The parts, from the inside out:
//!
//! * [`verdict`] turns an end of a game into the result that is sent,
//! * `room` is one game: places, moves, the clock, pauses,
//! * [`Lobby`] is everything that clients can ask for; like `room` it has no socket and reads no
//!   clock,
//! * `connection` and [`Server`] bring bytes to the lobby and back.
//!
//! ```no_run
//! use server::{Notice, Options, Server};
//!
//! let server = Server::start(Options::default())?;
//! println!("two clients may join at {}", server.address());
//! for notice in server.notices() {
//!     match notice {
//!         Notice::State { state, .. } => println!("{}", state.position),
//!         Notice::Over(game) => println!("{:?}", game.result),
//!     }
//! }
//! # Ok::<(), std::io::Error>(())
//! ```

mod clock;
mod connection;
mod document;
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

pub use clock::Clock;
pub use document::Document;
pub use lobby::{Lobby, Prepared};
pub use options::{Limits, Options};
pub use outbox::{ClientId, Output};
pub use room::FinishedGame;
pub use server::{Notice, Server};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
