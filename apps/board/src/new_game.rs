//! Creates games from choices or files.

use std::fmt::Display;

use game::{ByColor, NotationError, Piece, Position, Rules, SetupError};
use rand::seq::IteratorRandom;
use record::file::{self, FileError};
use record::{Game, NodeId};
use serde::Deserialize;

use crate::refused::Refused;
use crate::session::{MAX_COMMENT, MAX_COMMENTS, MAX_NAME, Seat, Session, TimeControl};

/// The choices for a new game, in JSON for example
/// `{"rules":"2027","seats":[{"kind":"person"},{"kind":"level","level":3},{"kind":"person"},{"kind":"level","level":3}]}`.
#[derive(Clone, Default, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// The rules, by default of season 2027; ignored with a position.
    pub rules: Option<Rules>,
    /// The piece that each colour places first; drawn by default if the rules have one.
    pub start_piece: Option<Piece>,
    /// The start position in the notation of `game`.
    pub position: Option<String>,
    /// Blue first.
    pub seats: [Seat; 4],
    /// The time control.
    #[serde(default)]
    pub control: TimeControl,
    /// The names of the players of both teams; may be empty.
    #[serde(default)]
    pub names: [String; 2],
}

impl From<FileError> for Refused {
    fn from(error: FileError) -> Self {
        let name = match error {
            FileError::Empty => "file_empty",
            FileError::Archive => "file_archive",
            _ => "file",
        };
        Self::new(name, error.to_string())
    }
}

impl From<SetupError> for Refused {
    fn from(error: SetupError) -> Self {
        NotationError::Setup(error).into()
    }
}

impl From<NotationError> for Refused {
    fn from(error: NotationError) -> Self {
        let name = match error {
            NotationError::Setup(SetupError::NoPiece(_)) => "no_piece",
            NotationError::Setup(SetupError::PieceTwice(..)) => "piece_twice",
            _ => "notation",
        };
        Self::new(name, error.to_string())
    }
}

/// Maximum number of games read from a file.
const MAX_GAMES: usize = 20;

/// Maximum number of moves and variations of a game of a file.
const MAX_NODES: usize = 5_000;

/// Maximum size of a decompressed file in bytes. Replays have up to two million.
const MAX_BYTES: u64 = 16 << 20;

impl NewGame {
    /// Creates the game.
    ///
    /// # Errors
    /// [`Refused`]
    pub fn session(&self) -> Result<Session, Refused> {
        let mut game = Game::new(self.start()?);
        game.names.clone_from(&self.names);
        game.names.iter_mut().for_each(|name| cut(name, MAX_NAME));
        Ok(Session::with(game, ByColor(self.seats.clone()), self.control))
    }

    fn start(&self) -> Result<Position, Refused> {
        if let Some(position) = &self.position {
            return Ok(position.trim().parse()?);
        }
        let rules = self.rules.unwrap_or(Rules::Season2027);
        let piece = self.start_piece.or_else(|| rules.start_pieces().iter().choose(&mut rand::rng()));
        Ok(Position::new(rules, piece)?)
    }
}

/// Reads the first games of a file, with persons on all seats and no clock.
///
/// # Errors
/// [`Refused`]
pub fn import(bytes: &[u8]) -> Result<Vec<Session>, Refused> {
    let mut games = file::read_at_most(bytes, MAX_BYTES)?.take(MAX_GAMES).collect::<Result<Vec<Game>, _>>()?;
    if games.is_empty() {
        return Err(Refused::of("file_no_game", "the file has no game"));
    }
    if games.iter().any(|game| game.node_count() > MAX_NODES) {
        return Err(too_long(format_args!("{MAX_NODES} moves and variations")));
    }
    for game in &mut games {
        comment_on_warnings(game);
        limit_texts(game)?;
    }
    let session = |game| Session::with(game, ByColor::default(), TimeControl::None);
    Ok(games.into_iter().map(session).collect())
}

fn too_long(limit: impl Display) -> Refused {
    Refused::new("file_too_long", format!("a game of the file has more than {limit}"))
}

/// Cuts a text to at most `max_bytes` bytes.
fn cut(text: &mut String, max_bytes: usize) {
    let end = (0..=max_bytes).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    text.truncate(end);
}

/// Cuts long names and comments, which every view contains.
fn limit_texts(game: &mut Game) -> Result<(), Refused> {
    game.names.iter_mut().for_each(|name| cut(name, MAX_NAME));
    let mut length = 0;
    for id in game.nodes() {
        let comment = &mut game.note_mut(id).comment;
        cut(comment, MAX_COMMENT);
        length += comment.len();
    }
    if length <= MAX_COMMENTS {
        return Ok(());
    }
    Err(too_long(format_args!("{} kB of comments", MAX_COMMENTS / 1000)))
}

/// Maximum number of warnings in a comment.
const MAX_WARNINGS: usize = 10;

/// Adds the warnings to the comment at the end of the main line, which is shown when the game is opened.
fn comment_on_warnings(game: &mut Game) {
    let mut lines: Vec<String> = game.warnings.iter().take(MAX_WARNINGS).map(ToString::to_string).collect();
    let more = game.warnings.len().saturating_sub(MAX_WARNINGS);
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
    fn limits_comments() {
        let mut game = Game::new(Position::new(Rules::Classic, None).unwrap());
        let node = game.play(NodeId::START, "MONO@0,0".parse().unwrap()).unwrap();
        game.note_mut(node).comment = "ä".repeat(30_000);
        let sessions = import(record::json::write(&game).as_bytes()).unwrap();
        let cut = sessions[0].record();
        assert_eq!(cut.main_line().map(|id| cut.node(id).note.comment.len()).sum::<usize>(), MAX_COMMENT);
        let (mut position, mut line) = (*game.start(), NodeId::START);
        for _ in 0..30 {
            let mv = position.placements()[0].into();
            line = game.play(line, mv).unwrap();
            position.play(mv);
            game.note_mut(line).comment = "a".repeat(MAX_COMMENT);
        }
        let error = import(record::json::write(&game).as_bytes()).unwrap_err();
        assert!(error.name == "file_too_long" && error.text.contains("500 kB of comments"), "{error}");
    }

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
