//! Errors in weights files.

use game::excerpt;
use thiserror::Error;

/// An error in a weights file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// Not a weights file.
    #[error("not a weights file: the signature is missing")]
    Signature,
    /// A file of another format version.
    #[error("the header announces version {announced} of the format, this program reads version {known}")]
    Version {
        /// Value in the header.
        announced: u32,
        /// Supported version.
        known: u32,
    },
    /// The file is truncated or has trailing bytes.
    #[error("the header announces {announced} bytes, the file has {found}")]
    Length {
        /// Value in the header.
        announced: usize,
        /// Actual length.
        found: usize,
    },
    /// The file is damaged.
    #[error("the file is damaged: the header announces the checksum {announced:08x}, it is {found:08x}")]
    Checksum {
        /// Value in the header.
        announced: u32,
        /// Actual checksum.
        found: u32,
    },
    /// The contents violate the format.
    #[error("malformed at byte {at}: {problem}")]
    Malformed {
        /// Byte offset in the file.
        at: usize,
        /// The violation.
        problem: &'static str,
    },
    /// The model has no such part.
    #[error("the kind is `{}`, expected {expected}", excerpt(.found))]
    Kind {
        /// Actual value.
        found: String,
        /// Known kinds.
        expected: String,
    },
    /// An array is missing.
    #[error("the array `{0}` is missing")]
    MissingArray(String),
    /// An array name occurs twice.
    #[error("the array `{}` occurs twice", excerpt(.0))]
    RepeatedArray(String),
    /// The part has no such array.
    #[error("the array `{}` is unknown", excerpt(.0))]
    UnknownArray(String),
    /// An array has the wrong shape.
    #[error("the array `{name}` is {found}, expected {expected}")]
    Shape {
        /// Name of the array.
        name: String,
        /// Actual value.
        found: String,
        /// Expected shape.
        expected: String,
    },
    /// A line of a book is illegal.
    #[error("line {} of the array `{name}` is illegal", number + 1)]
    Line {
        /// Name of the array.
        name: String,
        /// Number of the line, from 0.
        number: usize,
    },
    /// A number is infinite or NaN.
    #[error("the array `{}` has a number that is not finite", excerpt(.0))]
    NotFinite(String),
    /// A number is too large for the fixed-point arithmetic.
    #[error("the array `{name}` has a number beyond {limit} and -{limit}")]
    TooLarge {
        /// Name of the array.
        name: String,
        /// Maximum absolute value.
        limit: u32,
    },
    /// The weights of an output are too large for the fixed-point arithmetic.
    #[error("the array `{name}` has weights of one output with absolute values of more than {limit} together")]
    SumTooLarge {
        /// Name of the array.
        name: String,
        /// Maximum sum of absolute values.
        limit: u32,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_control_characters_of_names() {
        let name = || "a\x1b[2Jb".to_owned();
        for error in [
            WeightsError::Kind { found: name(), expected: "`prior`".to_owned() },
            WeightsError::RepeatedArray(name()),
            WeightsError::UnknownArray(name()),
            WeightsError::NotFinite(name()),
        ] {
            assert!(error.to_string().contains("`a\\u{1b}[2Jb`"), "{error}");
        }
    }
}
