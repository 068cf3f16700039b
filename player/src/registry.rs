//! Players by name.

use game::excerpt;
use thiserror::Error;

use crate::api::Player;
use crate::heuristic::HeuristicPlayer;
use crate::level::LevelPlayer;
use crate::mcts::MctsPlayer;
use crate::minimax::MinimaxPlayer;
use crate::options::{FromOptions, Options};
use crate::random::RandomPlayer;

type Constructor = fn(&Options) -> Box<dyn Player>;

/// Players by name, the strongest first.
const PLAYERS: &[(&str, Constructor)] = &[
    ("mcts", boxed::<MctsPlayer>),
    ("neural", |options| Box::new(MctsPlayer::neural(options))),
    ("minimax", boxed::<MinimaxPlayer>),
    ("heuristic", boxed::<HeuristicPlayer>),
    ("random", boxed::<RandomPlayer>),
];

/// Names of all players, the strongest first.
///
/// ```
/// assert!(player::PLAYER_NAMES.contains(&"heuristic"));
/// ```
pub const PLAYER_NAMES: &[&str] = &{
    let mut names = [""; PLAYERS.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = PLAYERS[i].0;
        i += 1;
    }
    names
};

/// An unknown name of a player.
///
/// ```
/// let Err(error) = player::by_name("nobody", &player::Options::default()) else { panic!() };
/// assert!(error.to_string().contains("`nobody`"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown player `{name}`, expected {list} or level1 to level9", list = PLAYER_NAMES.join(", "))]
#[non_exhaustive]
pub struct UnknownPlayer {
    /// The unknown name.
    pub name: String,
}

/// Creates a player by its name in [`PLAYER_NAMES`], or a [`Level`](crate::Level) such as `level3`.
///
/// # Errors
/// [`UnknownPlayer`] for any other name.
///
/// ```
/// let player = player::by_name("random", &player::Options::default())?;
/// assert_eq!(player.name(), "random");
/// # Ok::<(), player::UnknownPlayer>(())
/// ```
pub fn by_name(name: &str, options: &Options) -> Result<Box<dyn Player>, UnknownPlayer> {
    if let Ok(level) = name.parse() {
        return Ok(Box::new(LevelPlayer::new(level, options)));
    }
    let player = PLAYERS.iter().find(|(known, _)| *known == name);
    player.map(|(_, create)| create(options)).ok_or_else(|| UnknownPlayer { name: excerpt(name) })
}

/// Creates a boxed player of a type.
///
/// ```
/// use player::{HeuristicPlayer, Options};
///
/// assert_eq!(player::boxed::<HeuristicPlayer>(&Options::default()).name(), "heuristic");
/// ```
pub fn boxed<P: FromOptions + 'static>(options: &Options) -> Box<dyn Player> {
    Box::new(P::new(options))
}
