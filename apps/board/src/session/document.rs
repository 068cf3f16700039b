//! Sessions as text, for storage.

use std::fmt::Display;
use std::sync::Arc;

use game::ByColor;
use record::json;
use serde::{Deserialize, Serialize};

use super::clock::TimeControl;
use super::insight::Insight;
use super::log::{Base, Session};
use super::seat::Seat;
use super::state::LogEntry;
use crate::refused::Refused;

const VERSION: u32 = 1;

/// A session as JSON: its start, the log, and the undone actions. Everything else follows.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SessionDocument {
    version: u32,
    /// The game at the start, as a line of `record::json`.
    game: String,
    seats: [Seat; 4],
    control: TimeControl,
    changes: u64,
    log: Vec<LogEntry>,
    undone: Vec<LogEntry>,
}

fn unreadable(error: impl Display) -> Refused {
    Refused::new("store", format!("the stored game cannot be read: {error}"))
}

impl Session {
    /// Returns the session as text without its insights.
    pub fn document(&self) -> String {
        let document = SessionDocument {
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
    /// [`Refused`]
    pub fn from_document(text: &str, insights: impl IntoIterator<Item = (String, Insight)>) -> Result<Self, Refused> {
        let document: SessionDocument = serde_json::from_str(text).map_err(unreadable)?;
        if document.version != VERSION {
            let found = document.version;
            return Err(unreadable(format_args!("it has version {found}, this program supports version {VERSION}")));
        }
        let game = json::read_line(&document.game, 1).map_err(unreadable)?;
        let base = Base { game, seats: ByColor(document.seats), control: document.control };
        let mut session = Self::replayed(base, document.log, document.undone, document.changes).map_err(unreadable)?;
        session.insights = Arc::new(insights.into_iter().map(|(key, insight)| (key, insight.into())).collect());
        Ok(session)
    }
}
