//! The subcommands of `arena`, one per file.

mod defaults;
pub mod export;
pub mod import;
pub mod learn;
pub mod matches;
pub mod openings;
pub mod parse;
mod progress;
pub mod report;
pub mod serve;
pub mod show;
mod summary;
pub mod tune;

/// The database in the current folder that keeps all games unless another one is named.
pub const DATABASE: &str = "arena.sqlite";
