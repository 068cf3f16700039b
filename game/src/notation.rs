//! Positions and moves as text.
//!
//! A placement is its shape and the upper left of its bounding box, as on the wire: `PENTO_W@0,17` or
//! `PENTO_R-LEFT-FLIPPED@3,12`; a pass is `PASS`. When read, any of the eight orientations may stand for a shape.
//!
//! A position is one line of six fields, in the manner of chess's Forsyth-Edwards notation:
//!
//! ```text
//! 2027 PENTO_W 18 BYRG - 20/3BB15/…/20
//! ```
//!
//! the rules, the start piece (`-` for none), the turn number, the colours in play, the colours that placed all pieces
//! with the monomino last, and the 20 rows from the top. A letter in a row is a covered cell, a number a run of empty
//! cells. The remaining pieces follow from the board, because pieces of one colour never share a side.
//! `docs/notation.md` in the repository has the grammar.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::bitboard::Bitboard;
use crate::cell::{BOARD_SIZE, Cell};
use crate::color::{ByColor, Color, ColorSet};
use crate::excerpt::excerpt;
use crate::name::UnknownName;
use crate::piece::Piece;
use crate::placement::{Move, Placement};
use crate::position::Position;
use crate::setup::{Setup, SetupError};
use crate::shape::{Rotation, Shape};

/// Error for a text that is not a position or move.
///
/// ```
/// use game::{Move, Position};
///
/// let error = |text: &str| text.parse::<Move>().unwrap_err().to_string();
/// assert!(error("PENTO_Q@0,0").starts_with("unknown piece `PENTO_Q`"));
/// assert_eq!(error("PENTO_W@18,0"), "placement `PENTO_W@18,0`: some cells lie outside the board");
/// assert!(error("PENTO_W@+0,0").starts_with("placement `PENTO_W@+0,0`: expected PIECE[-ROTATION]"));
/// let position = "2027 PENTO_W".parse::<Position>().unwrap_err().to_string();
/// assert!(position.starts_with("position `2027 PENTO_W`: expected six fields"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum NotationError {
    /// A field is malformed.
    #[error("{field} `{text}`: expected {expected}")]
    Field {
        /// The name of the field.
        field: &'static str,
        /// The text of the field.
        text: String,
        /// The expected text.
        expected: &'static str,
    },
    /// The name of a piece, a rotation or rules is unknown.
    #[error(transparent)]
    Name(#[from] UnknownName),
    /// A placement does not lie on the board.
    #[error("placement `{text}`: some cells lie outside the board")]
    OffBoard {
        /// The placement.
        text: String,
    },
    /// The fields are well-formed but inconsistent.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

const FIELDS: &str = "six fields: rules, start piece, turn, colours in play, monomino last, board";

fn field_error(field: &'static str, text: &str, expected: &'static str) -> NotationError {
    NotationError::Field { field, text: excerpt(text), expected }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.shape(), self.corner())
    }
}

impl fmt::Debug for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Placement {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let expected = "PIECE[-ROTATION][-FLIPPED]@X,Y, for example PENTO_W-LEFT@0,17";
        let malformed = || field_error("placement", text, expected);
        let (shape, corner) = text.split_once('@').ok_or_else(malformed)?;
        let (x, y) = read_coordinates(corner).ok_or_else(malformed)?;
        let (shape, flipped) = shape.strip_suffix("-FLIPPED").map_or((shape, false), |shape| (shape, true));
        let (piece, rotation) = shape.split_once('-').unwrap_or((shape, Rotation::None.name()));
        let shape = Shape::new(piece.parse()?, rotation.parse()?, flipped);
        shape.at(x, y).ok_or_else(|| NotationError::OffBoard { text: excerpt(text) })
    }
}

fn read_coordinates(text: &str) -> Option<(i32, i32)> {
    let (x, y) = text.split_once(',')?;
    Some((read_number(x)?, read_number(y)?))
}

/// Parses a number. Rejects the signs that the standard library accepts: a plus, and a minus before 0.
fn read_number<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok().filter(|_| !text.starts_with('+') && !text.starts_with("-0"))
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(placement) => placement.fmt(f),
            Self::Pass => f.pad("PASS"),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Move {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        match text {
            "PASS" => Ok(Self::Pass),
            _ if text.contains('@') => text.parse().map(Self::Place),
            _ => Err(field_error("move", text, "PASS or a placement, for example PENTO_W-LEFT@0,17")),
        }
    }
}

/// One line of six fields: rules, start piece, turn, colours in play, monomino last, board.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.start_piece().map_or("-", Piece::name);
        let (in_play, mono_last) = (letters(self.in_play()), letters(self.mono_last()));
        write!(f, "{} {start} {} {in_play} {mono_last} ", self.rules(), self.turn())?;
        for y in 0..BOARD_SIZE {
            if y > 0 {
                f.write_str("/")?;
            }
            let mut run = 0;
            for color in row(self, y) {
                match color {
                    None => run += 1,
                    Some(color) => {
                        if run > 0 {
                            write!(f, "{run}")?;
                        }
                        run = 0;
                        write!(f, "{}", color.letter())?;
                    }
                }
            }
            if run > 0 {
                write!(f, "{run}")?;
            }
        }
        Ok(())
    }
}

impl FromStr for Position {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let &[rules, start_piece, turn, in_play, mono_last, board] = fields.as_slice() else {
            return Err(field_error("position", text, FIELDS));
        };
        let covered = read_board(board)?;
        let mut remaining_pieces = ByColor::default();
        for color in Color::ALL {
            remaining_pieces[color] = Setup::remaining_after(color, covered[color])?;
        }
        let setup = Setup {
            rules: rules.parse()?,
            start_piece: match start_piece {
                "-" => None,
                piece => Some(piece.parse().map_err(|_| field_error("start piece", piece, "a piece or -"))?),
            },
            turn: read_number(turn).ok_or_else(|| field_error("turn", turn, "a number up to 65535"))?,
            in_play: read_colors("colours in play", in_play)?,
            mono_last: read_colors("monomino last", mono_last)?,
            covered,
            remaining_pieces,
        };
        let position = setup.position()?;
        position.check_turn()?;
        Ok(position)
    }
}

fn letters(colors: ColorSet) -> String {
    if colors.is_empty() { "-".to_owned() } else { colors.iter().map(Color::letter).collect() }
}

fn read_colors(field: &'static str, text: &str) -> Result<ColorSet, NotationError> {
    if text == "-" {
        return Ok(ColorSet::EMPTY);
    }
    let colors: Option<ColorSet> = text.chars().map(Color::from_letter).collect();
    colors.ok_or_else(|| field_error(field, text, "letters of B, Y, R, G, or -"))
}

fn read_board(text: &str) -> Result<ByColor<Bitboard>, NotationError> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != BOARD_SIZE {
        return Err(field_error("board", text, "20 rows with / between them"));
    }
    let mut covered = ByColor::default();
    for (y, row) in rows.into_iter().enumerate() {
        read_row(row, y as i32, &mut covered).ok_or_else(|| {
            field_error("row of the board", row, "20 cells as letters B, Y, R, G and numbers of empty cells")
        })?;
    }
    Ok(covered)
}

fn read_row(row: &str, y: i32, covered: &mut ByColor<Bitboard>) -> Option<()> {
    let (mut x, mut run) = (0, 0);
    for letter in row.chars() {
        match letter.to_digit(10) {
            Some(digit) => run = (10 * run + digit as i32).min(100),
            None => {
                x += run;
                run = 0;
                covered[Color::from_letter(letter)?].insert(Cell::new(x, y)?);
                x += 1;
            }
        }
    }
    (x + run == BOARD_SIZE as i32).then_some(())
}

fn row(position: &Position, y: usize) -> impl Iterator<Item = Option<Color>> {
    (0..BOARD_SIZE as i32).filter_map(move |x| Cell::new(x, y as i32)).map(|cell| position.board().color_at(cell))
}
