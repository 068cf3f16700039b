//! Failures of commands.

use std::io;
use std::path::PathBuf;

use game::{Color, Move, NotationError, Refusal, SetupError};
use player::ParamError;
use protocol::gtp::write_move;
use record::file::FileError;
use thiserror::Error;

/// The colours, for messages.
pub const COLORS: &str = "a colour: 1 to 4, blue, yellow, red or green, or b, y, r or g";

/// A failure of a command; its text is the answer.
#[derive(Debug, Error)]
pub enum Failure {
    /// The line has only a number.
    #[error("the command is missing")]
    NoCommand,
    /// The line is too long.
    #[error("the line is too long")]
    TooLong,
    /// The command is unknown.
    #[error("unknown command `{0}`; `help` lists all")]
    UnknownCommand(String),
    /// An argument is missing.
    #[error("expected {0}, found nothing")]
    Missing(&'static str),
    /// An argument cannot be read.
    #[error("`{text}`: expected {expected}")]
    Argument {
        /// The argument.
        text: String,
        /// The expected argument.
        expected: &'static str,
    },
    /// A quoted argument does not end.
    #[error("`\"{0}`: the closing quote is missing")]
    OpenQuote(String),
    /// There are too many arguments.
    #[error("`{0}`: expected no further argument")]
    Surplus(String),
    /// The move is against the rules.
    #[error("{color} {}: {refusal}", write_move(*.mv))]
    Illegal {
        /// The colour.
        color: Color,
        /// The move.
        mv: Move,
        /// The reason.
        refusal: Refusal,
    },
    /// Another colour is to move.
    #[error("{color} is not to move, {on_turn} is")]
    NotOnTurn {
        /// The given colour.
        color: Color,
        /// The colour to move.
        on_turn: Color,
    },
    /// There is no move to take back.
    #[error("there is no move to undo")]
    NothingToUndo,
    /// The player has chosen no move in this game.
    #[error("no move has been searched in this game")]
    NoSearch,
    /// The last search has no evaluation.
    #[error("the last search has no evaluation")]
    NoEvaluation,
    /// A position cannot be read.
    #[error(transparent)]
    Position(#[from] NotationError),
    /// A file with a game cannot be read.
    #[error("{}: {error}", .file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// The reason.
        error: FileError,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {error}", .file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// The game cannot start like this.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A parameter cannot be set.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The player cannot be created.
    #[error("cannot restart the player: {0:#}")]
    Player(anyhow::Error),
    /// The processor time is unknown.
    #[error("cannot read the processor time: {0}")]
    Clock(#[from] io::Error),
}
