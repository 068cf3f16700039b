//! The subcommands of `trainer`, one per file.

pub mod learn;
pub mod play;
