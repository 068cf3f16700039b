//! Saves games as files.

use record::file;
use thiserror::Error;

use crate::session::Session;
use crate::sheet;

/// Why a game cannot be saved.
#[derive(Debug, Error)]
pub enum SaveError {
    /// The kind of file is unknown.
    #[error("expected blksgf, jsonl, txt, xml or html, found `{0}`")]
    Kind(String),
    /// This kind of file cannot contain the game.
    #[error(transparent)]
    Game(file::SaveError),
}

impl SaveError {
    /// The identifier of the error in messages to the page.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Kind(_) => "not_found",
            Self::Game(_) => "no_replay",
        }
    }
}

/// Returns a game as the text of a file with this extension.
///
/// ```
/// use board::save::text_of;
/// use board::session::Session;
/// use game::{Position, Rules};
///
/// let session = Session::new(Position::new(Rules::Classic, None)?);
/// assert!(text_of(&session, "txt")?.starts_with("blokus 1"));
/// assert_eq!(text_of(&session, "xml").unwrap_err().name(), "no_replay");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`SaveError`]
pub fn text_of(session: &Session, extension: &str) -> Result<String, SaveError> {
    if extension == "html" {
        return Ok(sheet::html(session));
    }
    file::text_of(&session.record(), extension).map_err(|error| match error {
        file::SaveError::Kind(unknown) => SaveError::Kind(unknown),
        other => SaveError::Game(other),
    })
}
