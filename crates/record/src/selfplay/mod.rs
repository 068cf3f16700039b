//! Games that a player has played against itself, with what its searches found: what programs learn from.
//!
//! [`Game`] is what is kept of such a game, and a *shard* a file of many, which a [`Writer`] appends to and a
//! [`Reader`] reads. [`Settings`] say how they were played. `trainer play` plays them.

mod game;
mod settings;
mod shard;

pub use game::{Game, GameError, MOST_VISITED, Outlook, Ply, Source};
pub use settings::Settings;
pub use shard::{EXTENSION, Header, Reader, ShardError, Writer, files};
