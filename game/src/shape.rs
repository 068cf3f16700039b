//! The 91 shapes: every piece in every orientation that looks different.
//!
//! Everything here is computed at compile time from the drawings of [`Piece`].

use std::fmt;

use crate::bitboard::Bitboard;
use crate::cell::{Cell, STRIDE};
use crate::name::named;
use crate::piece::{MAX_PIECE_SIZE, Piece};

/// A turn of the drawing of a piece, before it may be flipped; named as the Software-Challenge names them. In a picture
/// with y down, `Right` is a quarter turn clockwise.
///
/// ```
/// use game::Rotation;
///
/// assert_eq!("MIRROR".parse(), Ok(Rotation::Mirror));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rotation {
    /// (x, y)
    None,
    /// (-y, x)
    Right,
    /// (-x, -y)
    Mirror,
    /// (y, -x)
    Left,
}

impl Rotation {
    /// All four rotations.
    pub const ALL: [Self; 4] = [Self::None, Self::Right, Self::Mirror, Self::Left];

    /// Returns `NONE`, `RIGHT`, `MIRROR` or `LEFT`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "NONE",
            Self::Right => "RIGHT",
            Self::Mirror => "MIRROR",
            Self::Left => "LEFT",
        }
    }
}

named!(Rotation, Rotation::ALL, "rotation", "NONE, RIGHT, MIRROR or LEFT");

/// A piece in one orientation: a fixed polyomino of one to five cells.
///
/// The cell of a shape that comes first row by row is its *root*. A shape is placed by saying where its root goes, so
/// that the origin of a placement is always a covered cell and all other cells have higher bits.
///
/// ```
/// use game::{Piece, Rotation, Shape};
///
/// let shape = Shape::new(Piece::TetroI, Rotation::Right, true);
/// let (width, height) = shape.extent();
/// assert_eq!(width * height, 4);
/// let placement = shape.at(0, 0).expect("it fits into the corner");
/// assert_eq!(placement.cells().len(), 4);
/// assert_eq!(Shape::all().filter(|shape| shape.piece() == Piece::PentoX).count(), 1);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shape(u8);

impl Shape {
    /// Number of shapes.
    pub const COUNT: usize = 91;

    /// Returns all shapes, ordered by the size of their pieces.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT as u8).map(Self)
    }

    /// Creates the shape of a piece that is first rotated and then, if `flipped`, mirrored in x.
    pub const fn new(piece: Piece, rotation: Rotation, flipped: bool) -> Self {
        Self(TABLE.by_orientation[piece as usize][rotation as usize + 4 * flipped as usize])
    }

    /// Returns the shape that covers exactly these cells and its root; `None` if no piece has it.
    pub(crate) fn from_cells(cells: Bitboard) -> Option<(Self, Cell)> {
        let root = cells.first()?;
        if cells.len() > MAX_PIECE_SIZE {
            return None;
        }
        let offsets = cells
            .iter()
            .fold(0u128, |all, cell| all | 1u128.checked_shl((cell.bit() - root.bit()) as u32).unwrap_or(0));
        let shape = Self::all().find(|shape| shape.offsets() == offsets)?;
        (offsets.count_ones() as usize == cells.len()).then_some((shape, root))
    }

    /// Returns the shape with number [`index`](Self::index).
    #[inline(always)]
    pub(crate) const fn from_index(index: usize) -> Self {
        assert!(index < Self::COUNT);
        Self(index as u8)
    }

    /// Returns the number of the shape, 0 to 90.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the piece that has this shape.
    #[inline(always)]
    pub const fn piece(self) -> Piece {
        TABLE.shapes[self.index()].piece
    }

    /// Returns the first orientation that gives this shape: the rotations unflipped, then flipped.
    pub const fn orientation(self) -> (Rotation, bool) {
        let first = TABLE.shapes[self.index()].orientation;
        (Rotation::ALL[first % 4], first >= 4)
    }

    /// Returns the cells as (x, y) from the upper left of the bounding box, row by row; the first is the
    /// root.
    pub fn cells(self) -> &'static [(i8, i8)] {
        &TABLE.shapes[self.index()].cells[..self.piece().size()]
    }

    /// Returns the columns and rows of the bounding box.
    pub const fn extent(self) -> (i32, i32) {
        let data = &TABLE.shapes[self.index()];
        (data.width as i32, data.height as i32)
    }

    /// Returns the column of the root in the bounding box; its row is 0.
    pub(crate) const fn root_x(self) -> usize {
        TABLE.shapes[self.index()].cells[0].0 as usize
    }

    /// Returns the covered cells as bits relative to the root's bit.
    #[inline(always)]
    pub(crate) const fn offsets(self) -> u128 {
        TABLE.shapes[self.index()].offsets
    }
}

/// Piece and orientation, for example `PENTO_W-LEFT-FLIPPED`.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rotation, flipped) = self.orientation();
        f.write_str(self.piece().name())?;
        if rotation != Rotation::None {
            write!(f, "-{rotation}")?;
        }
        if flipped { f.write_str("-FLIPPED") } else { Ok(()) }
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[derive(Clone, Copy)]
struct ShapeData {
    piece: Piece,
    /// Index of the first orientation with this shape: rotation, plus 4 if flipped.
    orientation: usize,
    /// Row by row from the upper left of the bounding box.
    cells: [(i8, i8); MAX_PIECE_SIZE],
    width: i8,
    height: i8,
    offsets: u128,
}

struct ShapeTable {
    shapes: [ShapeData; Shape::COUNT],
    by_orientation: [[u8; 8]; Piece::COUNT],
}

static TABLE: ShapeTable = build_table();

const fn build_table() -> ShapeTable {
    let empty = ShapeData {
        piece: Piece::Mono,
        orientation: 0,
        cells: [(0, 0); MAX_PIECE_SIZE],
        width: 0,
        height: 0,
        offsets: 0,
    };
    let mut table = ShapeTable { shapes: [empty; Shape::COUNT], by_orientation: [[0; 8]; Piece::COUNT] };
    let (mut count, mut p) = (0, 0);
    while p < Piece::COUNT {
        let first = count;
        let mut orientation = 0;
        while orientation < 8 {
            let data = orient(Piece::ALL[p], orientation);
            let mut known = first;
            while known < count && table.shapes[known].offsets != data.offsets {
                known += 1;
            }
            if known == count {
                table.shapes[count] = data;
                count += 1;
            }
            table.by_orientation[p][orientation] = known as u8;
            orientation += 1;
        }
        p += 1;
    }
    assert!(count == Shape::COUNT);
    table
}

/// Returns the drawing of a piece rotated, flipped and moved to the upper left.
const fn orient(piece: Piece, orientation: usize) -> ShapeData {
    let mut cells = piece.drawn_cells();
    let size = piece.size();
    let (mut min_x, mut min_y, mut max_x, mut max_y) = (i8::MAX, i8::MAX, i8::MIN, i8::MIN);
    let mut i = 0;
    while i < size {
        let (x, y) = cells[i];
        let (x, y) = match Rotation::ALL[orientation % 4] {
            Rotation::None => (x, y),
            Rotation::Right => (-y, x),
            Rotation::Mirror => (-x, -y),
            Rotation::Left => (y, -x),
        };
        let x = if orientation >= 4 { -x } else { x };
        cells[i] = (x, y);
        (min_x, max_x) = (min(min_x, x), max(max_x, x));
        (min_y, max_y) = (min(min_y, y), max(max_y, y));
        i += 1;
    }
    // Insertion sort, row by row.
    let mut i = 0;
    while i < size {
        let cell = (cells[i].0 - min_x, cells[i].1 - min_y);
        let mut at = i;
        while at > 0 && (cells[at - 1].1 > cell.1 || cells[at - 1].1 == cell.1 && cells[at - 1].0 > cell.0) {
            cells[at] = cells[at - 1];
            at -= 1;
        }
        cells[at] = cell;
        i += 1;
    }
    let (mut offsets, mut i) = (0, 0);
    while i < size {
        let offset = (cells[i].0 - cells[0].0) as i32 + STRIDE as i32 * cells[i].1 as i32;
        offsets |= 1 << offset;
        i += 1;
    }
    ShapeData { piece, orientation, cells, width: max_x - min_x + 1, height: max_y - min_y + 1, offsets }
}

const fn min(a: i8, b: i8) -> i8 {
    if a < b { a } else { b }
}

const fn max(a: i8, b: i8) -> i8 {
    if a > b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The orientations of PENTO_R and TETRO_L that the official tests list, as cells (x, y).
    #[test]
    fn orientations_match_official_ones() {
        let expected = [
            (Piece::PentoR, 0, "01 12 11 21 20"),
            (Piece::PentoR, 1, "01 10 11 12 22"),
            (Piece::PentoR, 2, "02 01 11 10 21"),
            (Piece::PentoR, 3, "00 10 11 12 21"),
            (Piece::PentoR, 4, "00 01 11 12 21"),
            (Piece::PentoR, 5, "02 12 11 10 21"),
            (Piece::PentoR, 6, "01 10 11 21 22"),
            (Piece::PentoR, 7, "01 12 11 10 20"),
            (Piece::TetroL, 0, "00 01 02 12"),
            (Piece::TetroL, 1, "00 01 10 20"),
            (Piece::TetroL, 2, "00 10 11 12"),
            (Piece::TetroL, 3, "01 11 21 20"),
            (Piece::TetroL, 4, "10 11 12 02"),
            (Piece::TetroL, 5, "00 10 20 21"),
            (Piece::TetroL, 6, "10 00 01 02"),
            (Piece::TetroL, 7, "00 01 11 21"),
        ];
        for (piece, orientation, cells) in expected {
            let mut cells: Vec<(i8, i8)> = cells
                .split(' ')
                .map(|cell| cell.split_at(1))
                .map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap()))
                .collect();
            cells.sort_by_key(|&(x, y)| (y, x));
            let shape = Shape::new(piece, Rotation::ALL[orientation % 4], orientation >= 4);
            assert_eq!(shape.cells(), cells, "{piece} {orientation}");
        }
    }
}
