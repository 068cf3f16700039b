//! Players of Blokus behind one trait.
//!
//! A [`Player`] is asked for a move in a [`Position`] under a [`Limit`] and answers
//! with a [`Report`]: the move and what it thinks of it. Players are made by type, or by name with
//! [`by_name`]:
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
//! If you only need a move, call [`best_move`].
//!
//! Nothing here prints; what a player has to say is in its report. Files are only read by
//! [`Model::with_files`](model::Model::with_files) and [`Experience`], and written by the latter alone.

pub mod bench;
mod best_move;
pub mod endgame;
pub mod experience;
mod handle;
mod heuristic;
mod level;
mod limit;
pub mod mcts;
mod memory;
pub mod minimax;
pub mod model;
mod param;
mod pass;
pub mod playout;
mod random;
mod registry;
mod report;
mod table;
mod threads;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use game::Position;

use crate::experience::Experience;
use crate::model::Model;

pub use best_move::best_move;
pub use handle::SearchHandle;
pub use heuristic::HeuristicPlayer;
pub use level::{Level, LevelPlayer};
pub use limit::{Budget, Limit};
pub use mcts::{MctsPlayer, NeuralPlayer};
pub use minimax::MinimaxPlayer;
pub use param::{Param, ParamError, ParamValue};
pub use random::RandomPlayer;
pub use registry::{Make, NAMES, UnknownPlayer, boxed, by_name};
pub use report::{Evaluation, Report};

/// Something that chooses moves.
///
/// ```
/// use game::{Move, Position};
/// use player::{Limit, Player, Report};
///
/// /// Places the first piece that it finds.
/// struct First;
///
/// impl Player for First {
///     fn name(&self) -> &'static str {
///         "first"
///     }
///
///     fn new_game(&mut self) {}
///
///     fn choose(&mut self, position: &Position, _: &Limit) -> Report {
///         let placements = position.board().placements(position.color());
///         Report::without_thought(placements.first().map_or(Move::Pass, |&first| first.into()))
///     }
/// }
/// ```
pub trait Player: Send {
    /// The name under which [`by_name`] finds the player.
    fn name(&self) -> &'static str;

    /// Forgets everything about the game before. Players may keep what they learnt in one move for the next; a new
    /// game starts afresh, but random numbers may go on. To repeat a game, make a new player.
    fn new_game(&mut self);

    /// Chooses a legal move for the colour on turn, within the limit, which may also leave a choice
    /// [among](Limit::among) some moves only.
    ///
    /// The position is the whole truth: it need not follow from the one before. It is not over, and
    /// its colour on turn has a placement unless the position was set up otherwise; then the answer
    /// is a pass.
    fn choose(&mut self, position: &Position, limit: &Limit) -> Report;

    /// Gets ready for the first move of a game while there is time, for example by using memory for the first time,
    /// which is slow. Changes nothing in what the player chooses. Returns within about a millisecond after `stop` has
    /// become true; players that need no time return at once.
    fn prepare(&mut self, _stop: &AtomicBool) {}

    /// Thinks about a position in which the opponent is on turn, to know more when it is asked for a move afterwards.
    /// Returns at the limit, and as soon as possible, within about a millisecond, after `stop` has become true; players
    /// that cannot think ahead return at once.
    fn ponder(&mut self, _position: &Position, _limit: &Limit, _stop: &AtomicBool) {}

    /// The parameters with their present values; most players have none.
    fn params(&self) -> Vec<Param> {
        Vec::new()
    }

    /// Sets a parameter to the value that a text stands for (see [`ParamValue`]), with effect from the next move on.
    ///
    /// # Errors
    /// [`ParamError`] if there is no such parameter or it cannot have the value.
    fn set_param(&mut self, name: &str, _value: &str) -> Result<(), ParamError> {
        Err(ParamError::Unknown(name.to_owned()))
    }
}

/// A player that is made of [`Options`] alone, so that a program can do with any type of player.
///
/// ```
/// use player::{FromOptions, Options, Player, RandomPlayer as Algorithm};
///
/// let player = Algorithm::new(&Options { seed: 7, ..Options::default() });
/// assert_eq!(player.name(), "random");
/// ```
pub trait FromOptions: Player + Sized {
    /// Makes a player.
    fn new(options: &Options) -> Self;
}

/// What every player is told when it is made. A player ignores what does not concern it.
///
/// ```
/// use player::{Options, by_name};
///
/// let options = Options { seed: 7, threads: 2, memory: 64 << 20, ..Options::default() };
/// assert_eq!(by_name("mcts", &options)?.name(), "mcts");
/// # Ok::<(), player::UnknownPlayer>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// Seed of all its randomness: same seed, same node limit and one thread, same moves.
    pub seed: u64,
    /// How many threads it may use.
    pub threads: usize,
    /// How much memory it may take for its tree or table, in bytes.
    pub memory: usize,
    /// What is known of positions before any search.
    pub model: Arc<Model>,
    /// What earlier games taught, and where it is kept.
    pub experience: Option<Experience>,
}

impl Options {
    /// How much memory a player may take unless it is told otherwise, in bytes.
    pub const DEFAULT_MEMORY: usize = 700 << 20;

    /// The most threads that programs let a player have, more than any machine has processors.
    pub const MOST_THREADS: usize = 1024;
}

impl Default for Options {
    fn default() -> Self {
        Self { seed: 0, threads: 1, memory: Self::DEFAULT_MEMORY, model: Model::built_in(), experience: None }
    }
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
