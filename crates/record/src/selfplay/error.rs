//! Errors of shards.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// The reason why a shard cannot be read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ShardError {
    /// The file cannot be opened, read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
    /// The file ends within a frame.
    #[error("{path} is truncated: it ends within game {games}; appending repairs it")]
    Cut {
        /// The file.
        path: PathBuf,
        /// The number of whole games before.
        games: usize,
    },
    /// The file is no shard, is damaged, or has other games.
    #[error("{path} {problem}")]
    Unusable {
        /// The file.
        path: PathBuf,
        /// The problem, to follow the name of the file in a sentence.
        problem: String,
    },
}

impl ShardError {
    /// Returns the error for a failure of the file system.
    pub(super) fn io(path: &Path, error: io::Error) -> Self {
        Self::Io { path: path.to_owned(), error }
    }

    /// Returns the error for an unusable file; `problem` follows its name in a sentence.
    pub fn unusable(path: &Path, problem: impl Into<String>) -> Self {
        Self::Unusable { path: path.to_owned(), problem: problem.into() }
    }
}
