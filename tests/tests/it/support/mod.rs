//! The programs of the workspace, also in a terminal.

pub mod program;
#[cfg(unix)]
pub mod terminal;
