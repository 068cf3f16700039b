//! What is wrong with a game that cannot be read.

use game::{Color, Move, NotationError, Refusal, SetupError, UnknownName, excerpt};
use thiserror::Error;

use crate::limits::{MOST_NESTED, MOST_NODES, MOST_PLIES};

/// Why a text is not a game, and where.
///
/// ```
/// use record::{ParseError, Problem, sgf};
///
/// let error = sgf::read_main_line("(;GM[Blokus Two-Player]\n;1[a20,a1])", None).unwrap_err();
/// assert_eq!(error.to_string(), "line 2: 1[a20,a1]: expected the points of a piece, for example a20,b20");
/// let ParseError { line: 2, problem: Problem::Value { .. } } = error else { panic!() };
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {problem}")]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// A move of a file that cannot be played. It is dropped, and so is the rest of its line.
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
    /// Where the move is and what is wrong with it.
    pub error: ParseError,
    /// Whether the main line ends here.
    pub in_main_line: bool,
}

/// What is wrong with a text that should be a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Problem {
    /// The bytes are not UTF-8.
    #[error("this is not text in UTF-8: `{0}`")]
    NoText(String),
    /// Something else should stand here.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What should stand here.
        expected: &'static str,
        /// What does: an excerpt in quotes, or `the end of the file`.
        found: String,
    },
    /// A value cannot be read.
    #[error("{what}: expected {expected}")]
    Value {
        /// The name and the value, as they stand there.
        what: String,
        /// What the value should be.
        expected: &'static str,
    },
    /// It is a file of the right kind about another game.
    #[error("`{0}` is another game than Blokus and Blokus Two-Player")]
    OtherGame(String),
    /// Variations are nested too deeply.
    #[error("variations are nested more than {MOST_NESTED} deep")]
    TooDeep,
    /// There are too many moves.
    #[error("the game has more than {MOST_PLIES} moves in a line or {MOST_NODES} with all variations")]
    TooLong,
    /// A position or a move cannot be read.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// A name is unknown.
    #[error(transparent)]
    Name(#[from] UnknownName),
    /// Pieces that are set up are not a position.
    #[error("the pieces that are set up: {0}")]
    Setup(#[from] SetupError),
    /// A colour moves out of turn.
    #[error("{color} moves, but {on_turn} is on turn and cannot pass: {refusal}")]
    Turn {
        /// Whose move it is.
        color: Color,
        /// Whose turn it is.
        on_turn: Color,
        /// Why that colour cannot pass.
        refusal: Refusal,
    },
    /// A move is not legal.
    #[error("{color} {mv}: {refusal}")]
    Illegal {
        /// Whose move it is.
        color: Color,
        /// The move.
        mv: Move,
        /// Why it is not legal.
        refusal: Refusal,
    },
    /// Something that is said does not agree with the moves.
    #[error("{said} does not agree with the moves: {is}")]
    Contradiction {
        /// What is said.
        said: String,
        /// What is true.
        is: String,
    },
    /// The text is not JSON, or other JSON than that of a game.
    #[error("{0}")]
    Json(String),
}

impl Problem {
    pub(crate) fn at(self, line: usize) -> ParseError {
        ParseError { line, problem: self }
    }

    /// Something else than expected stands at the beginning of `rest`.
    pub(crate) fn expected(expected: &'static str, rest: &str) -> Self {
        let line = rest.lines().next().unwrap_or_default();
        let found = if rest.is_empty() { "the end of the file".to_owned() } else { format!("`{}`", excerpt(line)) };
        Self::Expected { expected, found }
    }

    /// `what` cannot be read.
    pub(crate) fn value(what: impl AsRef<[u8]>, expected: &'static str) -> Self {
        Self::Value { what: excerpt(what), expected }
    }
}
