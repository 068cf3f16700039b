//! Errors of packing.

use std::fmt::Display;
use std::io;
use std::path::Path;

use thiserror::Error;

/// The reason why a client cannot be packed.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct PackError(pub(crate) String);

impl PackError {
    /// Converts an error about a file.
    pub(crate) fn of_file(verb: &str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self(format!("cannot {verb} {}: {error}", path.display()))
    }

    /// Converts an error about the start of a program.
    pub(crate) fn of_start(program: &str) -> impl FnOnce(io::Error) -> Self {
        move |error| Self(format!("cannot run {program}: {error}"))
    }

    /// Returns the error for a failed `cargo metadata` or `cargo tree`.
    pub(crate) fn of_cargo(command: &str, error: impl Display) -> Self {
        Self(format!("`cargo {command}` failed: {error}"))
    }
}

impl From<cargo_metadata::Error> for PackError {
    fn from(error: cargo_metadata::Error) -> Self {
        Self::of_cargo("metadata", error)
    }
}

#[cfg(feature = "archive")]
impl From<zip::result::ZipError> for PackError {
    fn from(error: zip::result::ZipError) -> Self {
        Self(format!("cannot write the archive: {error}"))
    }
}
