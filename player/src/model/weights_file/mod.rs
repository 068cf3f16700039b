//! Weights files: named arrays of numbers, with a header and their origin.
//!
//! Numbers are little-endian. A *text* is its length in bytes as `u32`, then UTF-8.
//!
//! | section | content | type |
//! |---|---|---|
//! | header | the signature `BLOKUS\r\n` | 8 bytes |
//! | | version of the format, 1 | `u32` |
//! | | length of the rest of the file in bytes | `u32` |
//! | | CRC-32 of the rest of the file (as in zlib and PNG) | `u32` |
//! | kind | part of the model | text |
//! | origin | command, data, engine | three texts |
//! | list of arrays | number of arrays | `u32` |
//! | each array | name | text |
//! | | type of the numbers: 0 for `f32` | `u8` |
//! | | number of dimensions, and size in each | `u8`, `u32` each |
//! | | numbers in row-major order | `f32` each |
//!
//! Conversion of line ends changes the signature, so the file is rejected.

mod array;
mod contents;
mod error;
mod header;
mod read;
mod write;

pub use array::Array;
pub use contents::{Origin, WeightsFile};
pub use error::WeightsError;
