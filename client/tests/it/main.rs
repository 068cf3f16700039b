//! Integration tests.

mod gtp;
mod own_player;
mod program;
mod session;
