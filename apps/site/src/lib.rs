//! The board as a page without a service: game sessions and an engine as WebAssembly.
//!
//! Two workers of a page load it, so that neither the page nor the game waits for the engine: one has a [`Table`], at
//! which a game is played, the other an [`Engine`]. Both take texts and answer with texts, see [`job`] and
//! [`board::talk`]; what goes between them and the page is in the folder `apps/board/page/alone`. A [`Race`] tells how fast
//! the engine is there.
//!
//! | file | what |
//! |---|---|
//! | `lib` | what JavaScript calls |
//! | `table` | a game with the page that shows it |
//! | `engine` | the engine at what it was asked last |
//! | `job` | what both say to each other |
//! | `race` | how many simulations the engine makes in a second |

use board::begin::{self, NewGame};
use board::session::{Insight, Seat, Session, shapes};
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

pub mod engine;
pub mod job;
pub mod race;
pub mod table;

/// A value as JSON.
fn json(value: &impl Serialize) -> String {
    // Only maps whose keys are no text cannot be written; there are none.
    serde_json::to_string(value).unwrap_or_default()
}

/// An error as the page reads it: a name and a text, with a line break between them.
fn refusal(name: &str, error: impl ToString) -> String {
    format!("{name}\n{}", error.to_string())
}

/// What engines think of the positions of a game that was kept. What cannot be read can be thought again.
fn known(insights: &str) -> Vec<(String, Insight)> {
    serde_json::from_str(insights).unwrap_or_default()
}

/// The pieces as tables, see [`shapes`].
#[wasm_bindgen]
pub fn all_shapes() -> String {
    json(&shapes())
}

/// A new game, of what the page asks for as [`NewGame`], as it is kept.
///
/// # Errors
/// Name and text of what is wrong.
#[wasm_bindgen]
pub fn new_game(text: &str) -> Result<String, String> {
    let new: NewGame = serde_json::from_str(text).map_err(|error| refusal("value", error))?;
    if new.seats.iter().any(|seat| matches!(seat, Seat::Guest | Seat::Program { .. })) {
        return Err(refusal("alone", "without a service only people here and the levels play"));
    }
    let session = new.session().map_err(|error| refusal(error.name(), error))?;
    Ok(json(&table::Table::kept(&session)))
}

/// The games of a file as they are kept.
///
/// # Errors
/// Name and text of what is wrong.
#[wasm_bindgen]
pub fn games_of_file(bytes: &[u8]) -> Result<String, String> {
    let games = begin::import(bytes).map_err(|error| refusal(error.name(), error))?;
    Ok(json(&games.iter().map(|session: &Session| table::Table::kept(session)).collect::<Vec<_>>()))
}

/// A game that is played, see [`table`].
#[wasm_bindgen]
#[expect(missing_debug_implementations, reason = "a game tells nothing of itself but its views")]
pub struct Table(table::Table);

#[wasm_bindgen]
impl Table {
    /// A game as it was kept: the session, and what engines think of its positions as JSON.
    ///
    /// # Errors
    /// Name and text of what is wrong.
    #[wasm_bindgen(constructor)]
    pub fn open(document: &str, insights: &str) -> Result<Table, String> {
        Ok(Self(table::Table::open(document, known(insights)).map_err(|error| refusal("store", error))?))
    }

    /// Goes on with what has become of the game in another window, as it was kept there.
    ///
    /// # Errors
    /// Name and text of what is wrong.
    pub fn replace(&mut self, document: &str, insights: &str) -> Result<(), String> {
        self.0.replace(document, known(insights)).map_err(|error| refusal("store", error))
    }

    /// What a page is told when it begins to look, as the JSON of an [`Outcome`](job::Outcome).
    pub fn show(&mut self, now: f64) -> String {
        json(&self.0.show(now as u64))
    }

    /// Answers what the page says.
    pub fn hear(&mut self, text: &str, now: f64) -> String {
        json(&self.0.hear(text, now as u64))
    }

    /// Takes what the engine tells.
    pub fn learn(&mut self, told: &str, now: f64) -> String {
        json(&match serde_json::from_str(told) {
            Ok(told) => self.0.learn(told, now as u64),
            // It is written by the other half of this crate.
            Err(_) => job::Outcome::default(),
        })
    }

    /// Ends the game if the time of the team on turn is up.
    pub fn check_time(&mut self, now: f64) -> String {
        json(&self.0.check_time(now as u64))
    }

    /// The game as a file of some kind.
    ///
    /// # Errors
    /// Name and text of what is wrong.
    pub fn text_of(&self, kind: &str) -> Result<String, String> {
        self.0.text_of(kind).map_err(|error| refusal(error.name(), error))
    }
}

/// An engine that works in parts, see [`engine`].
#[wasm_bindgen]
#[derive(Default)]
#[expect(missing_debug_implementations, reason = "an engine tells nothing of itself but its thoughts")]
pub struct Engine(engine::Engine);

#[wasm_bindgen]
impl Engine {
    /// An engine with nothing to do.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Engine {
        Self::default()
    }

    /// Takes an [order](job::Order). How long it is to wait before it goes on, in milliseconds; none if it has nothing
    /// to do.
    pub fn take(&mut self, order: &str) -> Option<f64> {
        // It is written by the other half of this crate.
        let order = serde_json::from_str(order).unwrap_or(job::Order::Stop);
        self.0.take(order).map(|delay| delay as f64)
    }

    /// Works for a while and tells what came of it; nothing if there is nothing to do.
    pub fn go_on(&mut self) -> Option<String> {
        self.0.go_on().map(|told| json(&told))
    }

    /// Whether there is something to do.
    pub fn is_at_work(&self) -> bool {
        self.0.is_at_work()
    }
}

/// How fast the engine is here, see [`race`].
#[wasm_bindgen]
#[derive(Default)]
#[expect(missing_debug_implementations, reason = "it tells what there is to tell after each position")]
pub struct Race(race::Race);

#[wasm_bindgen]
impl Race {
    /// At its beginning.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Race {
        Self::default()
    }

    /// Searches the next position, and tells what all came to so far; nothing when all are done.
    pub fn go_on(&mut self) -> Option<String> {
        self.0.go_on().map(|standing| json(&standing))
    }
}
