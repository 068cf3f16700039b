//! Plans that are played by workers on any machines, over a queue: [NATS](https://nats.io) with its JetStream.
//!
//! The coordinator ([`gather`]) offers a plan and puts its pairs of games into a stream of work, of which each
//! [`Worker`] takes one at a time. The server gives a pair to another worker if the first does not say from time to time
//! that it is still playing. Both games of a pair come back together as one message into a stream of results, which takes
//! one for each pair and refuses a second: whoever is slow, asleep or cut off can come back with the same pair without
//! counting it twice. All that the coordinator knows is in those streams and in its database, so that it can be ended and
//! started again, and so can the server.
//!
//! A worker plays only if it would play the same games (see [`Plan::key`](crate::plan::Plan::key)), and starts only
//! those programs that its owner has allowed.

mod access;
mod coordinator;
mod error;
mod files;
mod offer;
mod server;
mod wire;
mod worker;

pub use access::{Access, Secrets};
pub use coordinator::{Gathered, gather, withdraw};
pub use error::QueueError;
pub use worker::{Worker, WorkerEvent};
