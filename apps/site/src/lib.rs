//! The board as a page without a service: game sessions and an engine as WebAssembly.
//!
//! A page loads it in two workers: one hosts the game, the other runs the engine, so that neither waits for the other.
//! Both take texts and return texts, see [`board::messages`] and [`board::active::jobs`]; the scripts between them and
//! the page are in `apps/board/page/alone`.

use board::active::Settings;
use board::messages::SetUp;
use board::new_game::{self, NewGame};
use board::session::{Insight, Session, shapes};
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

/// Reads stored insights. Unreadable ones can be searched again.
fn known(insights: &str) -> Vec<(String, Insight)> {
    serde_json::from_str(insights).unwrap_or_default()
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

/// A [`host::LocalGame`]. Its outcomes are the JSON of a [`host::Outcome`].
#[wasm_bindgen]
#[expect(missing_debug_implementations, reason = "its views show everything")]
pub struct Table(host::LocalGame);

#[wasm_bindgen]
impl Table {
    /// Opens a stored game: the session, and its insights as JSON.
    ///
    /// # Errors
    /// Name and text of the error.
    #[wasm_bindgen(constructor)]
    pub fn open(document: &str, insights: &str) -> Result<Table, String> {
        Ok(Self(host::LocalGame::open(document, known(insights)).map_err(|error| refusal("store", error))?))
    }

    /// Continues with the game as another window has stored it.
    ///
    /// # Errors
    /// Name and text of the error.
    pub fn replace(&mut self, document: &str, insights: &str) -> Result<(), String> {
        self.0.replace(document, known(insights)).map_err(|error| refusal("store", error))
    }

    /// Returns the first outcome for a page.
    pub fn show(&mut self, now: f64) -> String {
        json(&self.0.show(now as u64))
    }

    /// Answers a message of the page.
    pub fn hear(&mut self, text: &str, now: f64) -> String {
        json(&self.0.hear(text, now as u64))
    }

    /// Takes a report of the engine.
    ///
    /// # Errors
    /// Name and text of the error.
    pub fn learn(&mut self, report: &str, now: f64) -> Result<String, String> {
        let report = serde_json::from_str(report).map_err(|error| refusal("message", error))?;
        Ok(json(&self.0.report(report, now as u64)))
    }

    /// Ends the game if the team on turn has used its time.
    pub fn check_time(&mut self, now: f64) -> String {
        json(&self.0.check_time(now as u64))
    }

    /// Returns the game as the text of a file with this extension.
    ///
    /// # Errors
    /// Name and text of the error.
    pub fn text_of(&self, extension: &str) -> Result<String, String> {
        self.0.text_of(extension).map_err(|error| refusal(error.name(), error))
    }
}

/// A [`LocalEngine`](engine::LocalEngine).
#[wasm_bindgen]
#[derive(Default)]
#[expect(missing_debug_implementations, reason = "its reports contain everything")]
pub struct Engine(engine::LocalEngine);

#[wasm_bindgen]
impl Engine {
    /// Creates an engine without jobs.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Engine {
        Self::default()
    }

    /// Takes commands. Returns the milliseconds to wait before the next step, or nothing if there is no job.
    ///
    /// # Errors
    /// Name and text of the error.
    pub fn take(&mut self, commands: &str) -> Result<Option<f64>, String> {
        let commands = serde_json::from_str(commands).map_err(|error| refusal("message", error))?;
        Ok(self.0.take(commands).map(|delay| delay as f64))
    }

    /// Runs the first job for a while. Returns a report, if there is one.
    pub fn go_on(&mut self) -> Option<String> {
        self.0.step().map(|report| json(&report))
    }

    /// Returns `true` if there is a job to run.
    pub fn is_at_work(&self) -> bool {
        self.0.is_busy()
    }
}
