//! The programs of the workspace, in a terminal and with a queue server.

pub mod cluster;
pub mod credentials;
pub mod program;
pub mod queue_server;
#[cfg(unix)]
pub mod terminal;
