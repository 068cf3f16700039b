//! Why a command fails.

use std::io;
use std::path::PathBuf;

use game::{Color, Move, NotationError, Refusal, SetupError};
use player::ParamError;
use protocol::gtp::write_move;
use record::file::FileError;
use thiserror::Error;

/// The colours, for messages.
pub const COLORS: &str = "a colour: 1 to 4, blue, yellow, red or green, or b, y, r or g";

/// Why a command fails; the text of the answer.
#[derive(Debug, Error)]
pub enum Failure {
    /// A line with nothing but a number.
    #[error("the command is missing")]
    NoCommand,
    /// A line without end.
    #[error("the line is too long")]
    TooLong,
    /// There is no such command.
    #[error("unknown command `{0}`; `help` lists all")]
    UnknownCommand(String),
    /// An argument is missing.
    #[error("expected {0}, found nothing")]
    Missing(&'static str),
    /// An argument cannot be read.
    #[error("`{text}`: expected {expected}")]
    Argument {
        /// What stands there.
        text: String,
        /// What should stand there.
        expected: &'static str,
    },
    /// A colour of another game.
    #[error("`{0}`: Blokus has neither black nor white; expected {COLORS}")]
    GoColor(String),
    /// A quoted argument does not end.
    #[error("`\"{0}`: the closing quote is missing")]
    OpenQuote(String),
    /// There are more arguments than the command takes.
    #[error("`{0}`: expected no further argument")]
    Surplus(String),
    /// The move is against the rules.
    #[error("{color} {}: {refusal}", write_move(*.mv))]
    Illegal {
        /// Whose move.
        color: Color,
        /// The move.
        mv: Move,
        /// The rule.
        refusal: Refusal,
    },
    /// It is another colour's turn.
    #[error("{color} is not on turn, {on_turn} is")]
    NotOnTurn {
        /// The colour that was named.
        color: Color,
        /// The colour on turn.
        on_turn: Color,
    },
    /// There is no move before.
    #[error("there is no move to undo")]
    NothingToUndo,
    /// No move has been chosen in this game.
    #[error("no move has been searched in this game")]
    NoSearch,
    /// The player has no opinion on its last move.
    #[error("the player has no opinion on its last move")]
    NoEvaluation,
    /// A position cannot be read.
    #[error(transparent)]
    Position(#[from] NotationError),
    /// A file with a game cannot be read.
    #[error("{}: {error}", .file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// Why.
        error: FileError,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {error}", .file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// There is no such game.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A parameter cannot be set.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The player cannot be made again.
    #[error("cannot restart the player: {0:#}")]
    Player(anyhow::Error),
    /// The operating system does not tell the processor time.
    #[error("cannot read the processor time: {0}")]
    Clock(#[from] io::Error),
}
