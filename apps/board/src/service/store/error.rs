//! Errors of the database.

use arena::database;
use rusqlite::ErrorCode;
use thiserror::Error;

use crate::refused::Refused;

/// An error of the database of games.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct GameStoreError(#[from] pub(crate) Refused);

impl From<database::StoreError> for GameStoreError {
    fn from(error: database::StoreError) -> Self {
        let (name, text) = match error {
            database::StoreError::Sqlite { path, code, reason } => {
                let file = path.display();
                match code {
                    Some(ErrorCode::DiskFull) => ("disk_full", format!("cannot write {file}: the disk is full")),
                    Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                        ("database_locked", format!("cannot use {file}: another program keeps it locked"))
                    }
                    _ => ("store", format!("cannot use {file}: {reason}")),
                }
            }
            database::StoreError::Damaged { path, reason } => (
                "database_damaged",
                format!(
                    "{} is damaged or not a database of games: {reason}. It was left as it is. Restore a backup, recover the \
                     games with `sqlite3 FILE .recover | sqlite3 NEW`, or choose another file with --games",
                    path.display()
                ),
            ),
            error => ("store", error.to_string()),
        };
        Refused::new(name, text).into()
    }
}

impl GameStoreError {
    pub(super) fn other(text: String) -> Self {
        Refused::new("store", text).into()
    }
}
