//! The default player of the client.

use player::{Options, Player};

// Any type that implements `Player` and `FromOptions` can replace `MctsPlayer` here.
use player::MctsPlayer as Algorithm;

/// Creates the default player.
///
/// ```
/// assert_eq!(client::algorithm::default_player(&player::Options::default()).name(), "mcts");
/// ```
pub fn default_player(options: &Options) -> Box<dyn Player> {
    player::boxed::<Algorithm>(options)
}
