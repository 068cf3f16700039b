//! Sessions over HTTP and WebSocket: games in a database, engines on threads of their own, links for those who play.
//!
//! | file | what |
//! |---|---|
//! | `config` | what the service is told at its start, and nothing later |
//! | `store` | games, links and insights in SQLite |
//! | `links` | who may do what by which link |
//! | `engines` | threads that think |
//! | `programs` | programs of others that play |
//! | `room` | a session with those who look at it and the programs that play in it |
//! | `lobby` | all rooms; making, importing and finding games |
//! | `guard` | which requests are answered at all |
//! | `failure` | answers that say why something cannot be done |
//! | `http` | the addresses |
//! | `socket` | what is said over a WebSocket |
//! | `page` | the files of the page |
//!
//! An action is confirmed when the database has it on the disk. Whatever happens to the process or the machine after
//! that, the game goes on from there.

mod config;
mod engines;
mod failure;
mod guard;
mod http;
mod links;
mod lobby;
mod page;
mod programs;
mod room;
mod socket;
mod store;

pub use config::Config;
pub use http::{Service, ServiceError};
pub use store::StoreError;
