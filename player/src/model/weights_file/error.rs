//! What can be wrong with a file of weights, and in which of its sections.

use std::fmt;

use game::excerpt;
use thiserror::Error;

/// Why bytes are not the weights that are wanted.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum WeightsError {
    /// Something else than a file of weights.
    #[error("the header does not begin as that of a file of weights")]
    Signature,
    /// A file of another version of this program.
    #[error("the header announces version {announced} of the format, this program reads version {known}")]
    Version {
        /// As the header says.
        announced: u32,
        /// The only one that can be read.
        known: u32,
    },
    /// Only a part of the file, or more than that.
    #[error("the header announces {announced} bytes, the file has {found}")]
    Length {
        /// As the header says.
        announced: usize,
        /// As there are.
        found: usize,
    },
    /// Some bytes are wrong.
    #[error("the file is damaged: the header announces the checksum {announced:08x}, it is {found:08x}")]
    Checksum {
        /// As the header says.
        announced: u32,
        /// Of what is there.
        found: u32,
    },
    /// The header is right, but a section does not keep to the format.
    #[error("{section} {defect} at byte {at}")]
    Malformed {
        /// Which one.
        section: Section,
        /// What is wrong with it.
        defect: Defect,
        /// Where in the file.
        at: usize,
    },
    /// Weights of something that is not part of the model.
    #[error("the kind is `{}`, expected {expected}", excerpt(.found))]
    Kind {
        /// What it is.
        found: String,
        /// What it could be.
        expected: String,
    },
    /// An array is missing.
    #[error("the array `{0}` is missing")]
    MissingArray(String),
    /// Two arrays have one name.
    #[error("the array `{}` occurs twice", excerpt(.0))]
    RepeatedArray(String),
    /// There is an array too many.
    #[error("the array `{}` is unknown", excerpt(.0))]
    UnknownArray(String),
    /// An array has other dimensions than are wanted.
    #[error("the array `{name}` is {found}, expected {expected}")]
    Shape {
        /// The name of the array.
        name: String,
        /// What it is.
        found: String,
        /// What it should be.
        expected: String,
    },
    /// No game can follow a line of a book.
    #[error("no game can follow line {number} of the array `{name}`")]
    Line {
        /// The name of the array.
        name: String,
        /// The number of the line, from 0.
        number: usize,
    },
    /// A number is infinite or NaN.
    #[error("the array `{}` has a number that is not finite", excerpt(.0))]
    NotFinite(String),
    /// A number is too large for a network that computes in whole numbers.
    #[error("the array `{name}` has a number beyond {most} and -{most}")]
    TooLarge {
        /// The array.
        name: String,
        /// The largest that there may be.
        most: u32,
    },
    /// Numbers are together too large for a network that computes in whole numbers.
    #[error("the array `{name}` has numbers for one output that add up to more than {most}, signs aside")]
    SumTooLarge {
        /// The array.
        name: String,
        /// The most that they may add up to.
        most: u32,
    },
}

/// A part of a file, see the table at the top of the module's source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Section {
    /// Signature, version, length and checksum.
    Header,
    /// Which part of the model it is.
    Kind,
    /// What made it.
    Origin,
    /// How many arrays there are.
    List,
    /// The name of an array, the first of which has the number 1.
    ArrayName(usize),
    /// The array of this name.
    Array(String),
    /// What follows the last array.
    End,
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header => f.write_str("the header"),
            Self::Kind => f.write_str("the kind"),
            Self::Origin => f.write_str("the origin"),
            Self::List => f.write_str("the list of arrays"),
            Self::ArrayName(number) => write!(f, "the name of array {number}"),
            Self::Array(name) => write!(f, "the array `{}`", excerpt(name)),
            Self::End => f.write_str("the end"),
        }
    }
}

/// How a section can break the format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Defect {
    /// It is longer than the file.
    #[error("breaks off")]
    BreaksOff,
    /// A text is not UTF-8.
    #[error("is not UTF-8")]
    NotUtf8,
    /// No numbers have this type.
    #[error("has numbers of the unknown type {0}")]
    NumberType(u8),
    /// Something follows that belongs to no section.
    #[error("is not reached")]
    Surplus,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_a_file_are_shown_without_what_a_terminal_obeys() {
        let name = || "a\x1b[2Jb".to_owned();
        for error in [
            WeightsError::Kind { found: name(), expected: "`prior`".to_owned() },
            WeightsError::RepeatedArray(name()),
            WeightsError::UnknownArray(name()),
            WeightsError::NotFinite(name()),
            WeightsError::Malformed { section: Section::Array(name()), defect: Defect::BreaksOff, at: 1 },
        ] {
            assert!(error.to_string().contains("`a\\u{1b}[2Jb`"), "{error}");
        }
    }
}
