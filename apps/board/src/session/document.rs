//! A session as text, for keeping it.

use game::ByColor;
use record::{ParseError, json};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::action::ActionError;
use super::clock::TimeControl;
use super::log::{Base, Session};
use super::seat::{self, Seat};
use super::state::Entry;

const VERSION: u32 = 1;

/// A session as JSON: where it began, what was done, and what was undone. Everything else follows.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    version: u32,
    /// The game at the beginning, as a line of `record::json`.
    game: String,
    seats: [Seat; 4],
    control: TimeControl,
    changes: u64,
    log: Vec<Entry>,
    undone: Vec<Entry>,
}

/// Why a text is not a session.
///
/// ```
/// use board::session::{DocumentError, Session};
///
/// assert!(matches!(Session::from_document("{}"), Err(DocumentError::Json(_))));
/// ```
#[derive(Debug, Error)]
pub enum DocumentError {
    /// It is not the JSON of a session.
    #[error("the stored game cannot be read: {0}")]
    Json(#[from] serde_json::Error),
    /// Another version of this program has written it.
    #[error("the stored game has version {0}, this program knows version {VERSION}")]
    Version(u32),
    /// The game at the beginning cannot be read.
    #[error("the stored game cannot be read: {0}")]
    Game(#[from] ParseError),
    /// Something was done that is not possible.
    #[error("the stored game cannot be played again: {0}")]
    Action(#[from] ActionError),
}

impl Session {
    /// The session as text. Insights are not in it.
    ///
    /// ```
    /// use board::session::{Action, By, Session};
    /// use game::{Position, Rules};
    ///
    /// let mut session = Session::new(Position::new(Rules::Classic, None)?);
    /// session.act(&Action::Play { mv: "PENTO_W@0,0".parse()? }, By::Host, 0)?;
    /// assert!(Session::from_document(&session.document())?.stands_as(&session));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn document(&self) -> String {
        let document = Document {
            version: VERSION,
            game: json::write(&self.base.game),
            seats: seat::list(&self.base.seats),
            control: self.base.control,
            changes: self.version,
            log: self.log.clone(),
            undone: self.undone.clone(),
        };
        // Only maps whose keys are no text cannot be written; there are none.
        serde_json::to_string(&document).unwrap_or_default()
    }

    /// The session of a text as [`document`](Self::document) writes it. Its clock stands still until the next move.
    ///
    /// # Errors
    /// [`DocumentError`]
    pub fn from_document(text: &str) -> Result<Self, DocumentError> {
        let document: Document = serde_json::from_str(text)?;
        if document.version != VERSION {
            return Err(DocumentError::Version(document.version));
        }
        let game = json::read_line(&document.game, 1)?;
        let base = Base { game, seats: ByColor(document.seats), control: document.control };
        Ok(Self::replayed(base, document.log, document.undone, document.changes)?)
    }
}
