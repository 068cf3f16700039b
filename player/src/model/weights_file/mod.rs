//! Files of weights: named arrays of numbers, with a header that says what they are and what made them.
//!
//! All numbers are little-endian. A *text* is its length in bytes as `u32`, then UTF-8.
//!
//! | section | what | as |
//! |---|---|---|
//! | header | the signature `BLOKUS\r\n` | 8 bytes |
//! | | version of the format, 1 | `u32` |
//! | | length of all that follows the header, in bytes | `u32` |
//! | | CRC-32 of all that follows the header (that of zlib and PNG) | `u32` |
//! | kind | which part of the model this is | text |
//! | origin | command, data, engine | three texts |
//! | list of arrays | how many arrays there are | `u32` |
//! | each array | its name | text |
//! | | type of its numbers: 0 for `f32`, no others so far | `u8` |
//! | | how many dimensions it has, and its size in each | `u8`, `u32` each |
//! | | its numbers, those of the last dimension side by side | `f32` each |
//!
//! Programs that convert line ends change the signature, so that the file is refused.
//!
//! `contents` is what such a file holds, `array` one array of it; `header` tells whether the bytes are those that were
//! written; `read` and `write` go from bytes to contents and back; `error` says what is wrong with which section.

mod array;
mod contents;
mod error;
mod header;
mod read;
mod write;

pub use array::Array;
pub use contents::{Origin, WeightsFile};
pub use error::{Defect, Section, WeightsError};
