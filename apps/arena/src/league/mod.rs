//! A league: the players of a folder play each other for as long as it runs.
//!
//! [`folder`] finds the players. `state` stores the results and resumes interrupted pairs, otherwise [`choice`] picks
//! the next pair of games. [`play`](mod@play) plays them, `clients` starts their programs, [`sandbox`] isolates them,
//! and [`standings`] reads the results from the database. [`upload`] accepts packages of teams.

pub mod choice;
mod clients;
pub mod folder;
pub mod play;
pub mod sandbox;
pub mod standings;
mod state;
pub mod upload;

use std::path::PathBuf;

use thiserror::Error;

use crate::database::StoreError;
use crate::matches::MatchError;

/// Name of a league's database in the folder of its players.
pub const DATABASE: &str = "league.sqlite";

/// An error that ends a league.
#[derive(Debug, Error)]
pub enum LeagueError {
    /// The folder cannot be read.
    #[error("cannot read {path}")]
    Folder {
        /// The folder or a file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Games cannot begin.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// The league was started with other settings.
    #[error("the league in the database has other settings ({found}); use them or another --database")]
    Settings {
        /// Its settings.
        found: String,
    },
}
