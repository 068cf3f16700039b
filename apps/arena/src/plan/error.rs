//! Errors in plans.

use std::io;
use std::ops::Range;
use std::path::PathBuf;

use game::excerpt;
use thiserror::Error;

use crate::openings::OpeningError;

/// Error in a plan.
#[derive(Debug, Error)]
pub enum PlanError {
    /// A file cannot be read.
    #[error("cannot read {}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file is not a plan.
    #[error("{}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: Box<Self>,
    },
    /// Something on a line is wrong.
    #[error("line {line}, `{text}`: {reason}")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// The line.
        text: String,
        /// The reason.
        reason: String,
    },
    /// The games cannot begin as they should.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// There are too few contestants.
    #[error("a plan needs two contestants at least, each with `[[contestant]]`, and this has {0}")]
    Alone(usize),
}

impl PlanError {
    /// Something at the start of `span` in `text` is wrong.
    pub(super) fn line(text: &str, span: Option<Range<usize>>, reason: impl Into<String>) -> Self {
        let before = text.get(..span.map_or(0, |span| span.start)).unwrap_or_default();
        let line = before.matches('\n').count();
        let text = excerpt(text.lines().nth(line).unwrap_or_default().trim());
        Self::Line { line: line + 1, text, reason: reason.into() }
    }
}
