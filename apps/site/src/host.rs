//! The host of a game in the browser: one page, and one engine in another worker.

use board::active::jobs::EngineCommand;
use board::active::{ActiveGame, Effects, Event, GameSettings};
use board::messages::{Reply, Viewer, done, refused};
use board::save::text_of;
use board::session::{By, Insight, Millis, Session, Summary};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::{json, read, refusal};

/// A game with the page that shows it. Outcomes are the JSON of a [`LocalEffects`], times milliseconds since 1970, and
/// errors a name and a text.
#[wasm_bindgen]
pub struct LocalGame {
    game: ActiveGame,
    page: Viewer,
    /// The session that replaces the one of the game when it is shown.
    replacement: Option<Box<Session>>,
}

/// The worker's tasks after an event, as JSON.
#[derive(Debug, Serialize, Deserialize)]
pub struct LocalEffects {
    /// The game to save before anything is sent.
    pub game: Option<SavedGame>,
    /// Messages to the page.
    pub messages: Vec<Value>,
    /// Commands to the engine, if there are any.
    pub engine: Option<Vec<EngineCommand>>,
    /// Milliseconds until the team to move has used its time.
    pub time: Option<u64>,
}

/// A game as the browser stores it.
#[derive(Debug, Serialize, Deserialize)]
pub struct SavedGame {
    /// Number of changes.
    pub changes: u64,
    /// The session.
    pub document: String,
    /// The insights by the keys of their positions.
    pub insights: Vec<(String, Insight)>,
    /// The entry in the list of games.
    pub summary: Value,
}

impl SavedGame {
    /// Returns a session as the browser stores it.
    pub fn of(session: &Session) -> Self {
        Self {
            changes: session.version(),
            document: session.document(),
            insights: session.insights().map(|(key, insight)| (key, insight.clone())).collect(),
            summary: serde_json::to_value(Summary::of(session)).unwrap_or_default(),
        }
    }
}

/// Reads a stored game. Unreadable insights can be searched again.
fn session(document: &str, insights: &str) -> Result<Session, String> {
    let insights: Vec<(String, Insight)> = serde_json::from_str(insights).unwrap_or_default();
    Session::from_document(document, insights).map_err(refusal)
}

#[wasm_bindgen]
impl LocalGame {
    /// Opens a stored game: the session, and its insights as JSON.
    ///
    /// # Errors
    /// If it cannot be read.
    #[wasm_bindgen(constructor)]
    pub fn open(document: &str, insights: &str) -> Result<LocalGame, String> {
        let game = ActiveGame::new(session(document, insights)?, GameSettings::default().into());
        Ok(Self { game, page: Viewer::new(By::Host, None), replacement: None })
    }

    /// Continues with the game as another window has stored it, from [`show`](Self::show) on.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn replace(&mut self, document: &str, insights: &str) -> Result<(), String> {
        self.replacement = Some(session(document, insights)?.into());
        Ok(())
    }

    /// Returns the first outcome for a page.
    pub fn show(&mut self, now: f64) -> String {
        let event = self.replacement.take().map_or(Event::Tick, Event::Replace);
        let mut outcome = self.handle(event, None, now as Millis);
        outcome.messages = vec![self.page.view(&self.game, now as Millis)];
        json(&outcome)
    }

    /// Returns the game as the text of a file with this extension.
    ///
    /// # Errors
    /// If such a file cannot contain it.
    pub fn text_of(&self, extension: &str) -> Result<String, String> {
        text_of(self.game.session(), extension).map_err(refusal)
    }

    /// Answers a message of the page.
    pub fn receive(&mut self, text: &str, now: f64) -> String {
        let now = now as Millis;
        json(&match self.page.answer(text, &self.game, now) {
            Reply::Event(id, event) => self.handle(event, id, now),
            Reply::Message(message) => self.outcome(vec![message], Effects::default(), now),
        })
    }

    /// Takes a report of the engine.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn report(&mut self, report: &str, now: f64) -> Result<String, String> {
        Ok(json(&self.handle(Event::Report(read(report)?), None, now as Millis)))
    }

    /// Ends the game if the team to move has used its time.
    pub fn check_time(&mut self, now: f64) -> String {
        json(&self.handle(Event::Tick, None, now as Millis))
    }
}

impl LocalGame {
    fn handle(&mut self, event: Event, id: Option<u64>, now: Millis) -> LocalEffects {
        match self.game.handle(event, now) {
            Ok(effects) => {
                let view = effects.is_visible.then(|| self.page.view(&self.game, now));
                self.outcome(view.into_iter().chain(id.map(done)).collect(), effects, now)
            }
            Err(error) => self.outcome(vec![refused(id, error.name, error)], Effects::default(), now),
        }
    }

    fn outcome(&self, messages: Vec<Value>, effects: Effects, now: Millis) -> LocalEffects {
        let is_changed = effects.saves_session || effects.insight.is_some();
        LocalEffects {
            game: is_changed.then(|| SavedGame::of(self.game.session())),
            messages,
            engine: (!effects.commands.is_empty()).then_some(effects.commands),
            time: self.game.time_left(now),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::LocalEngine;
    use board::new_game::NewGame;
    use serde_json::json;

    /// A game of blue and red at this screen against a level.
    struct Played {
        game: LocalGame,
        engine: LocalEngine,
        said: Vec<Value>,
        kept: Option<SavedGame>,
    }

    impl Played {
        fn against(level: u8) -> Self {
            let (person, level) = (json!({ "kind": "person" }), json!({ "kind": "level", "level": level }));
            let new = json!({ "rules": "classic", "seats": [person, level, person, level] });
            let new: NewGame = serde_json::from_value(new).unwrap();
            let stored = SavedGame::of(&new.session().unwrap());
            let game = LocalGame::open(&stored.document, "").unwrap();
            Self { game, engine: LocalEngine::default(), said: Vec::new(), kept: None }
        }

        fn follow(&mut self, outcome: &str) {
            let outcome: LocalEffects = serde_json::from_str(outcome).unwrap();
            self.said.extend(outcome.messages);
            self.kept = outcome.game.or(self.kept.take());
            self.engine.take(&json(&outcome.engine.unwrap_or_default())).unwrap();
        }

        fn say(&mut self, message: &Value) {
            let outcome = self.game.receive(&message.to_string(), 0.0);
            self.follow(&outcome);
        }

        fn run_engine(&mut self) {
            while self.engine.is_busy() {
                if let Some(report) = self.engine.step() {
                    let outcome = self.game.report(&report, 0.0).unwrap();
                    self.follow(&outcome);
                }
            }
        }

        fn last(&self, kind: &str) -> &Value {
            self.said.iter().rev().find(|message| message["type"] == kind).unwrap()
        }

        fn play(&mut self, mv: &str) {
            self.say(&json!({ "type": "act", "id": 1, "action": { "do": "play", "move": mv }, "on": null }));
        }
    }

    #[test]
    fn stored_game_comes_back() {
        let mut played = Played::against(1);
        played.play("MONO@0,0");
        assert_eq!(played.last("done")["id"], 1);
        played.run_engine();
        let view = played.last("view")["view"].clone();
        assert_eq!((&view["turn"], &view["may_move"]), (&json!(2), &json!(true)));
        let kept = played.kept.unwrap();
        assert_eq!(kept.summary["moves"], 2);
        let mut again = LocalGame::open(&kept.document, &json(&kept.insights)).unwrap();
        let outcome: LocalEffects = serde_json::from_str(&again.show(0.0)).unwrap();
        assert_eq!(outcome.messages[0]["view"]["board"], view["board"]);
    }

    #[test]
    fn replaced_game_asks_the_engine_again() {
        let mut played = Played::against(1);
        let act = json!({ "type": "act", "id": 1, "action": { "do": "play", "move": "MONO@0,0" }, "on": null });
        let dropped: LocalEffects = serde_json::from_str(&played.game.receive(&act.to_string(), 0.0)).unwrap();
        assert!(dropped.engine.is_some());
        played.game.replace(&dropped.game.unwrap().document, "").unwrap();
        let outcome = played.game.show(0.0);
        played.follow(&outcome);
        assert!(played.kept.is_none());
        played.run_engine();
        assert_eq!(played.last("view")["view"]["turn"], 2);
    }

    #[test]
    fn hint_analysis_and_answer_complete() {
        let mut played = Played::against(9);
        played.say(&json!({ "type": "analyse", "id": 1, "time": 10 }));
        played.say(&json!({ "type": "hint", "time": 10 }));
        played.run_engine();
        assert!(!played.last("view")["view"]["insight"]["candidates"].as_array().unwrap().is_empty());
        assert_eq!(played.last("view")["progress"], Value::Null);
        // The highest level searches until `move_now`.
        played.play("PENTO_W@0,0");
        assert_eq!(played.engine.step(), None);
        played.say(&json!({ "type": "move_now" }));
        played.run_engine();
        assert_eq!(played.last("view")["view"]["turn"], 2);
    }
}
