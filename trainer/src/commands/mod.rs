//! The subcommands of `trainer`, one per file.

pub mod gate;
pub mod learn;
pub mod play;
pub mod work;

use std::collections::BTreeMap;

use anyhow::Context;
use player::mcts::Params;

/// In searches as short as those of most training games, the convolutional network would take most of the time.
const WITHOUT_LOOKS: &str = "look_visits=0";

/// The parameters of the player among the arguments, by name.
///
/// # Errors
/// If the player has no such parameter, or not with that value.
fn params(given: &[String]) -> anyhow::Result<BTreeMap<String, String>> {
    let mut params = BTreeMap::new();
    for text in given {
        let (name, value) = text.split_once('=').with_context(|| format!("`{text}`: expected NAME=VALUE"))?;
        Params::default().set(name, value)?;
        params.insert(name.to_owned(), value.to_owned());
    }
    Ok(params)
}
