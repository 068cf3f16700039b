//! The built-in player.

use player::{Options, Player};

// Any other type that implements `Player` and `FromOptions` may stand here.
use player::MctsPlayer as Algorithm;

/// Creates the built-in player.
///
/// ```
/// assert_eq!(client::algorithm::built_in(&player::Options::default()).name(), "mcts");
/// ```
pub fn built_in(options: &Options) -> Box<dyn Player> {
    player::boxed::<Algorithm>(options)
}
