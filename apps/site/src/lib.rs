//! The board as a page without a service: game sessions and an engine as WebAssembly.
//!
//! A page loads it in two workers: one hosts the game, the other runs the engine, so that neither waits for the other.
//! Both take texts and return texts, see [`board::messages`] and [`board::active::jobs`]; the scripts between them and
//! the page are in `apps/board/page/alone`.

use board::active::GameSettings;
use board::messages::SetUp;
use board::new_game::{self, NewGame};
use board::refused::Refused;
use board::session::shapes;
use host::SavedGame;
use serde::Serialize;
use serde::de::DeserializeOwned;
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
fn refusal(Refused { name, text }: Refused) -> String {
    format!("{name}\n{text}")
}

/// Reads the JSON of the page.
fn read<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| format!("message\n{error}"))
}

/// Returns the [`shapes`].
#[wasm_bindgen]
pub fn all_shapes() -> String {
    json(&shapes())
}

/// Creates a game from a [`NewGame`]. Returns a [`SavedGame`].
///
/// # Errors
/// Name and text of the error.
#[wasm_bindgen]
pub fn new_game(text: &str) -> Result<String, String> {
    let new: NewGame = read(text)?;
    let settings = GameSettings::default();
    new.seats.iter().try_for_each(|seat| settings.check_seat(seat)).map_err(refusal)?;
    Ok(json(&SavedGame::of(&new.session().map_err(refusal)?)))
}

/// Answers a [`SetUp`].
///
/// # Errors
/// Name and text of the error.
#[wasm_bindgen]
pub fn set_up(text: &str) -> Result<String, String> {
    read::<SetUp>(text)?.answer().map(|answer| json(&answer)).map_err(refusal)
}

/// Reads the games of a file. Returns a list of [`SavedGame`].
///
/// # Errors
/// Name and text of the error.
#[wasm_bindgen]
pub fn games_of_file(bytes: &[u8]) -> Result<String, String> {
    let games = new_game::import(bytes).map_err(refusal)?;
    Ok(json(&games.iter().map(SavedGame::of).collect::<Vec<_>>()))
}
