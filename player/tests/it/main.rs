//! Integration tests.

mod endgame;
mod experience;
mod minimax;
mod root_moves;
mod strength;
