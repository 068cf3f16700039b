//! The rules of Blokus as the Software-Challenge Germany plays it, on 512-bit bitboards.
//!
//! Two teams play two colours each on a board of 20 x 20 cells. The heart is [`Board`], which
//! keeps for every colour the cells it may cover and the cells of which it must cover one, and the
//! bulk move generation on it (module [`movegen`]'s text explains how). [`Position`] adds turns
//! and the end of the game, [`Rules`] what differs between seasons.
//!
//! There is no input or output here, no clock, and no randomness but what the caller brings.
//!
//! ```
//! use game::{Move, Piece, Position, Rules};
//!
//! let mut position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
//! assert_eq!(position.board().count_placements(position.color()), 272);
//! let mut placements = Vec::new();
//! position.board().list_placements(position.color(), &mut placements);
//! position.play(Move::Place(placements[0]));
//! assert_eq!(position.points(game::Color::Blue), 5);
//! # Ok::<(), game::SetupError>(())
//! ```

mod bitboard;
mod board;
mod color;
mod grip;
pub mod movegen;
mod notation;
pub mod perft;
mod piece;
mod placement;
mod position;
mod rules;
mod shape;
mod zobrist;

pub use bitboard::{BOARD_SIZE, Bitboard, Cell, Cells};
pub use board::Board;
pub use color::{ByColor, Color, ColorSet, Team};
pub use grip::{Diamond, Grip};
pub use movegen::Fits;
pub use notation::{Labels, NotationError, Picture};
pub use piece::{MAX_PIECE_SIZE, Piece, PieceSet};
pub use placement::{Move, Placement};
pub use position::{Position, Refusal, Setup, SetupError, points};
pub use rules::Rules;
pub use shape::{Rotation, Shape};
