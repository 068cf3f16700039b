//! Reading names.

use thiserror::Error;

use crate::excerpt::excerpt;

/// Error for a text that is not a known name.
///
/// ```
/// use game::{Color, Piece};
///
/// let error = "PENTO_Q".parse::<Piece>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown piece `PENTO_Q`: expected a name like PENTO_W or the letter of a pentomino");
/// assert_eq!("PINK".parse::<Color>().unwrap_err().text, "PINK");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown {kind} `{text}`: expected {expected}")]
pub struct UnknownName {
    /// Kind of the expected name, for example `piece`.
    pub kind: &'static str,
    /// The text, or as much of it as fits into a message.
    pub text: String,
    /// What names there are.
    pub expected: &'static str,
}

/// The thing of a kind that a text names according to `is_name`.
pub(crate) fn find<T: Copy>(
    all: &[T],
    is_name: impl Fn(T) -> bool,
    text: &str,
    kind: &'static str,
    expected: &'static str,
) -> Result<T, UnknownName> {
    let found = all.iter().copied().find(|&thing| is_name(thing));
    found.ok_or_else(|| UnknownName { kind, text: excerpt(text), expected })
}
