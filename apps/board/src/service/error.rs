//! Errors at the start of the service.

use std::path::PathBuf;

use thiserror::Error;

use super::store::GameStoreError;

/// An error at the start of the service.
#[derive(Debug, Error)]
pub enum ServiceError {
    /// The database of the games cannot be used.
    #[error(transparent)]
    Store(#[from] GameStoreError),
    /// The database of the arena cannot be read.
    #[error("cannot read the database of the arena")]
    Archive(#[from] arena::database::StoreError),
    /// The folder of the database is missing.
    #[error("there is no folder {} for the file of the games", .0.display())]
    NoFolder(PathBuf),
    /// It cannot listen, a thread cannot be started, or a file cannot be read.
    #[error("{what}: {source}")]
    System {
        /// The failed action.
        what: String,
        /// The cause.
        source: std::io::Error,
    },
}
