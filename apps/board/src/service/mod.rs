//! Hosts games over HTTP and WebSocket.
//!
//! | file | content |
//! |---|---|
//! | `config` | the options |
//! | `error` | errors at the start |
//! | `http` | the addresses |
//! | `connections` | limits for connections |
//! | `origin` | accepted origins |
//! | `failure` | errors of requests and their responses |
//! | `socket` | a page at a WebSocket |
//! | `registry` | all games: creating, importing and finding them |
//! | `actor` | the task that hosts one game |
//! | `job_runner` | a job on a thread of a pool |
//! | `pool` | the threads for the work of all games |
//! | `programs` | external programs that play |
//! | `state` | state shared by all games |
//! | `shared` | state shared by all requests |
//! | `store` | the database of games |
//! | `links` | keys and tokens |
//! | `league` | the standings and games of a league in the arena's database |
//! | `uploads` | packages that teams upload |
//! | `arena_games` | games that the arena plays at this moment |
//! | `server_games` | games of a game server, watched while they are played |
//!
//! An action is confirmed when it is on the disk, so it survives the end of the process and of the machine.

mod actor;
mod arena_games;
mod config;
mod connections;
mod error;
mod failure;
mod http;
mod job_runner;
mod league;
mod links;
mod origin;
mod pool;
mod programs;
mod registry;
mod server_games;
mod shared;
mod socket;
mod state;
mod store;
mod uploads;

pub use config::{Config, GameOptions, ServiceLimits};
pub use error::ServiceError;
pub use http::Service;
pub use store::GameStoreError;

pub(crate) use actor::{GameHandle, now};
pub(crate) use failure::RequestError;
pub(crate) use links::GameLink;
pub(crate) use registry::GameRegistry;
pub(crate) use state::ServiceState;
