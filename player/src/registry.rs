//! Players by name.

use thiserror::Error;

use crate::{
    FromOptions, HeuristicPlayer, Level, LevelPlayer, MctsPlayer, MinimaxPlayer, NeuralPlayer, Options, Player,
    RandomPlayer,
};

/// What makes a player of its options, for example [`boxed`].
pub type Make = fn(&Options) -> Box<dyn Player>;

/// Every player that can be asked for by name.
const PLAYERS: &[(&str, Make)] = &[
    ("mcts", boxed::<MctsPlayer>),
    ("neural", boxed::<NeuralPlayer>),
    ("minimax", boxed::<MinimaxPlayer>),
    ("heuristic", boxed::<HeuristicPlayer>),
    ("random", boxed::<RandomPlayer>),
];

/// The names of all players, the strongest first.
///
/// ```
/// assert!(player::NAMES.contains(&"heuristic"));
/// ```
pub const NAMES: [&str; PLAYERS.len()] = {
    let mut names = [""; PLAYERS.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = PLAYERS[i].0;
        i += 1;
    }
    names
};

/// There is no player of this name.
///
/// ```
/// let Err(error) = player::by_name("nobody", &player::Options::default()) else { panic!() };
/// assert!(error.to_string().contains("`nobody`"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("there is no player `{0}`; there are {list}, level1 to level9", list = NAMES.join(", "))]
pub struct UnknownPlayer(pub String);

/// Makes the player of a name of [`NAMES`], or of a [`Level`] such as `level3`.
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
    if let Some(level) = Level::from_name(name) {
        return Ok(Box::new(LevelPlayer::of(level, options)));
    }
    let player = PLAYERS.iter().find(|(known, _)| *known == name);
    player.map(|(_, make)| make(options)).ok_or_else(|| UnknownPlayer(name.to_owned()))
}

/// Makes a player of a type.
///
/// ```
/// use player::{HeuristicPlayer, Options};
///
/// assert_eq!(player::boxed::<HeuristicPlayer>(&Options::default()).name(), "heuristic");
/// ```
pub fn boxed<P: FromOptions + 'static>(options: &Options) -> Box<dyn Player> {
    Box::new(P::new(options))
}
