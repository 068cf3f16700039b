//! Errors of the database.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;
use rusqlite::ErrorCode::{CannotOpen, DatabaseCorrupt, NotADatabase, ReadOnly};
use rusqlite::ffi;
use rusqlite::ffi::{SQLITE_CONSTRAINT_FOREIGNKEY, SQLITE_CONSTRAINT_UNIQUE};
use thiserror::Error;

use crate::engines::shell_quote;

/// Database error.
#[derive(Debug, Error)]
pub enum StoreError {
    /// SQLite refuses.
    #[error("{path}: {reason}")]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// The code of SQLite, if it has one.
        code: Option<ErrorCode>,
        /// The reason.
        reason: String,
    },
    /// The file is damaged or not a database of the arena.
    #[error(
        "{path} is damaged or not a database of the arena: {reason}. Restore a backup, recover the games with `sqlite3 \
         FILE .recover | sqlite3 NEW`, or choose another file"
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The first damage.
        reason: String,
    },
    /// A game is unreadable, or its moves are illegal or do not give its points.
    #[error(
        "{path}: game {id} of match {match_id} is damaged: {reason}. Restore a backup, or delete the game with \
         `arena delete --game {id} --database {}`: a resumed match or plan plays it again",
        shell_quote(&.path.to_string_lossy())
    )]
    Game {
        /// The file.
        path: PathBuf,
        /// The number of the game.
        id: i64,
        /// The number of its match.
        match_id: i64,
        /// The first damage.
        reason: String,
    },
    /// A match is unreadable.
    #[error(
        "{path}: match {id} is damaged: {reason}. Restore a backup, or delete the match with \
         `arena delete {id} --database {}`",
        shell_quote(&.path.to_string_lossy())
    )]
    Match {
        /// The file.
        path: PathBuf,
        /// The number of the match.
        id: i64,
        /// The first damage.
        reason: String,
    },
    /// The number is unknown.
    #[error("there is no {what} {id}")]
    Missing {
        /// Match or game.
        what: &'static str,
        /// The number.
        id: i64,
    },
    /// Any other failure, as a message.
    #[error("{0}")]
    Content(String),
}

impl StoreError {
    /// Adds the path to an error of SQLite.
    pub fn of(path: &Path, source: rusqlite::Error) -> Self {
        match source {
            rusqlite::Error::SqliteFailure(code, _) if code.extended_code == SQLITE_CONSTRAINT_UNIQUE => {
                Self::Content(format!("{}: another process is playing the same match", path.display()))
            }
            rusqlite::Error::SqliteFailure(code, _) if code.extended_code == SQLITE_CONSTRAINT_FOREIGNKEY => {
                Self::Content(format!("{}: another process has deleted the match", path.display()))
            }
            rusqlite::Error::SqliteFailure(ffi::Error { code: DatabaseCorrupt | NotADatabase, .. }, ref reason) => {
                let reason = reason.clone().unwrap_or_else(|| source.to_string());
                Self::Damaged { path: path.to_owned(), reason }
            }
            rusqlite::Error::FromSqlConversionFailure(_, _, error) => {
                Self::Content(format!("{}: {error}", path.display()))
            }
            source => {
                let code = source.sqlite_error_code();
                Self::Sqlite { path: path.to_owned(), code, reason: reason(path, code, source) }
            }
        }
    }
}

/// Returns the reason of a failure of SQLite, whose own messages contain the path or the code as well.
fn reason(path: &Path, code: Option<ErrorCode>, source: rusqlite::Error) -> String {
    match (code, source) {
        _ if path.is_dir() => "it is a folder".to_owned(),
        (Some(CannotOpen), _) if !path.exists() => "there is no such file".to_owned(),
        (Some(CannotOpen | ReadOnly), _) => {
            "the file or its folder is read-only; copy it to a folder that you can write to".to_owned()
        }
        (_, rusqlite::Error::SqliteFailure(_, Some(message))) => message,
        (_, source) => source.to_string(),
    }
}
