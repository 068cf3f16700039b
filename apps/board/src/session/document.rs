//! Sessions as text, for storage.

use std::sync::Arc;

use game::ByColor;
use record::{ParseError, json};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::action::ActionError;
use super::clock::TimeControl;
use super::insight::Insight;
use super::log::{Base, Session};
use super::seat::Seat;
use super::state::Entry;

const VERSION: u32 = 1;

/// A session as JSON: its start, the log, and the undone actions. Everything else follows.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    version: u32,
    /// The game at the start, as a line of `record::json`.
    game: String,
    seats: [Seat; 4],
    control: TimeControl,
    changes: u64,
    log: Vec<Entry>,
    undone: Vec<Entry>,
}

/// Why a stored session cannot be read.
#[derive(Debug, Error)]
pub enum DocumentError {
    /// The text is not the JSON of a session.
    #[error("the stored game cannot be read: {0}")]
    Json(#[from] serde_json::Error),
    /// Another version of this program has written it.
    #[error("the stored game has version {0}, this program knows version {VERSION}")]
    Version(u32),
    /// The game at the start cannot be read.
    #[error("the stored game cannot be read: {0}")]
    Game(#[from] ParseError),
    /// An action of the log is impossible.
    #[error("the stored game cannot be played again: {0}")]
    Action(#[from] ActionError),
}

impl Session {
    /// Returns the session as text without its insights.
    pub fn document(&self) -> String {
        let document = Document {
            version: VERSION,
            game: json::write(&self.base.game),
            seats: self.base.seats.0.clone(),
            control: self.base.control,
            changes: self.version,
            log: self.log.to_vec(),
            undone: self.undone.to_vec(),
        };
        // Only maps with keys that are not texts fail.
        serde_json::to_string(&document).unwrap_or_default()
    }

    /// Reads a [`document`](Self::document) and [`insights`](Self::insights). The clock stands still until the next
    /// move.
    ///
    /// # Errors
    /// [`DocumentError`]
    pub fn from_document(
        text: &str,
        insights: impl IntoIterator<Item = (String, Insight)>,
    ) -> Result<Self, DocumentError> {
        let document: Document = serde_json::from_str(text)?;
        if document.version != VERSION {
            return Err(DocumentError::Version(document.version));
        }
        let game = json::read_line(&document.game, 1)?;
        let base = Base { game, seats: ByColor(document.seats), control: document.control };
        let mut session = Self::replayed(base, document.log, document.undone, document.changes)?;
        session.insights = Arc::new(insights.into_iter().map(|(key, insight)| (key, insight.into())).collect());
        Ok(session)
    }
}
