//! Saves games as files.

use record::file::{self, SaveError};

use crate::refused::Refused;
use crate::session::Session;
use crate::sheet;

/// Returns a game as the text of a file with this extension.
///
/// ```
/// use board::save::text_of;
/// use board::session::Session;
/// use game::{Position, Rules};
///
/// let session = Session::new(Position::new(Rules::Classic, None)?);
/// assert!(text_of(&session, "txt")?.starts_with("blokus 1"));
/// assert_eq!(text_of(&session, "xml").unwrap_err().name, "no_replay");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Refused`]
pub fn text_of(session: &Session, extension: &str) -> Result<String, Refused> {
    if extension == "html" {
        return Ok(sheet::html(session));
    }
    file::text_of(&session.record(), extension).map_err(|error| match error {
        SaveError::Kind(unknown) => {
            Refused::new("not_found", format!("expected blksgf, jsonl, txt, xml or html, found `{unknown}`"))
        }
        // This kind of file cannot contain the game.
        other => Refused::new("no_replay", other.to_string()),
    })
}
