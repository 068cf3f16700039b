//! Games of self-play with the results of the searches, for training.
//!
//! A *shard* is a file of many [`SelfPlayGame`]s: a [`ShardWriter`] appends to it, a [`ShardReader`] reads it.
//! [`SelfPlaySettings`] are the settings of the games. `trainer play` plays them.
//!
//! The file format is stable. The Rust interface of this module is unstable: it may change in minor versions.

mod error;
mod frames;
mod game;
mod shard;

pub use error::ShardError;
pub use game::{MAX_VISITED, SelfPlayGame, SelfPlayGameError, SelfPlayPly, Source, StoredEvaluation};
pub use shard::{EXTENSION, Header, SelfPlaySettings, ShardReader, ShardWriter, files};
