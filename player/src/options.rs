//! Options of players.

use std::sync::Arc;

use crate::api::Player;
use crate::experience::Experience;
use crate::model::Model;

/// A player that can be created from [`Options`].
///
/// ```
/// use player::{FromOptions, Options, Player, RandomPlayer as Algorithm};
///
/// let player = Algorithm::new(&Options { seed: 7, ..Options::default() });
/// assert_eq!(player.name(), "random");
/// ```
pub trait FromOptions: Player + Sized {
    /// Creates the player.
    fn new(options: &Options) -> Self;
}

/// Options of all players. A player ignores those it does not need.
///
/// Construct them with `..Default::default()`: minor versions may add fields.
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
    /// Seed: with one thread and a node limit, the same seed gives the same moves.
    pub seed: u64,
    /// Number of search threads.
    pub threads: usize,
    /// Memory for the tree or transposition table in bytes.
    pub memory: usize,
    /// Networks and opening book.
    pub model: Arc<Model>,
    /// Experience from earlier games and its file.
    pub experience: Option<Experience>,
}

impl Options {
    /// Default of [`memory`](Self::memory): 700 MiB.
    pub const DEFAULT_MEMORY: usize = 700 << 20;

    /// Maximum number of [`threads`](Self::threads) that the programs accept.
    pub const MAX_THREADS: usize = 1024;
}

impl Default for Options {
    /// Returns the options of one thread with the built-in model. The first call reads the built-in weights.
    fn default() -> Self {
        Self { seed: 0, threads: 1, memory: Self::DEFAULT_MEMORY, model: Model::built_in(), experience: None }
    }
}
