//! Work that is done by workers on any machines, over a queue: [NATS](https://nats.io) with its JetStream.
//!
//! The [`Coordinator`] puts an [`Order`] on offer and its items into a stream of work, of which each [`Worker`] takes
//! one at a time. The server gives an item to another worker if the first does not say from time to time that it is
//! still at it. What comes of an item goes as one message into a stream of results, which takes one for each item and
//! refuses a second: whoever is slow, asleep or cut off can come back with the same item without counting it twice. All
//! that the coordinator knows is in those streams and in its own records, so that it can be ended and started again,
//! and so can the server.
//!
//! What an item is and what is done for it is up to a [`Kind`] of work: [`Games`] are pairs of games of matches,
//! tournaments and tunings, [`Searches`] positions for an opening book; others are made elsewhere. A worker carries out
//! an order only if it comes to the same results as whoever has given it ([`Offer::check`]), and starts only those
//! programs that its owner has allowed.

mod arguments;
mod connection;
mod coordinator;
mod error;
mod files;
mod games;
mod job_type;
mod run;
mod searches;
mod server;
mod task;
mod worker;

pub use arguments::{OrderArguments, QueueArguments, WorkArguments};
pub use connection::{Access, Secrets};
pub use coordinator::{Coordinator, OnResult, Outcome};
pub use error::QueueError;
pub use games::{Games, gather_games, gather_iteration};
pub use job_type::{Done, Kind, Seat, Taken, Task};
pub use run::{Offer, Order, Reference, file_name};
pub use searches::{Searches, gather_searches};
pub use task::Item;
pub use worker::{Worker, WorkerEvent};
