//! Errors of the database.

use std::fmt::Display;
use std::path::Path;

use rusqlite::ErrorCode;
use thiserror::Error;

use crate::refused::Refused;

/// An error of the database of games.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct StoreError(#[from] pub(crate) Refused);

impl StoreError {
    pub(super) fn of(path: &Path, source: &rusqlite::Error) -> Self {
        let file = path.display();
        match source.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => {
                Refused::new("disk_full", format!("cannot write {file}: the disk is full")).into()
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                Refused::new("database_locked", format!("cannot use {file}: another program keeps it locked")).into()
            }
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::damaged(path, source),
            _ => Self::other(format!("{file}: {source}")),
        }
    }

    /// The file is damaged or no database of games.
    pub(super) fn damaged(path: &Path, reason: impl Display) -> Self {
        let text = format!(
            "{} is damaged or no database of games: {reason}. It was left as it is. Restore a backup, recover the games \
             with `sqlite3 FILE .recover | sqlite3 NEW`, or choose another file with --games",
            path.display()
        );
        Refused::new("database_damaged", text).into()
    }

    /// The file or its folder cannot be used.
    pub(super) fn io(path: &Path, source: &std::io::Error) -> Self {
        Self::other(format!("cannot use {}: {source}", path.display()))
    }

    pub(super) fn other(text: String) -> Self {
        Refused::new("store", text).into()
    }
}
