//! The subcommands of `trainer`, one per file.

pub mod gate;
pub mod learn;
pub mod play;
pub mod work;
