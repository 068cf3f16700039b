//! The board as a page without a service: game sessions and an engine as WebAssembly.
//!
//! A page loads it in two workers: one hosts the game, the other runs the engine, so that neither waits for the other.
//! Both take texts and return texts, see [`board::messages`] and [`board::active::jobs`]; the scripts between them and
//! the page are in `apps/board/page/alone`.

use board::active::Settings;
use board::messages::SetUp;
use board::new_game::{self, NewGame};
use board::session::{Session, shapes};
use host::StoredGame;
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

pub mod engine;
pub mod host;
mod race;

pub use race::Race;

fn json(value: &impl Serialize) -> String {
    // Only maps with keys that are not texts fail.
    serde_json::to_string(value).unwrap_or_default()
}

/// Formats an error for the page: name, line break, text.
fn refusal(name: &str, error: impl ToString) -> String {
    format!("{name}\n{}", error.to_string())
}

/// Returns the [`shapes`].
#[wasm_bindgen]
pub fn all_shapes() -> String {
    json(&shapes())
}

/// Creates a game from a [`NewGame`]. Returns a [`StoredGame`].
///
/// # Errors
/// Name and text of the error.
#[wasm_bindgen]
pub fn new_game(text: &str) -> Result<String, String> {
    let new: NewGame = serde_json::from_str(text).map_err(|error| refusal("value", error))?;
    let settings = Settings::default();
    let checked = new.seats.iter().try_for_each(|seat| settings.check_seat(seat));
    checked.map_err(|error| refusal(error.name(), error))?;
    let session = new.session().map_err(|error| refusal(error.name(), error))?;
    Ok(json(&StoredGame::of(&session)))
}

/// Answers a [`SetUp`].
///
/// # Errors
/// Name and text of the error.
#[wasm_bindgen]
pub fn set_up(text: &str) -> Result<String, String> {
    let asked: SetUp = serde_json::from_str(text).map_err(|error| refusal("value", error))?;
    asked.answer().map(|answer| json(&answer)).map_err(|error| refusal(error.name(), error))
}

/// Reads the games of a file. Returns a list of [`StoredGame`].
///
/// # Errors
/// Name and text of the error.
#[wasm_bindgen]
pub fn games_of_file(bytes: &[u8]) -> Result<String, String> {
    let games = new_game::import(bytes).map_err(|error| refusal(error.name(), error))?;
    Ok(json(&games.iter().map(|session: &Session| StoredGame::of(session)).collect::<Vec<_>>()))
}
