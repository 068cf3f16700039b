//! Players of Blokus behind one trait.
//!
//! A [`Player`] gets a [`Position`](game::Position) and a [`Limit`] and returns a [`Report`]: the move with its
//! evaluation. Create players by type, or by name with [`by_name`]:
//!
//! ```
//! use game::{Piece, Position, Rules};
//! use player::{FromOptions, Limit, Options, Player, RandomPlayer as Algorithm};
//!
//! let mut player = Algorithm::new(&Options::default());
//! let position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
//! let report = player.choose(&position, &Limit::nodes(1));
//! assert!(position.check(report.mv).is_ok());
//! # Ok::<(), game::SetupError>(())
//! ```
//!
//! To get a single move, call [`best_move`].
//!
//! From the bottom up: `api` is the interface; [`model`] has the networks and the opening book; [`experience`] keeps
//! what earlier games showed; [`playout`] completes games; [`endgame`] solves the last moves; [`mcts`] and [`minimax`]
//! search. Nothing prints. Only [`Model::with_files`](model::Model::with_files) and
//! [`Experience`](experience::Experience) read files, and only the latter writes one.

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
pub mod minimax;
pub mod model;
mod options;
mod pass;
pub mod playout;
mod random;
mod registry;
mod threads;
mod transposition_table;

pub use api::{Budget, Evaluation, Limit, Param, ParamError, ParamValue, Player, Report, SearchHandle};
pub use best_move::best_move;
pub use heuristic::HeuristicPlayer;
pub use level::{Level, LevelPlayer};
pub use mcts::{MctsPlayer, NeuralPlayer};
pub use minimax::MinimaxPlayer;
pub use options::{FromOptions, Options};
pub use random::RandomPlayer;
pub use registry::{Make, NAMES, UnknownPlayer, boxed, by_name};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
