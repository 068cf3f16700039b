//! Errors of the database.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;
use thiserror::Error;

use super::schema::VERSION;
use crate::service::worker::Panicked;
use crate::session::DocumentError;

/// An error of the database of games.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The disk is full.
    #[error("cannot write {}: the disk is full", .0.display())]
    Full(PathBuf),
    /// Another program keeps it locked.
    #[error("cannot use {}: another program keeps it locked", .0.display())]
    Locked(PathBuf),
    /// The file is damaged or no database of games.
    #[error(
        "{} is damaged or no database of games: {reason}. It was left as it is. Restore a backup, recover the games \
         with `sqlite3 FILE .recover | sqlite3 NEW`, or choose another file with --games",
        .path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The kind of damage.
        reason: String,
    },
    /// The file is from another version of this program.
    #[error("{} has version {found} of the tables, this program supports version {VERSION}", .path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// The version in the file.
        found: i64,
    },
    /// Another process has changed the game since it was loaded.
    #[error("another program has changed the game meanwhile")]
    Changed,
    /// A stored game does not match its checksum.
    #[error("game {0} of the database is damaged: it does not match its checksum; restore it from a backup")]
    DamagedGame(i64),
    /// A stored game cannot be read.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// The file or its folder cannot be used.
    #[error("cannot use {}: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// SQLite refuses for another reason.
    #[error("{}: {source}", .path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: rusqlite::Error,
    },
    /// A bug in this program.
    #[error("the service has made a mistake; see its log")]
    Internal,
}

impl From<Panicked> for StoreError {
    fn from(_: Panicked) -> Self {
        Self::Internal
    }
}

impl StoreError {
    pub(super) fn of(path: &Path, source: rusqlite::Error) -> Self {
        let path = path.to_owned();
        match source.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full(path),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Locked(path),
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                Self::Damaged { path, reason: source.to_string() }
            }
            _ => Self::Sqlite { path, source },
        }
    }

    /// The identifier of the error in messages to the page.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Full(_) => "disk_full",
            Self::Locked(_) => "database_locked",
            Self::Damaged { .. } => "database_damaged",
            Self::Internal => "internal",
            _ => "store",
        }
    }
}
