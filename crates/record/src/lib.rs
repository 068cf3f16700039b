//! Games of Blokus as files.
//!
//! A [`Game`] is where a game begins, its moves with variations and [notes](Note), and how it ended.
//! Four kinds of file hold games:
//!
//! | kind | module | holds |
//! |---|---|---|
//! | official replays of both seasons, `.xml`, `.xml.gz` | [`replay`] | the main line, names, result |
//! | files of Pentobi, `.blksgf` | [`sgf`] | everything |
//! | lines of JSON, `.jsonl` | [`json`] | everything |
//! | our notation, `.txt` | [`text`] | everything but the properties of other programs |
//!
//! [`mod@file`] opens any of them, compressed with gzip or not. Whatever a file contains, reading it ends with
//! games or with an error that says what is wrong and where, within the [`limits`].
//! Files of self-play, from which programs learn, are of another kind: [`selfplay`].
//!
//! ```no_run
//! for game in record::file::open("game.blksgf".as_ref())? {
//!     let game = game?;
//!     println!("{} - {}: {:?}", game.names[0], game.names[1], game.verdict());
//! }
//! # Ok::<(), record::file::FileError>(())
//! ```

mod error;
mod fault;
pub mod file;
pub mod json;
pub mod limits;
mod note;
pub mod replay;
pub mod selfplay;
pub mod sgf;
pub mod text;
mod tree;

pub use error::{ParseError, Problem, Warning};
pub use fault::{Fault, FaultKind};
pub use note::{Note, Property};
pub use tree::{Cursor, Game, Node, NodeId, Verdict};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
