//! Errors in a file of defaults.

use std::fmt::Display;
use std::path::Path;

use thiserror::Error;

/// An error in a file of defaults, with its path.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct DefaultsError(String);

impl DefaultsError {
    /// Returns the error for an unreadable file.
    pub(crate) fn unreadable(path: &Path, error: impl Display) -> Self {
        Self(format!("cannot read the defaults in {}: {error}", path.display()))
    }

    /// Returns the error for a problem in the file.
    pub(crate) fn new(path: &Path, problem: impl Display) -> Self {
        Self(format!("{}: {problem}", path.display()))
    }
}
