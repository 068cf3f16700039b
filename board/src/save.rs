//! Games as files.

use record::{json, replay, sgf, text};
use thiserror::Error;

use crate::session::{ActionError, Session};
use crate::sheet;

/// Why a game cannot be written as a file of some kind.
#[derive(Debug, Error)]
pub enum SaveError {
    /// There is no such kind of file.
    #[error("expected blksgf, jsonl, txt, xml or html, found `{0}`")]
    Kind(String),
    /// There are no replays of games with such rules.
    #[error("replays are of the seasons 2021 and 2027; this game has other rules")]
    NoReplay,
    /// The page about the game cannot be made.
    #[error(transparent)]
    Page(#[from] ActionError),
}

impl SaveError {
    /// The error in one word.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Kind(_) => "not_found",
            Self::NoReplay => "no_replay",
            Self::Page(error) => error.name(),
        }
    }
}

/// A game as the text of a file, of the kind of which files have such names.
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
    let game = session.record();
    match extension {
        "blksgf" => Ok(sgf::write(&game)),
        "jsonl" => Ok(json::write(&game) + "\n"),
        "txt" => Ok(text::write(&game)),
        "xml" => Ok(replay::write(&game).ok_or(SaveError::NoReplay)?.to_xml()),
        "html" => Ok(sheet::html(session)?),
        _ => Err(SaveError::Kind(::game::excerpt(extension))),
    }
}
