//! The subcommands of `arena`, one per file.

pub mod matches;
pub mod parse;
mod progress;
pub mod serve;
mod summary;
