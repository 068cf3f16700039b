//! Games as files.

use record::{json, replay, sgf, text};
use thiserror::Error;

use crate::session::{ActionError, Session};
use crate::sheet;

/// Why a game cannot be written as a file of some kind.
#[derive(Debug, Error)]
pub(crate) enum SaveError {
    #[error("expected blksgf, jsonl, txt, xml or html, found `{0}`")]
    Kind(String),
    #[error("replays are of the seasons 2021 and 2027; this game has other rules")]
    NoReplay,
    #[error(transparent)]
    Page(#[from] ActionError),
}

/// A game as the text of a file, of the kind of which files have such names.
pub(crate) fn text_of(session: &Session, extension: &str) -> Result<String, SaveError> {
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
