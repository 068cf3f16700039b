//! Which player plays.

use player::{Options, Player, UnknownPlayer};

// The player that is built in. Any other type that implements `Player` and `FromOptions` may stand here.
use player::MctsPlayer as Algorithm;

/// Makes the player of a name of [`player::NAMES`], or the one that is built in.
///
/// # Errors
/// [`UnknownPlayer`] if there is no player of that name.
///
/// ```
/// let player = client::algorithm::make(Some("random"), &player::Options::default())?;
/// assert_eq!(player.name(), "random");
/// # Ok::<(), player::UnknownPlayer>(())
/// ```
pub fn make(name: Option<&str>, options: &Options) -> Result<Box<dyn Player>, UnknownPlayer> {
    match name {
        Some(name) => player::by_name(name, options),
        None => Ok(player::boxed::<Algorithm>(options)),
    }
}
