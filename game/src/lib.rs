//! The rules of Blokus as the Software-Challenge Germany plays it, on 512-bit bitboards.
//!
//! Four colours play on a board of 20 x 20 cells, two for each team except under [`Rules::FourPlayers`]. [`Board`]
//! stores the cells that every colour may cover, and its anchors: a placement covers at least one of them. It generates
//! moves from these sets in bulk. [`Position`] adds turns and the end of the game ([`Progress`]), and [`Rules`] the
//! differences between seasons.
//!
//! The crate does no I/O, reads no clock and draws no random numbers.
//!
//! With the feature `serde`, positions, moves, placements, pieces, colours, teams, rotations and rules are serialized
//! as text in their notation.
//!
//! ```
//! use game::{Color, Piece, Position, Rules};
//!
//! let mut position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
//! let moves = position.legal_moves();
//! assert_eq!(moves.len(), 272);
//! position.play(moves[0]);
//! assert_eq!(position.points(Color::Blue), 5);
//! # Ok::<(), game::SetupError>(())
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

mod bitboard;
mod board;
mod cell;
mod color;
mod diamond;
mod excerpt;
mod grip;
mod illegal_move;
mod movegen;
mod name;
mod notation;
pub mod perft;
mod piece;
mod placement;
mod position;
mod progress;
mod rules;
mod score;
#[cfg(feature = "serde")]
mod serialize;
mod setup;
mod shape;
mod stencil;
mod symmetry;
mod zobrist;

pub use bitboard::{Bitboard, Cells};
pub use board::Board;
pub use cell::{BOARD_SIZE, Cell};
pub use color::{ByColor, Color, ColorSet, Colors, Team};
// Hidden items serve the other crates of the workspace and its tests; minor versions may change them.
#[doc(hidden)]
pub use diamond::Diamond;
pub use excerpt::{excerpt, printable};
pub use illegal_move::IllegalMove;
#[doc(hidden)]
pub use movegen::Fits;
pub use movegen::ShapePlacements;
pub use name::UnknownName;
pub use notation::NotationError;
pub use piece::{MAX_PIECE_SIZE, Piece, PieceSet, Pieces};
pub use placement::{Move, Placement};
pub use position::Position;
pub use progress::Progress;
pub use rules::Rules;
pub use score::{MAX_POINTS, bonus, points};
pub use setup::{Setup, SetupError};
pub use shape::{Rotation, Shape};
pub use symmetry::Symmetry;

// Users share these types between threads.
const _: () = {
    const fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<(Position, Setup, Placement, Move, Progress, Rules)>();
    is_send_and_sync::<(SetupError, IllegalMove, NotationError, UnknownName)>();
};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
