//! The subcommands of `arena`, one per file.

pub mod matches;
mod progress;
mod summary;
