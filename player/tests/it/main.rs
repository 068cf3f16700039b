//! Integration tests.

mod endgame;
mod experience;
mod mcts;
mod minimax;
mod players;
mod strength;
