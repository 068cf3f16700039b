//! Games of self-play with the results of the searches, for training.
//!
//! A *shard* is a file of many [`Game`]s: a [`Writer`] appends to it, a [`Reader`] reads it. [`Settings`] are the
//! settings of the games. `trainer play` plays them.
//!
//! The file format is stable. The Rust interface of this module is unstable: it may change in minor versions.

mod error;
mod frames;
mod game;
mod shard;

pub use error::ShardError;
pub use game::{Evaluation, Game, GameError, MAX_VISITED, Ply, Source};
pub use shard::{EXTENSION, Header, Reader, Settings, Writer, files};
