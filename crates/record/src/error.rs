//! Errors of unreadable games.

use game::{Color, IllegalMove, Move, NotationError, SetupError, UnknownName, excerpt};
use thiserror::Error;

use crate::limits::{MAX_NESTED, MAX_NODES, MAX_PLIES};

/// The reason why a text is not a game, and the line.
///
/// ```
/// use record::{ParseError, Problem, sgf};
///
/// let error = sgf::read("(\n;GM[chess])").unwrap_err();
/// assert_eq!(error.to_string(), "line 2: `chess` is neither Blokus nor Blokus Two-Player");
/// let ParseError { line: 2, problem: Problem::OtherGame(_) } = error else { panic!() };
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {problem}")]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// The problem.
    pub problem: Problem,
}

/// An unplayable move of a file. It is dropped together with the rest of its line.
///
/// ```
/// use record::sgf;
///
/// let games = sgf::read("(;GM[Blokus Two-Player];1[a20](;2[t20])(;2[t19]))")?;
/// let [warning] = &games[0].warnings[..] else { panic!() };
/// assert_eq!(
///     warning.to_string(),
///     "line 1: YELLOW MONO@19,1: the first piece must cover a start cell; the rest of this variation is dropped"
/// );
/// # Ok::<(), record::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{error}; the rest of {} is dropped", if *.in_main_line { "the game" } else { "this variation" })]
pub struct Warning {
    /// The line of the move and the problem.
    pub error: ParseError,
    /// `true` if the main line ends here.
    pub in_main_line: bool,
}

/// A problem of a text that should be a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Problem {
    /// The bytes are not UTF-8.
    #[error("this is not text in UTF-8: `{0}`")]
    NoText(String),
    /// The text is unexpected.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// The expected text.
        expected: &'static str,
        /// The actual text: an excerpt in quotes, or `the end of the file`.
        found: String,
    },
    /// A value cannot be read.
    #[error("{what}: expected {expected}")]
    Value {
        /// The name and the value as written.
        what: String,
        /// The expected value.
        expected: &'static str,
    },
    /// The file is of the right kind, but of another game.
    #[error("`{0}` is neither Blokus nor Blokus Two-Player")]
    OtherGame(String),
    /// Variations are nested too deeply.
    #[error("variations are nested more than {MAX_NESTED} deep")]
    TooDeep,
    /// The game has too many moves.
    #[error("the game has more than {MAX_PLIES} moves in a line or {MAX_NODES} with all variations")]
    TooLong,
    /// A position or a move cannot be read.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// A name is unknown.
    #[error(transparent)]
    Name(#[from] UnknownName),
    /// The setup is not a position.
    #[error("invalid setup: {0}")]
    Setup(SetupError),
    /// A colour moves out of turn.
    #[error("{color} moves, but {on_turn} is to move and cannot pass: {reason}")]
    Turn {
        /// The moving colour.
        color: Color,
        /// The colour to move.
        on_turn: Color,
        /// The reason why that colour cannot pass.
        reason: IllegalMove,
    },
    /// A move is not legal.
    #[error("{color} {mv}: {reason}")]
    Illegal {
        /// The moving colour.
        color: Color,
        /// The move.
        mv: Move,
        /// The reason.
        reason: IllegalMove,
    },
    /// A statement contradicts the moves.
    #[error("{found} contradicts the moves: {expected}")]
    Contradiction {
        /// The statement.
        found: String,
        /// The value that follows from the moves.
        expected: String,
    },
    /// The text is not the JSON of a game.
    #[error("{0}")]
    Json(String),
}

impl From<SetupError> for Problem {
    fn from(error: SetupError) -> Self {
        Self::Setup(error)
    }
}

impl Problem {
    pub(crate) fn at(self, line: usize) -> ParseError {
        ParseError { line, problem: self }
    }

    /// Creates the problem of an unexpected beginning of `rest`.
    pub(crate) fn expected(expected: &'static str, rest: &str) -> Self {
        let line = rest.lines().next().unwrap_or_default();
        let found = if rest.is_empty() { "the end of the file".to_owned() } else { format!("`{}`", excerpt(line)) };
        Self::Expected { expected, found }
    }

    /// Creates the problem of an unreadable `what`.
    pub(crate) fn value(what: impl AsRef<[u8]>, expected: &'static str) -> Self {
        Self::Value { what: excerpt(what), expected }
    }
}
