//! Reasons why moves are illegal.

use thiserror::Error;

/// Reason why a move is illegal, in the order of the official server's checks.
///
/// ```
/// use game::{Piece, Position, IllegalMove, Rules};
///
/// let position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// assert_eq!(position.check("PENTO_X@0,0".parse()?), Err(IllegalMove::NotStartPiece));
/// assert_eq!(IllegalMove::NotStartPiece.to_string(), "the first piece must be the start piece");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
pub enum IllegalMove {
    /// The game is over.
    #[error("the game is over")]
    GameOver,
    /// The piece is not of the colour to move.
    #[error("another colour is to move")]
    WrongColor,
    /// The first move of a colour is a pass.
    #[error("the first move of a colour must not be a pass")]
    PassOnFirstMove,
    /// The first piece is not the start piece.
    #[error("the first piece must be the start piece")]
    NotStartPiece,
    /// The colour has placed the piece before.
    #[error("the piece has been placed before")]
    PieceNotLeft,
    /// A cell lies outside the board.
    #[error("a cell lies outside the board")]
    OutOfBounds,
    /// A cell is covered.
    #[error("a cell is covered already")]
    Obstructed,
    /// A cell shares a side with a cell of the same colour.
    #[error("a cell shares a side with a piece of the same colour")]
    TouchesOwnColor,
    /// The first piece covers none of the start cells.
    #[error("the first piece must cover a start cell")]
    NotOnStart,
    /// No cell touches a cell of the same colour at a corner.
    #[error("no cell touches a piece of the same colour at a corner")]
    NoSharedCorner,
}
