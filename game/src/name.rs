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
#[non_exhaustive]
pub struct UnknownName {
    /// Kind of the expected name, for example `piece`.
    pub kind: &'static str,
    /// The text, or as much of it as fits into a message.
    pub text: String,
    /// The known names.
    pub expected: &'static str,
}

impl UnknownName {
    /// Creates the error for `text`, where a name of this `kind` is expected. Keeps an [`excerpt`] of the text.
    pub fn new(kind: &'static str, text: &str, expected: &'static str) -> Self {
        Self { kind, text: excerpt(text), expected }
    }
}

/// Returns the value that a text names according to `is_name`.
pub(crate) fn find<T: Copy>(
    all: &[T],
    is_name: impl Fn(T) -> bool,
    text: &str,
    kind: &'static str,
    expected: &'static str,
) -> Result<T, UnknownName> {
    let found = all.iter().copied().find(|&value| is_name(value));
    found.ok_or_else(|| UnknownName::new(kind, text, expected))
}

/// Implements `Display` by the name of a value and `FromStr` by the names of all values.
macro_rules! named {
    ($type:ident, $all:expr, $is_name:expr, $kind:literal, $expected:literal, $forms:literal) => {
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        #[doc = $forms]
        impl std::str::FromStr for $type {
            type Err = $crate::UnknownName;

            fn from_str(text: &str) -> Result<Self, $crate::UnknownName> {
                let is_name: fn(Self, &str) -> bool = $is_name;
                $crate::name::find(&$all[..], |value| is_name(value, text), text, $kind, $expected)
            }
        }
    };
    ($type:ident, $all:expr, $kind:literal, $expected:literal) => {
        $crate::name::named!(
            $type,
            $all,
            |value, text| value.name() == text,
            $kind,
            $expected,
            "Parses a [`name`](Self::name)."
        );
    };
}
pub(crate) use named;
