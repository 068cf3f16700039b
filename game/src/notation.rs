//! Positions and moves as text, and positions as pictures.
//!
//! A placement is its shape and the upper left of its bounding box, as on the wire:
//! `PENTO_W@0,17` or `PENTO_R-LEFT-FLIPPED@3,12`; a pass is `PASS`. When read, any of the eight
//! orientations may stand for a shape.
//!
//! A position is one line of six fields, in the manner of chess's Forsyth-Edwards notation:
//!
//! ```text
//! 2027 PENTO_W 18 BYRG - 20/3BB15/…/20
//! ```
//!
//! the rules, the start piece (`-` for none), the turn number, the colours in play, the colours
//! that placed all their pieces and the monomino last, and the 20 rows from the top, in which a
//! letter is a covered cell and a number a run of empty ones. The pieces in hand follow from the
//! board, because pieces of one colour never share a side.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::bitboard::{BOARD_SIZE, Bitboard, Cell};
use crate::color::{ByColor, Color, ColorSet};
use crate::piece::Piece;
use crate::placement::{Move, Placement};
use crate::position::{Position, Setup, SetupError};
use crate::rules::Rules;
use crate::shape::{Rotation, Shape};

/// Why a text is no position or move.
///
/// ```
/// use game::{Move, NotationError, Position};
///
/// let error = "PENTO_Q@0,0".parse::<Move>().unwrap_err();
/// assert!(error.to_string().contains("PENTO_Q"));
/// assert_eq!("2027 PENTO_W".parse::<Position>(), Err(NotationError::FieldCount(2)));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NotationError {
    /// A field cannot be read.
    #[error("{field} `{text}`: expected {expected}")]
    Field {
        /// The name of the field.
        field: &'static str,
        /// What stands there.
        text: String,
        /// What should stand there.
        expected: &'static str,
    },
    /// A position does not have six fields.
    #[error("a position has six fields (rules, start piece, turn, colours in play, monomino last, board), found {0}")]
    FieldCount(usize),
    /// The fields can be read but do not make a position.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

fn field_error(field: &'static str, text: &str, expected: &'static str) -> NotationError {
    NotationError::Field { field, text: text.to_owned(), expected }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{},{}", self.shape(), self.corner().x(), self.corner().y())
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
        const EXPECTED: &str = "PIECE[-ROTATION][-FLIPPED]@X,Y on the board, for example PENTO_W-LEFT@0,17";
        let read = || {
            let (shape, corner) = text.split_once('@')?;
            let mut parts = shape.split('-').peekable();
            let piece = Piece::from_name(parts.next()?)?;
            let rotation =
                parts.next_if(|&part| part != "FLIPPED").map_or(Some(Rotation::None), Rotation::from_name)?;
            let flipped = parts.next_if_eq(&"FLIPPED").is_some();
            let (x, y) = corner.split_once(',')?;
            let placement = Shape::of(piece, rotation, flipped).at(x.parse().ok()?, y.parse().ok()?)?;
            parts.next().is_none().then_some(placement)
        };
        read().ok_or_else(|| field_error("placement", text, EXPECTED))
    }
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
        if text == "PASS" { Ok(Self::Pass) } else { text.parse().map(Self::Place) }
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
            return Err(NotationError::FieldCount(fields.len()));
        };
        let covered = read_board(board)?;
        let mut left = ByColor::default();
        for color in Color::ALL {
            left[color] = Setup::left_of_cells(color, covered[color])?;
        }
        let setup = Setup {
            rules: Rules::from_name(rules).ok_or_else(|| field_error("rules", rules, "2021, 2027 or classic"))?,
            start_piece: match start_piece {
                "-" => None,
                name => {
                    let piece = Piece::from_name(name);
                    Some(piece.ok_or_else(|| field_error("start piece", name, "a piece or -"))?)
                }
            },
            turn: turn.parse().map_err(|_| field_error("turn", turn, "a number"))?,
            in_play: read_colors("colours in play", in_play)?,
            mono_last: read_colors("monomino last", mono_last)?,
            covered,
            left,
        };
        Ok(setup.position()?)
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

/// A position drawn with letters, for people: the board, and beside it the points and the pieces
/// in hand of every colour.
///
/// ```
/// use game::{Labels, Picture, Position, Rules};
///
/// let position = Position::new(Rules::Classic, None)?;
/// let picture = Picture { position: &position, ansi: false, labels: Labels::Points };
/// assert!(picture.to_string().lines().count() >= 20);
/// # Ok::<(), game::SetupError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// What to draw.
    pub position: &'a Position,
    /// Whether to colour the letters with ANSI escape codes.
    pub ansi: bool,
    /// What stands beside rows and columns.
    pub labels: Labels,
}

/// How the columns and rows of a [`Picture`] are named.
///
/// ```
/// use game::{Labels, Picture, Position, Rules};
///
/// let position = Position::new(Rules::Classic, None)?;
/// let draw = |labels| Picture { position: &position, ansi: false, labels }.to_string();
/// assert_ne!(draw(Labels::Points), draw(Labels::Coordinates));
/// # Ok::<(), game::SetupError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Labels {
    /// By x and y, as in the notation of moves; columns by their last digit.
    Coordinates,
    /// By the letters a to t and the numbers 1 to 20 from the bottom, as on other boards.
    Points,
}

impl Labels {
    fn column(self, x: usize) -> char {
        match self {
            Self::Coordinates => (b'0' + (x % 10) as u8) as char,
            Self::Points => (b'a' + x as u8) as char,
        }
    }

    fn row(self, y: usize) -> usize {
        match self {
            Self::Coordinates => y,
            Self::Points => BOARD_SIZE - y,
        }
    }
}

impl fmt::Display for Picture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.position;
        let paint = |color: Color, text: String| {
            let code = match color {
                Color::Blue => 94,
                Color::Yellow => 93,
                Color::Red => 91,
                Color::Green => 92,
            };
            if self.ansi { format!("\x1b[{code}m{text}\x1b[0m") } else { text }
        };
        let mut notes = vec![format!("turn {}, round {}, {}", position.turn(), position.round(), position.rules())];
        for color in Color::ALL {
            let mark = match () {
                () if !position.in_play().contains(color) => "out",
                () if !position.is_over() && position.color() == color => "to move",
                () => "",
            };
            let note = format!("{color:<7}{:>4} points  {mark}", position.points(color));
            notes.extend(["".to_owned(), paint(color, note)]);
            let hand: Vec<&str> = position.board().left(color).iter().map(Piece::name).collect();
            let mut line = String::new();
            for name in hand {
                if line.len() + name.len() > 60 {
                    notes.push(format!("  {}", std::mem::take(&mut line)));
                }
                line += name;
                line.push(' ');
            }
            notes.push(format!("  {}", line));
        }
        writeln!(f, "   {}", (0..BOARD_SIZE).map(|x| format!("{:<2}", self.labels.column(x))).collect::<String>())?;
        let rows = notes.len().max(BOARD_SIZE);
        for y in 0..rows {
            if y < BOARD_SIZE {
                write!(f, "{:>2} ", self.labels.row(y))?;
                for color in row(position, y) {
                    let cell = color.map_or(". ".to_owned(), |color| paint(color, format!("{} ", color.letter())));
                    f.write_str(&cell)?;
                }
            } else {
                write!(f, "{:43}", "")?;
            }
            let note = notes.get(y).map_or("", |note| note.trim_end());
            if note.is_empty() { writeln!(f)? } else { writeln!(f, "  {note}")? }
        }
        Ok(())
    }
}
