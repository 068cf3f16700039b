//! Which player plays.

use player::{Options, Player};

// The player that is built in. Any other type that implements `Player` and `FromOptions` may stand here.
use player::MctsPlayer as Algorithm;

/// Makes the player that is built in.
///
/// ```
/// assert_eq!(client::algorithm::built_in(&player::Options::default()).name(), "mcts");
/// ```
pub fn built_in(options: &Options) -> Box<dyn Player> {
    player::boxed::<Algorithm>(options)
}
