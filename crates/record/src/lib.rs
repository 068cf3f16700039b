//! Games of Blokus as files.
//!
//! ```no_run
//! for game in record::file::open("game.blksgf")? {
//!     let game = game?;
//!     println!("{} - {}: {:?}", game.names[0], game.names[1], game.verdict());
//! }
//! # Ok::<(), record::file::FileError>(())
//! ```
//!
//! A [`Game`] has a start position, moves with variations and [notes](Note), and a [`Verdict`]. Three kinds of file
//! hold games:
//!
//! | kind | module | holds |
//! |---|---|---|
//! | official replays of both seasons, `.xml`, `.xml.gz` | [`replay`] | main line, names, result |
//! | files of Pentobi, `.blksgf` | [`sgf`] | everything |
//! | lines of JSON, `.jsonl` | [`json`] | everything |
//!
//! [`mod@file`] opens all of them, compressed with gzip or not, within the [`limits`]. A bad file gives an error with
//! its place. Files of self-play for training are another kind: [`selfplay`].

mod error;
mod fault;
pub mod file;
pub mod json;
pub mod limits;
mod note;
pub mod replay;
pub mod selfplay;
pub mod sgf;
mod tree;
mod verdict;

pub use error::{ParseError, Problem, Warning};
pub use fault::{Fault, FaultKind};
pub use note::{Note, Property};
pub use tree::{Cursor, Game, Node, NodeId};
pub use verdict::Verdict;

// Users move these types between threads.
const _: () = {
    const fn is_send_and_sync<T: Send + Sync>() {}
    const fn is_send<T: Send>() {}
    is_send_and_sync::<(Game, NodeId, Note, Verdict)>();
    is_send_and_sync::<(ParseError, Fault, file::FileError, file::SaveError)>();
    is_send::<(file::Games<'static>, Cursor<'static>)>();
};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
