//! Errors in a file of defaults.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// An error in a file of defaults.
#[derive(Debug, Error)]
pub enum DefaultsError {
    /// It cannot be read.
    #[error("cannot read the defaults in {}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// It is not written in TOML.
    #[error("{}: {error}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Where and why not.
        error: Box<toml::de::Error>,
    },
    /// It says something of what there is not.
    #[error("{}: there is no `{key}`; {known}", path.display())]
    Unknown {
        /// The file.
        path: PathBuf,
        /// Full key, with the names of its tables.
        key: String,
        /// What there is instead.
        known: String,
    },
    /// An option cannot have the value.
    #[error("{}: `{key} = {value}`: {reason}", path.display())]
    Value {
        /// The file.
        path: PathBuf,
        /// Full key, with the names of its tables.
        key: String,
        /// The value as it stands there.
        value: String,
        /// Why not.
        reason: String,
    },
}
