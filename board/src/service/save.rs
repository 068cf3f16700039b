//! Games as files.

use record::{Game, json, replay, sgf, text};
use thiserror::Error;

/// Why a game cannot be written as a file of some kind.
#[derive(Debug, Error)]
pub(crate) enum SaveError {
    #[error("expected blksgf, jsonl, txt or xml, found `{0}`")]
    Kind(String),
    #[error("replays are of the seasons 2021 and 2027; this game has other rules")]
    NoReplay,
}

/// A game as the text of a file, of the kind of which files have such names.
pub(crate) fn text_of(game: &Game, extension: &str) -> Result<String, SaveError> {
    match extension {
        "blksgf" => Ok(sgf::write(game)),
        "jsonl" => Ok(json::write(game) + "\n"),
        "txt" => Ok(text::write(game)),
        "xml" => Ok(replay::write(game).ok_or(SaveError::NoReplay)?.to_xml()),
        _ => Err(SaveError::Kind(game::excerpt(extension))),
    }
}
