//! Why there is no plan.

use std::io;
use std::path::PathBuf;

use game::excerpt;
use thiserror::Error;

use crate::engines::SpecError;
use crate::openings::OpeningError;

/// Why there is no plan.
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
    /// The text is not TOML or has an unknown key.
    #[error("line {line}, `{text}`: {reason}")]
    Syntax {
        /// The number of the line, from 1.
        line: usize,
        /// What stands there.
        text: String,
        /// Why.
        reason: String,
    },
    /// Something on a line is wrong.
    #[error("line {line}: {source}")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// The reason.
        source: Box<Self>,
    },
    /// A value is not one.
    #[error("{key} = {value}: {reason}")]
    Value {
        /// Key of the value.
        key: &'static str,
        /// The value.
        value: String,
        /// Why.
        reason: String,
    },
    /// A contestant is none.
    #[error(transparent)]
    Contestant(#[from] SpecError),
    /// The games cannot begin as they should.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// There are too few contestants.
    #[error("a plan needs two contestants at least, each with `[[contestant]]`, and this has {0}")]
    Alone(usize),
}

impl PlanError {
    pub(super) fn value(key: &'static str, value: impl ToString, reason: impl ToString) -> Self {
        Self::Value { key, value: excerpt(value.to_string()), reason: reason.to_string() }
    }

    /// Adds the line in `text`: the first line after `start` with the key.
    pub(super) fn on_line(self, text: &str, start: usize) -> Self {
        let key = match &self {
            Self::Value { key, .. } => key,
            Self::Contestant(_) => "player",
            Self::Opening(_) => "opening",
            Self::Alone(_) => "contestant",
            _ => return self,
        };
        let has_key = |line: &str| {
            line.match_indices(key).any(|(at, _)| {
                let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
                let rest = line[at + key.len()..].trim_start_matches(['"', '\'', ' ', '\t']);
                !line[..at].ends_with(is_letter) && rest.starts_with(['=', '.', ']'])
            })
        };
        let first = text[..start].matches('\n').count();
        match text.lines().skip(first).position(has_key) {
            Some(line) => Self::Line { line: first + line + 1, source: Box::new(self) },
            None => self,
        }
    }

    pub(super) fn syntax(text: &str, error: &toml::de::Error) -> Self {
        let before = text.get(..error.span().map_or(0, |span| span.start)).unwrap_or_default();
        let line = before.matches('\n').count();
        let text = excerpt(text.lines().nth(line).unwrap_or_default().trim());
        Self::Syntax { line: line + 1, text, reason: error.message().to_owned() }
    }
}
