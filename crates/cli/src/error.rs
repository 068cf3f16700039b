//! Errors in a file of defaults.

use std::fmt::Display;
use std::path::Path;

use thiserror::Error;

/// An error in a file of defaults, with its path.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct DefaultsError(String);

impl DefaultsError {
    /// The file cannot be read.
    pub(crate) fn unreadable(path: &Path, error: impl Display) -> Self {
        Self(format!("cannot read the defaults in {}: {error}", path.display()))
    }

    /// The file has a problem.
    pub(crate) fn new(path: &Path, problem: impl Display) -> Self {
        Self(format!("{}: {problem}", path.display()))
    }
}
