//! Positions with known counts.

use game::{NotationError, Position};
use thiserror::Error;

/// A position whose leaves are known.
#[derive(Clone, Debug)]
pub struct Reference {
    /// A name without spaces.
    pub name: String,
    /// The position.
    pub position: Position,
    /// Depths and the number of leaves there.
    pub counts: Vec<(u32, u64)>,
}

/// Error in a file of reference counts.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ReferenceError {
    /// There is no name.
    #[error("`{0}`: expected `name: position ;D1 leaves ...`")]
    Name(String),
    /// The position cannot be read.
    #[error("{name}: {error}")]
    Position {
        /// The name of the position.
        name: String,
        /// Parse error.
        error: NotationError,
    },
    /// A count cannot be read.
    #[error("{name}: `{text}`: expected `Ddepth leaves`")]
    Count {
        /// The name of the position.
        name: String,
        /// The text in place of the count.
        text: String,
    },
}

/// The reference positions that come with the program, in the format that their file explains.
pub const POSITIONS: &str = include_str!("../positions.perft");

/// Reads reference counts, one position a line, `#` before comments.
///
/// # Errors
/// The first thing that cannot be read.
pub fn read(text: &str) -> Result<Vec<Reference>, ReferenceError> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).map(read_line).collect()
}

fn read_line(line: &str) -> Result<Reference, ReferenceError> {
    let (name, rest) = line.split_once(':').ok_or_else(|| ReferenceError::Name(line.to_owned()))?;
    let name = name.to_owned();
    let mut parts = rest.split(';').map(str::trim);
    let position = match parts.next().unwrap_or_default().parse() {
        Ok(position) => position,
        Err(error) => return Err(ReferenceError::Position { name, error }),
    };
    let mut counts = Vec::new();
    for text in parts {
        match read_count(text) {
            Some(count) => counts.push(count),
            None => return Err(ReferenceError::Count { name, text: text.to_owned() }),
        }
    }
    Ok(Reference { name, position, counts })
}

fn read_count(text: &str) -> Option<(u32, u64)> {
    let (depth, leaves) = text.strip_prefix('D')?.split_once(' ')?;
    Some((depth.parse().ok()?, leaves.parse().ok()?))
}
