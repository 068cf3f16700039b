//! Saves games as files.

use record::file::{self, SaveError};

use crate::refused::Refused;
use crate::session::Session;
use crate::sheet;

/// Returns a game as the text of a file with this extension.
///
/// # Errors
/// [`Refused`]
pub fn text_of(session: &Session, extension: &str) -> Result<String, Refused> {
    if extension == "html" {
        return Ok(sheet::html(session));
    }
    file::text_of(&session.record(), extension).map_err(|error| match error {
        SaveError::Kind(unknown) => {
            Refused::new("not_found", format!("expected blksgf, jsonl, xml or html, found `{unknown}`"))
        }
        // This kind of file cannot contain the game.
        other => Refused::new("no_replay", other.to_string()),
    })
}
