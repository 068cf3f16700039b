//! Integration tests.

mod demo;
mod gtp;
mod own_player;
mod program;
mod session;
