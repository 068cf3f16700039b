//! Minimax: principal variation search with iterative deepening.
//!
//! `Minimax::search` is principal variation search (T. Marsland, M. Campbell, Parallel search of strongly ordered game
//! trees, 1982) with aspiration windows, killer moves and a transposition table that its threads share. These never
//! change the value of plain negamax over the same `candidates`. Late move reductions and futility pruning (`pruning`)
//! give up exactness for depth.

mod candidates;
mod evaluation;
mod iterative_deepening;
mod killers;
mod params;
mod player;
mod pruning;
mod search;
#[cfg(test)]
mod tests;
mod window;

pub use player::MinimaxPlayer;
