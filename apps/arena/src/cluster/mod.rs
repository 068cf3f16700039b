//! Distributes jobs to other machines through a queue, [NATS](https://nats.io) with JetStream.
//!
//! A [`Coordinator`] publishes a run and puts its jobs, pairs of games, into a stream. Each [worker](WorkArguments)
//! takes one job at a time and renews its claim while it plays; if it stops, the server gives the job to another
//! worker. Results go into a second stream that accepts one result per job, so a worker that was suspended or
//! disconnected cannot count a pair twice. The streams and the coordinator's database hold all state; coordinator and
//! server can be restarted at any time. A worker joins a run only if its build plays the same games as the
//! coordinator's, and starts only programs that its owner has allowed.

mod connection;
mod coordinator;
mod error;
mod files;
mod games;
mod names;
mod run;
mod server;
mod worker;

pub use coordinator::{Coordinator, QueueArguments};
pub use error::QueueError;
pub use worker::WorkArguments;
