//! Errors in plans.

use std::fmt::Display;
use std::ops::Range;
use std::path::Path;

use game::excerpt;
use thiserror::Error;

use crate::openings::OpeningError;

/// Error in a plan with its place.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct PlanError(pub(super) String);

impl PlanError {
    /// Creates the error of an unreadable file.
    pub(crate) fn unreadable(path: impl AsRef<Path>, reason: impl Display) -> Self {
        Self(format!("cannot read {}: {reason}", path.as_ref().display()))
    }

    /// Something at the start of `span` in `text` is wrong.
    pub(super) fn line(text: &str, span: Option<Range<usize>>, reason: impl Display) -> Self {
        let before = text.get(..span.map_or(0, |span| span.start)).unwrap_or_default();
        let line = before.matches('\n').count();
        let text = excerpt(text.lines().nth(line).unwrap_or_default().trim());
        Self(format!("line {}, `{text}`: {reason}", line + 1))
    }
}

impl From<OpeningError> for PlanError {
    fn from(error: OpeningError) -> Self {
        Self(error.to_string())
    }
}
