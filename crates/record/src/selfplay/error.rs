//! Errors of shards.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::game::GameError;

/// The reason why a shard cannot be read or written.
#[derive(Debug, Error)]
pub enum ShardError {
    /// The file cannot be opened, read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
    /// The folder has no shards.
    #[error("{0} has no files of self-play games (*.games)")]
    None(PathBuf),
    /// The file does not begin like a shard.
    #[error("{0} is not a file of self-play games")]
    Foreign(PathBuf),
    /// Another version of this program wrote the file.
    #[error("{path} has format version {found}, which this program cannot read")]
    Version {
        /// The file.
        path: PathBuf,
        /// The version of its format.
        found: u16,
    },
    /// The file ends within a frame.
    #[error("{path} was cut: it ends within game {games} (appending repairs it)")]
    Cut {
        /// The file.
        path: PathBuf,
        /// The number of whole games before.
        games: usize,
    },
    /// Bytes have changed since they were written.
    #[error("{path} is damaged: {what} of game {games} is wrong")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The number of whole games before.
        games: usize,
        /// The wrong part.
        what: &'static str,
    },
    /// A frame has no game.
    #[error("{path}: game {games}: {error}")]
    Game {
        /// The file.
        path: PathBuf,
        /// The number of games before.
        games: usize,
        /// The error.
        error: GameError,
    },
    /// The header is unreadable.
    #[error("{path} has an unreadable header: {error}")]
    Header {
        /// The file.
        path: PathBuf,
        /// The error.
        error: serde_json::Error,
    },
    /// The file has games with another header.
    #[error("{path} has games of another engine, seed or other settings; choose another file or the same settings")]
    OtherHeader {
        /// The file.
        path: PathBuf,
    },
    /// Another process writes to the file.
    #[error("another process is writing to {0}")]
    Busy(PathBuf),
}

impl ShardError {
    /// An error of the file system.
    pub(super) fn io(path: &Path, error: io::Error) -> Self {
        Self::Io { path: path.to_owned(), error }
    }
}
