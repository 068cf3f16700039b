//! Why the service cannot start.

use std::net::SocketAddr;
use std::path::PathBuf;

use thiserror::Error;

use super::store::StoreError;

/// Why the service cannot start.
#[derive(Debug, Error)]
pub enum ServiceError {
    /// The file of the games cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The database of the arena cannot be read.
    #[error("the database of the arena cannot be read")]
    Archive(#[from] arena::database::StoreError),
    /// It cannot listen.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
    /// There is no folder for the file of the games.
    #[error("there is no folder {} for the file of the games", .0.display())]
    NoFolder(PathBuf),
    /// Threads cannot be started.
    #[error("{what}: {source}")]
    System {
        /// What cannot be done.
        what: String,
        /// Why.
        source: std::io::Error,
    },
}
