//! How games begin: from what somebody chooses, or from files.

use game::{ByColor, Position, Rules};
use rand::seq::IteratorRandom;
use record::file::{self, FileError};
use record::{Game, NodeId};
use serde::Deserialize;
use thiserror::Error;

use crate::session::{Seat, Session, TimeControl};

/// What a new game is to be, in JSON for example
/// `{"rules":"2027","seats":[{"kind":"person"},{"kind":"level","level":3},{"kind":"person"},{"kind":"level","level":3}]}`.
///
/// ```
/// use board::begin::NewGame;
///
/// let person = r#"{"kind":"person"}"#;
/// let text = format!(r#"{{"rules":"classic","seats":[{person},{person},{person},{person}]}}"#);
/// let new: NewGame = serde_json::from_str(&text)?;
/// assert_eq!(new.session()?.position().turn(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// `2021`, `2027` or `classic`; not needed with a position.
    pub rules: Option<String>,
    /// The piece that every colour places first; drawn if none is given and the rules know one.
    pub start_piece: Option<String>,
    /// A position in our notation to begin with.
    pub position: Option<String>,
    /// Blue first.
    pub seats: [Seat; 4],
    /// How long the teams may think.
    #[serde(default)]
    pub control: TimeControl,
    /// The names of the players of both teams; may be empty.
    #[serde(default)]
    pub names: [String; 2],
}

/// Why a game cannot begin.
#[derive(Debug, Error)]
pub enum BeginError {
    /// A value of a [`NewGame`] is none of those that there are.
    #[error("{what} `{text}`: expected {expected}")]
    Value {
        /// What the value is for.
        what: &'static str,
        /// The value.
        text: String,
        /// What it could be.
        expected: &'static str,
    },
    /// The position is not in our notation.
    #[error(transparent)]
    Notation(#[from] game::NotationError),
    /// The rules have no such start.
    #[error(transparent)]
    Setup(#[from] game::SetupError),
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// It has no game.
    #[error("the file has no game")]
    NoGame,
    /// A game of it has too many moves.
    #[error("the file has a game with more than {MOST_NODES} moves and variations, which is too many for the board")]
    TooLarge,
}

impl BeginError {
    /// The error in one word.
    pub fn name(&self) -> &'static str {
        match self {
            Self::File(FileError::Empty) => "file_empty",
            Self::File(_) => "file",
            Self::NoGame => "file_no_game",
            Self::TooLarge => "file_too_long",
            Self::Value { .. } => "value",
            Self::Notation(_) | Self::Setup(_) => "notation",
        }
    }
}

/// Maximum length of a player's name, in characters.
const LONGEST_NAME: usize = 40;

/// How many games of a file become games of the board.
const MOST_GAMES: usize = 20;

/// How many places a game of the board may have when it comes from a file.
const MOST_NODES: usize = 5_000;

impl NewGame {
    /// The game at its beginning.
    ///
    /// # Errors
    /// [`BeginError`]
    pub fn session(&self) -> Result<Session, BeginError> {
        let mut game = Game::new(self.start()?);
        game.names = self.names.each_ref().map(|name| name.chars().take(LONGEST_NAME).collect());
        Ok(Session::with(game, ByColor(self.seats.clone()), self.control))
    }

    fn start(&self) -> Result<Position, BeginError> {
        if let Some(position) = &self.position {
            return Ok(position.trim().parse()?);
        }
        let name = self.rules.as_deref().unwrap_or("2027");
        let value = |what, text: &str, expected| BeginError::Value { what, text: game::excerpt(text), expected };
        let rules: Rules = name.parse().map_err(|_| value("rules", name, "2021, 2027 or classic"))?;
        let piece = match self.start_piece.as_deref() {
            None => rules.start_pieces().iter().choose(&mut rand::rng()),
            Some(name) => Some(name.parse().map_err(|_| value("start piece", name, "a piece such as PENTO_W"))?),
        };
        Ok(Position::new(rules, piece)?)
    }
}

/// The first games of the bytes of a file: everybody here, nobody on the clock.
///
/// ```
/// use board::begin::import;
///
/// assert_eq!(import(b"no game").unwrap_err().name(), "file");
/// ```
///
/// # Errors
/// [`BeginError`]
pub fn import(bytes: &[u8]) -> Result<Vec<Session>, BeginError> {
    let mut games = file::read(bytes)?.take(MOST_GAMES).collect::<Result<Vec<Game>, _>>()?;
    if games.is_empty() {
        return Err(BeginError::NoGame);
    }
    if games.iter().any(|game| game.node_count() > MOST_NODES) {
        return Err(BeginError::TooLarge);
    }
    games.iter_mut().for_each(comment_on_warnings);
    let session = |game| Session::with(game, ByColor::default(), TimeControl::None);
    Ok(games.into_iter().map(session).collect())
}

/// How many warnings a comment contains.
const MOST_WARNINGS: usize = 10;

/// Adds what was dropped from a file to the comment at the end of the main line, which is shown when the game is opened.
fn comment_on_warnings(game: &mut Game) {
    let mut lines: Vec<String> = game.warnings.iter().take(MOST_WARNINGS).map(ToString::to_string).collect();
    let more = game.warnings.len().saturating_sub(MOST_WARNINGS);
    lines.extend((more > 0).then(|| format!("and {more} more")));
    let last = game.main_line().last().unwrap_or(NodeId::START);
    let comment = &mut game.note_mut(last).comment;
    if !comment.is_empty() && !lines.is_empty() {
        lines.insert(0, String::new());
        lines.insert(0, std::mem::take(comment));
    }
    *comment += &lines.join("\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_on_dropped_moves() {
        let bad = "(;2[a20])".repeat(12);
        let sessions =
            import(format!("(;GM[Blokus Two-Player];1[a20]C[solid](;2[t20]C[fine]){bad})").as_bytes()).unwrap();
        let game = sessions[0].record();
        let comments: Vec<_> = game.main_line().map(|id| game.node(id).note.comment.as_str()).collect();
        assert_eq!(comments[..2], ["", "solid"]);
        assert!(
            comments[2].starts_with("fine\n\nline 1: YELLOW MONO@0,0: a cell is covered already; "),
            "{comments:?}"
        );
        assert!(comments[2].ends_with("\nand 2 more"), "{comments:?}");
    }
}
