//! Placements and moves.

use std::num::NonZeroU16;

use crate::bitboard::Bitboard;
use crate::cell::{BOARD_SIZE, Cell};
use crate::piece::{MAX_PIECE_SIZE, Piece};
use crate::shape::Shape;
use crate::stencil::{MAX_CORNERS, MAX_SIDES, OUTLINES, STENCILS};

/// A shape at a place on the board; all its cells lie on the board.
///
/// Two bytes: the number of the shape plus one, and below it in nine bits the bit of the root cell.
///
/// ```
/// use game::{Piece, Placement};
///
/// let placement: Placement = "PENTO_L-RIGHT@3,12".parse()?;
/// assert_eq!((placement.piece(), placement.cells().len()), (Piece::PentoL, 5));
/// assert_eq!(Placement::from_cells(placement.cells()), Some(placement));
/// assert_eq!(Placement::from_index(placement.index()), Some(placement));
/// # Ok::<(), game::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement(NonZeroU16);

/// Bits for the root cell.
const ROOT_BITS: u32 = Bitboard::BITS.ilog2();

impl Placement {
    /// Upper bound of all [indices](Self::index), for tables.
    pub const INDEX_END: usize = Shape::COUNT << ROOT_BITS;

    /// Returns all 30,433 placements on the empty board.
    pub fn all() -> impl Iterator<Item = Self> {
        let of_shape = |shape: Shape| PLACES[shape.index()].into_iter().map(move |root| Self::new(shape, root));
        Shape::all().flat_map(of_shape)
    }

    /// Creates the shape with its root at `root`. It must lie on the board.
    #[inline(always)]
    pub(crate) const fn new(shape: Shape, root: Cell) -> Self {
        let code = NonZeroU16::new(((shape.index() as u16 + 1) << ROOT_BITS) | root.bit() as u16);
        Self(code.expect("the number of the shape plus one is not zero"))
    }

    /// Returns the placement that covers exactly these cells, or `None` if they are not a piece.
    pub fn from_cells(cells: Bitboard) -> Option<Self> {
        // The guard column separates the rows, so cells of two rows never look like neighbours.
        let found = Shape::from_cells(cells).filter(|_| cells.is_subset(Bitboard::BOARD));
        found.map(|(shape, root)| Self::new(shape, root))
    }

    /// Returns a number that no other placement has, below [`INDEX_END`](Self::INDEX_END).
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0.get() as usize - (1 << ROOT_BITS)
    }

    /// Returns the placement with this [`index`](Self::index), if there is one.
    #[inline]
    pub fn from_index(index: usize) -> Option<Self> {
        let (shape, bit) = (index >> ROOT_BITS, index & ((1 << ROOT_BITS) - 1));
        let root = Cell::from_bit(bit);
        (shape < Shape::COUNT && PLACES[shape].contains(root)).then(|| Self::new(Shape::from_index(shape), root))
    }

    /// Returns the shape.
    #[inline(always)]
    pub const fn shape(self) -> Shape {
        Shape::from_index((self.0.get() >> ROOT_BITS) as usize - 1)
    }

    /// Returns the piece.
    #[inline(always)]
    pub const fn piece(self) -> Piece {
        self.shape().piece()
    }

    /// Returns the first covered cell, row by row.
    #[inline(always)]
    pub const fn root(self) -> Cell {
        Cell::from_bit((self.0.get() & ((1 << ROOT_BITS) - 1)) as usize)
    }

    /// Returns the upper left cell of the bounding box, which may be uncovered.
    pub const fn corner(self) -> Cell {
        Cell::from_bit(self.root().bit() - self.shape().root_x())
    }

    /// Returns the bits of the covered cells, filled up to a fixed number with the last bit, which no cell has, so that
    /// sums over tables by bit have no branches.
    #[doc(hidden)]
    #[inline(always)]
    pub fn cell_bits(self) -> [usize; MAX_PIECE_SIZE] {
        OUTLINES[self.shape().index()].cells.from(self.root())
    }

    /// Returns the bits of [`sides`](Self::sides), filled up like [`cell_bits`](Self::cell_bits).
    #[doc(hidden)]
    #[inline(always)]
    pub fn side_bits(self) -> [usize; MAX_SIDES] {
        OUTLINES[self.shape().index()].sides.from(self.root())
    }

    /// Returns the bits of [`corners`](Self::corners), filled up like [`cell_bits`](Self::cell_bits).
    #[doc(hidden)]
    #[inline(always)]
    pub fn corner_bits(self) -> [usize; MAX_CORNERS] {
        OUTLINES[self.shape().index()].corners.from(self.root())
    }

    /// Returns `true` if the placement covers a cell of the set.
    #[inline(always)]
    pub fn intersects(self, set: &Bitboard) -> bool {
        set.window(self.root().bit()) & self.shape().offsets() != 0
    }

    /// Returns `true` if all covered cells are in the set.
    #[inline(always)]
    pub fn is_subset(self, set: &Bitboard) -> bool {
        let offsets = self.shape().offsets();
        set.window(self.root().bit()) & offsets == offsets
    }

    /// Returns the placement shifted by the step from one cell to another. It must stay on the board.
    #[inline(always)]
    pub(crate) const fn moved(self, from: Cell, to: Cell) -> Self {
        let code = NonZeroU16::new(self.0.get() + to.bit() as u16 - from.bit() as u16);
        Self(code.expect("the number of the shape plus one is not zero"))
    }

    /// Returns the covered cells.
    #[inline]
    pub fn cells(self) -> Bitboard {
        STENCILS[self.shape().index()].cells.at(self.root())
    }

    /// Returns the cells that share a side with a covered cell and are not covered (guard bits included).
    #[inline]
    pub fn sides(self) -> Bitboard {
        STENCILS[self.shape().index()].sides.at(self.root())
    }

    /// Returns the cells that share only corner points with covered cells (guard bits included).
    #[inline]
    pub fn corners(self) -> Bitboard {
        STENCILS[self.shape().index()].corners.at(self.root())
    }
}

impl Shape {
    /// Returns the placement with the upper left of the bounding box at (x, y), or `None` if a cell would
    /// lie outside the board.
    pub const fn at(self, x: i32, y: i32) -> Option<Placement> {
        let (width, height) = self.extent();
        // The sums may overflow for coordinates from the network; a corner off the board is enough.
        match (Cell::new(x, y), Cell::new(x.saturating_add(width - 1), y.saturating_add(height - 1))) {
            (Some(corner), Some(_)) => Some(Placement::new(self, Cell::from_bit(corner.bit() + self.root_x()))),
            _ => None,
        }
    }
}

/// The cells where the root of each shape may lie on the board.
static PLACES: [Bitboard; Shape::COUNT] = {
    let mut all = [Bitboard::EMPTY; Shape::COUNT];
    let mut i = 0;
    while i < Shape::COUNT {
        let shape = Shape::from_index(i);
        let (width, height) = shape.extent();
        let mut y = 0;
        while y <= BOARD_SIZE as i32 - height {
            let mut x = 0;
            while x <= BOARD_SIZE as i32 - width {
                all[i].insert(Cell::new(x + shape.root_x() as i32, y).unwrap());
                x += 1;
            }
            y += 1;
        }
        i += 1;
    }
    all
};

/// A move: a placement or a pass.
///
/// ```
/// use game::Move;
///
/// let mv: Move = "MONO@19,19".parse()?;
/// assert!(mv.placement().is_some() && Move::Pass.placement().is_none());
/// assert_eq!(Move::Pass.to_string(), "PASS");
/// # Ok::<(), game::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Puts a piece on the board.
    Place(Placement),
    /// Passes although the colour could move; it stays in play.
    Pass,
}

const _: () = assert!(size_of::<Move>() == 2 && size_of::<Option<Placement>>() == 2);

impl Move {
    /// Returns the placement, unless the move is a pass.
    pub const fn placement(self) -> Option<Placement> {
        match self {
            Self::Place(placement) => Some(placement),
            Self::Pass => None,
        }
    }
}

impl From<Placement> for Move {
    fn from(placement: Placement) -> Self {
        Self::Place(placement)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns all bits of a set, guards included.
    fn bits(set: Bitboard) -> impl Iterator<Item = usize> {
        (0..Bitboard::BITS).filter(move |bit| set.words()[bit / 64] >> (bit % 64) & 1 == 1)
    }

    #[test]
    fn stencils_agree_with_shifted_cells() {
        assert_eq!(Placement::all().count(), 30_433);
        for placement in Placement::all() {
            let (cells, board) = (placement.cells(), Bitboard::BOARD);
            assert_eq!(cells.len(), placement.piece().size());
            assert!(cells.is_subset(board));
            assert_eq!(placement.sides() & board, cells.sides().without(cells) & board);
            assert_eq!(placement.corners() & board, cells.corners().without(cells).without(cells.sides()) & board);
            let is_filled_up = |listed: &[usize], set: Bitboard| {
                let (listed, filled) = listed.split_at(bits(set).count());
                bits(set).eq(listed.iter().copied()) && filled.iter().all(|&bit| bit == Bitboard::BITS - 1)
            };
            assert!(is_filled_up(&placement.cell_bits(), cells));
            assert!(is_filled_up(&placement.side_bits(), placement.sides()));
            assert!(is_filled_up(&placement.corner_bits(), placement.corners()));
            assert_eq!(Placement::from_cells(cells), Some(placement));
            let corner = placement.corner();
            assert_eq!(placement.shape().at(corner.x() as i32, corner.y() as i32), Some(placement));
            assert!(placement.index() < Placement::INDEX_END);
        }
    }

    #[test]
    fn rejects_shape_outside_board() {
        for shape in Shape::all() {
            let around = || -5..BOARD_SIZE as i32 + 5;
            let inside =
                around().flat_map(|x| around().map(move |y| (x, y))).filter(|&(x, y)| shape.at(x, y).is_some());
            let (width, height) = shape.extent();
            let (columns, rows) = (BOARD_SIZE as i32 + 1 - width, BOARD_SIZE as i32 + 1 - height);
            assert_eq!(inside.count() as i32, columns * rows);
        }
        assert_eq!(Shape::from_index(0).at(i32::MAX, i32::MIN), None);
    }

    #[test]
    fn cells_of_several_rows_form_no_shape() {
        let roots = Shape::all().flat_map(|shape| (0..Bitboard::BITS).map(move |bit| (shape, bit)));
        let is_on_board = |&(shape, root): &(Shape, usize)| {
            let offsets = (0..u128::BITS as usize).filter(|offset| shape.offsets() >> offset & 1 == 1);
            let is_cell = |bit: usize| bit < Bitboard::BITS && Bitboard::BOARD.contains(Cell::from_bit(bit));
            offsets.map(|offset| root + offset).all(is_cell)
        };
        assert_eq!(roots.filter(is_on_board).count(), Placement::all().count());
    }

    #[test]
    fn rejects_cells_without_piece() {
        let set = |cells: &[(i32, i32)]| cells.iter().map(|&(x, y)| Cell::new(x, y).unwrap()).collect::<Bitboard>();
        assert_eq!(Placement::from_cells(set(&[])), None);
        assert_eq!(Placement::from_cells(set(&[(0, 0), (2, 0)])), None);
        assert_eq!(Placement::from_cells(set(&[(19, 0), (0, 1)])), None);
        assert_eq!(Placement::from_cells(set(&[(0, 0), (19, 19)])), None);
        assert_eq!(Placement::from_cells(Bitboard::BOARD), None);
    }
}
