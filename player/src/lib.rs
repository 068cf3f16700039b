//! Blokus players behind one trait.
//!
//! ```
//! use game::{Piece, Position, Rules};
//! use player::{FromOptions, MctsPlayer as Algorithm, Options, Player, SearchLimits};
//!
//! let position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
//! let mut player = Algorithm::new(&Options::default());
//! let report = player.choose(&position, &SearchLimits::nodes(100));
//! assert!(position.check(report.mv).is_ok());
//! # Ok::<(), game::SetupError>(())
//! ```
//!
//! To change the algorithm, import another player, or create one by name with [`by_name`]. To get a single move, call
//! [`best_move`].
//!
//! | player | algorithm |
//! |---|---|
//! | [`MctsPlayer`] | Monte Carlo tree search with playouts |
//! | [`MctsPlayer::neural`] | Monte Carlo tree search without playouts |
//! | [`MinimaxPlayer`] | principal variation search |
//! | [`HeuristicPlayer`] | one ply with a hand-crafted evaluation |
//! | [`RandomPlayer`] | random placements |
//! | [`LevelPlayer`] | nine levels of strength for people |
//!
//! The library prints nothing. Only [`Model::with_files`](model::Model::with_files) and
//! [`Experience`](experience::Experience) access files.
//!
//! # Stability
//!
//! The items at the root of the crate, [`Model::built_in`](model::Model::built_in),
//! [`Model::with_files`](model::Model::with_files), [`ModelError`](model::ModelError),
//! [`Experience`](experience::Experience) and [`ExperienceError`](experience::ExperienceError) are stable. The other
//! items of the modules, and methods with such items in their signature, are unstable: they may change in minor
//! versions, for example when a network is retrained with other inputs.

mod api;
pub mod bench;
mod best_move;
pub mod endgame;
pub mod experience;
mod heuristic;
mod input;
mod level;
mod math;
pub mod mcts;
mod memory;
mod minimax;
pub mod model;
mod options;
mod playout;
mod random;
mod registry;
mod root_moves;
mod threads;
mod transposition_table;

pub use api::{Budget, Evaluation, Param, ParamError, ParamValue, Player, Report, SearchHandle, SearchLimits};
pub use best_move::best_move;
pub use heuristic::HeuristicPlayer;
pub use level::{Level, LevelPlayer};
pub use mcts::MctsPlayer;
pub use minimax::MinimaxPlayer;
pub use options::{FromOptions, Options};
pub use random::RandomPlayer;
pub use registry::{PLAYER_NAMES, UnknownPlayer, boxed, by_name};

// Users move these types between threads.
const _: () = {
    const fn is_send_and_sync<T: Send + Sync>() {}
    const fn is_send<T: Send>() {}
    is_send_and_sync::<(Options, SearchLimits, SearchHandle, Report, Param, ParamError, UnknownPlayer)>();
    is_send_and_sync::<(model::Model, model::ModelError, experience::Experience)>();
    is_send::<Box<dyn Player>>();
    is_send::<(MctsPlayer, MinimaxPlayer, HeuristicPlayer, LevelPlayer, RandomPlayer)>();
};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
