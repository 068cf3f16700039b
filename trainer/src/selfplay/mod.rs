//! Games that the Monte Carlo player plays against itself, to learn from.
//!
//! [`play`] plays a game as [`Settings`] say; [`Game`] is what is kept of it, and a [shard](Writer) a file of many.

mod game;
mod play;
mod settings;
mod shard;

pub use game::{Game, GameError, MOST_VISITED, Outlook, Ply, Source};
pub use play::play;
pub use settings::Settings;
pub use shard::{EXTENSION, Header, Reader, ShardError, Writer, files};
