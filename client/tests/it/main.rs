//! Integration tests.

mod demo;
mod gtp;
mod guides;
mod own_player;
mod program;
mod session;
