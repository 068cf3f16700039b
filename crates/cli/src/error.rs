//! Errors in a file of defaults.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// An error in a file of defaults.
#[derive(Debug, Error)]
pub enum DefaultsError {
    /// The file cannot be read.
    #[error("cannot read the defaults in {}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Cause.
        error: io::Error,
    },
    /// The file is not TOML.
    #[error("{}: {error}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Place and cause.
        error: Box<toml::de::Error>,
    },
    /// The file names an unknown table or option.
    #[error("{}: there is no `{key}`; {known}", path.display())]
    Unknown {
        /// The file.
        path: PathBuf,
        /// Full key, with the names of its tables.
        key: String,
        /// The known names.
        known: String,
    },
    /// An option cannot have the value.
    #[error("{}: `{key} = {value}`: {reason}", path.display())]
    Value {
        /// The file.
        path: PathBuf,
        /// Full key, with the names of its tables.
        key: String,
        /// The value in the file.
        value: String,
        /// Cause.
        reason: String,
    },
}
