//! Positions built from their parts.

use thiserror::Error;

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::color::{ByColor, Color, ColorSet};
use crate::piece::{Piece, PieceSet};
use crate::placement::Placement;
use crate::position::Position;
use crate::progress::Progress;
use crate::rules::Rules;

/// The parts of a position, to build one without playing moves.
///
/// ```
/// use game::{Color, Piece, Position, Rules};
///
/// let start = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// let mut setup = start.setup();
/// setup.turn = 1;
/// assert_eq!(setup.position()?.color(), Color::Yellow);
/// # Ok::<(), game::SetupError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    /// The rules of the game.
    pub rules: Rules,
    /// The piece that every colour places first; `None` if the rules draw none.
    pub start_piece: Option<Piece>,
    /// The turn number.
    pub turn: u16,
    /// The colours that have not been removed.
    pub in_play: ColorSet,
    /// The colours that have placed all pieces, the monomino last.
    pub mono_last: ColorSet,
    /// The cells of every colour.
    pub covered: ByColor<Bitboard>,
    /// Remaining pieces of every colour.
    pub remaining_pieces: ByColor<PieceSet>,
}

/// Error for a [`Setup`] that is not a position.
///
/// ```
/// use game::{Piece, Position, Rules, SetupError};
///
/// let error = Position::new(Rules::Season2027, Some(Piece::Mono)).unwrap_err();
/// assert!(matches!(error, SetupError::StartPiece { piece: Some(Piece::Mono), .. }));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SetupError {
    /// The start piece is missing, wrong, or given although the rules draw none.
    #[error("{}", match .piece {
        Some(piece) => format!("{piece} is not a start piece of the {rules} rules"),
        None => format!("the {rules} rules need a start piece"),
    })]
    StartPiece {
        /// The rules.
        rules: Rules,
        /// The start piece that was given.
        piece: Option<Piece>,
    },
    /// Two colours cover the same cell.
    #[error("{0} and another colour cover the same cell")]
    Overlap(Color),
    /// Some cells of a colour form no piece.
    #[error("the cells of {0} do not consist of its pieces")]
    NoPiece(Color),
    /// A colour has placed a piece twice.
    #[error("{0} has placed {1} twice")]
    PieceTwice(Color, Piece),
    /// The colour to move should have been skipped.
    #[error("{0} is to move, but is out of play or cannot place a piece")]
    NoTurn(Color),
}

impl Setup {
    /// Creates the position; ignores guard bits in `covered`. Does not check that the colour to move can play, see
    /// [`Position::check_turn`], nor that `remaining_pieces` matches `covered`, see
    /// [`remaining_after`](Self::remaining_after).
    ///
    /// ```
    /// use game::{Bitboard, Cell, Color, Position, Rules};
    ///
    /// let mut setup = Position::new(Rules::Classic, None)?.setup();
    /// let corner = Bitboard::only(Cell::new(0, 0).expect("a cell"));
    /// setup.covered[Color::Blue] = corner | corner.sides();
    /// assert_eq!(setup.position()?.board().covered(Color::Blue).len(), 3);
    /// # Ok::<(), game::SetupError>(())
    /// ```
    ///
    /// # Errors
    /// [`SetupError::StartPiece`] and [`SetupError::Overlap`].
    pub fn position(self) -> Result<Position, SetupError> {
        let Self { rules, start_piece, turn, in_play, mono_last, remaining_pieces, .. } = self;
        let covered = ByColor::from_fn(|color| self.covered[color] & Bitboard::BOARD);
        let start_pieces = rules.start_pieces();
        let first = match start_piece {
            None if start_pieces.is_empty() => PieceSet::ALL,
            Some(piece) if start_pieces.contains(piece) => PieceSet::only(piece),
            _ => return Err(SetupError::StartPiece { rules, piece: start_piece }),
        };
        let mut empty = Bitboard::BOARD;
        for color in Color::ALL {
            if !covered[color].is_subset(empty) {
                return Err(SetupError::Overlap(color));
            }
            empty = empty.without(covered[color]);
        }
        let board = Board::with(rules, first, covered, remaining_pieces);
        let progress = Progress { turn, in_play, mono_last, ..Progress::new(rules) };
        Ok(Position::with(board, rules, start_piece, progress))
    }

    /// Computes the remaining pieces of a colour from its cells. Each connected group is one piece, because pieces of
    /// one colour never share a side.
    ///
    /// # Errors
    /// [`SetupError::NoPiece`] and [`SetupError::PieceTwice`].
    pub fn remaining_after(color: Color, covered: Bitboard) -> Result<PieceSet, SetupError> {
        let mut remaining = PieceSet::ALL;
        for group in (covered & Bitboard::BOARD).groups() {
            let piece = Placement::from_cells(group).ok_or(SetupError::NoPiece(color))?.piece();
            if !remaining.contains(piece) {
                return Err(SetupError::PieceTwice(color, piece));
            }
            remaining.remove(piece);
        }
        Ok(remaining)
    }
}

impl Position {
    /// Creates the start position. `start_piece` is the drawn piece, or `None` if the rules draw none.
    ///
    /// # Errors
    /// [`SetupError::StartPiece`] if `start_piece` does not fit the rules.
    pub fn new(rules: Rules, start_piece: Option<Piece>) -> Result<Self, SetupError> {
        Setup {
            rules,
            start_piece,
            turn: 0,
            in_play: ColorSet::ALL,
            mono_last: ColorSet::EMPTY,
            covered: ByColor::default(),
            remaining_pieces: ByColor::from_fn(|_| PieceSet::ALL),
        }
        .position()
    }

    /// Checks that the colour to move is in play and can place a piece, unless the game is over. Moves lead only to such
    /// positions.
    ///
    /// # Errors
    /// [`SetupError::NoTurn`]
    pub fn check_turn(&self) -> Result<(), SetupError> {
        let color = self.color();
        let has_turn = self.is_over() || self.in_play().contains(color) && self.board().has_placement(color);
        if has_turn { Ok(()) } else { Err(SetupError::NoTurn(color)) }
    }

    /// Returns the parts of the position.
    pub fn setup(&self) -> Setup {
        Setup {
            rules: self.rules(),
            start_piece: self.start_piece(),
            turn: self.turn(),
            in_play: self.in_play(),
            mono_last: self.mono_last(),
            covered: ByColor::from_fn(|color| self.board().covered(color)),
            remaining_pieces: ByColor::from_fn(|color| self.board().remaining_pieces(color)),
        }
    }
}
