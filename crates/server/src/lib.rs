//! A game server that speaks the official protocol of one season.
//!
//! ```no_run
//! use server::{ServerOptions, Server};
//!
//! let server = Server::start(ServerOptions::default())?;
//! println!("two clients may join at {}", server.address());
//! for game in server.finished() {
//!     println!("{:?}", game.result);
//! }
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! It answers like the official server of the season, including the oddities, which comments explain. From the inside
//! out:
//!
//! * [`verdict`] turns the end of a game into a result,
//! * `room` is one game: seats, moves, the clock, pauses,
//! * [`Lobby`] handles all requests; like `room` it has no sockets and reads no clock,
//! * `connection` and [`Server`] carry bytes to the lobby and back.

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
mod time_limits;
pub mod verdict;

pub use document::Document;
pub use lobby::{Lobby, Prepared};
pub use options::{Limits, ServerOptions};
pub use outbox::{ClientId, ClientOutput};
pub use room::FinishedGame;
pub use server::Server;
pub use time_limits::TimeLimits;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
