//! Sessions over HTTP and WebSocket: games in a database, engines on threads of their own, links for those who play.
//!
//! | file | what |
//! |---|---|
//! | `config` | what the service is told at its start, and nothing later |
//! | `error` | why it cannot start |
//! | `store` | games, links and insights in SQLite |
//! | `archive` | a database of the arena, which is only read |
//! | `links` | who may do what by which link |
//! | `house` | what all rooms share |
//! | `engines` | threads that think |
//! | `programs` | programs of others that play |
//! | `room` | a session with those who look at it and the programs that play in it |
//! | `lobby` | all rooms; making, importing and finding games |
//! | `watching` | games of a game server that are watched while they are played |
//! | `running` | games of the arena that are watched while they are played |
//! | `guard` | which requests are answered at all |
//! | `failure` | answers that say why something cannot be done |
//! | `http` | the addresses |
//! | `socket` | a page at a WebSocket |
//!
//! An action is confirmed when the database has it on the disk. Whatever happens to the process or the machine after
//! that, the game goes on from there.

mod archive;
mod config;
mod engines;
mod error;
mod failure;
mod guard;
mod house;
mod http;
mod links;
mod lobby;
mod programs;
mod room;
mod running;
mod socket;
mod store;
mod watching;

pub use config::{Config, GameServer};
pub use error::ServiceError;
pub use http::Service;
pub use store::StoreError;

pub(crate) use house::House;
pub(crate) use lobby::{Lobby, LobbyError};
pub(crate) use room::{Room, RoomError, now};
