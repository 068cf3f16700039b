//! Work on other machines through a queue: [NATS](https://nats.io) with JetStream.
//!
//! A [`Coordinator`] publishes a
//! [`RunInfo`] and puts its tasks into a stream. Each [worker](WorkArguments) takes one task at a time and renews its claim while it
//! works; if it stops, the server gives the task to another worker. Results go into a second stream that accepts one
//! result per task, so a worker that was suspended or disconnected cannot count a task twice. The streams and the
//! coordinator's database hold all state; coordinator and server can be restarted at any time. A [`JobType`] defines
//! the tasks: [`Games`] plays pairs of games of matches, tournaments and tunings. A worker joins a run only if its build gives the same results as the coordinator's
//! ([`RunInfo::check`]), and starts only programs that its owner has allowed.

mod connection;
mod coordinator;
mod error;
mod files;
mod games;
mod job_type;
mod names;
mod run;
mod server;
mod worker;

pub use connection::Access;
pub use coordinator::{Coordinator, RequestArguments};
pub use error::QueueError;
pub use files::name as file_name;
pub use games::{Games, gather_games};
pub use job_type::{Done, Executor, JobType, PreparedRun, Taken};
pub use names::TaskId;
pub use run::{RunInfo, RunRequest};
pub use worker::WorkArguments;
