//! Ways to cover a given cell, for playouts and other code that looks at one anchor at a time.
//!
//! Every placement that covers a cell lies within four steps of it: a diamond of 41 cells. The open
//! cells of a diamond fit into one 64-bit word ([`Diamond`]), and so do the cells of a shape held
//! by one of its cells ([`Grip`]); then one AND tells whether the shape fits. Which of the four
//! sides of the cell are open rules out most of the 414 grips before any is looked at, so there is a
//! list of grips for each of the 16 cases. (Lists by adjacency status are an idea of Pentobi's.)

use crate::bitboard::{Bitboard, Cell, STRIDE};
use crate::board::Board;
use crate::color::Color;
use crate::piece::Piece;
use crate::placement::Placement;
use crate::shape::Shape;

/// A shape held by one of its cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grip {
    /// The covered cells as bits of a [`Diamond`] around the held cell.
    cells: u64,
    shape: Shape,
    /// Bits from the root to the held cell.
    offset: u8,
}

impl Grip {
    /// How many grips there are: the cells of all shapes.
    pub const COUNT: usize = 414;

    /// The shape.
    #[inline(always)]
    pub const fn shape(self) -> Shape {
        self.shape
    }

    /// The covered cells as bits of a [`Diamond`] around the held cell.
    pub(crate) const fn cells(self) -> u64 {
        self.cells
    }

    const fn new(shape: Shape, offset: usize) -> Self {
        // Draws the shape into the nine rows around the held cell.
        let (mut window, mut rest) = ([0u64; 3], shape.offsets());
        while rest != 0 {
            let bit = MIDDLE + rest.trailing_zeros() as usize - offset;
            window[bit / 64] |= 1 << (bit % 64);
            rest &= rest - 1;
        }
        Self { cells: pack(window), shape, offset: offset as u8 }
    }
}

/// The cells of a set, mostly of those open to a colour, within four steps of a cell.
///
/// ```
/// use game::{Bitboard, Cell, Diamond};
///
/// let diamond = Diamond::of(&Bitboard::BOARD, Cell::new(10, 10).expect("a cell"));
/// assert_eq!(diamond.len(), 41);
/// let grip = diamond.grips()[0];
/// let placement = diamond.fit(grip).expect("the smallest piece fits everywhere");
/// assert_eq!((grip.shape(), placement.cells().len()), (placement.shape(), 1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Diamond {
    open: u64,
    middle: Cell,
}

impl Diamond {
    /// The grips on the middle that cover no closed side of it, those of the smallest pieces first.
    #[inline(always)]
    pub fn grips(self) -> &'static [Grip] {
        GRIPS[self.case()].all()
    }

    /// The [`grips`](Self::grips) of one piece.
    #[inline(always)]
    pub fn grips_of(self, piece: Piece) -> &'static [Grip] {
        GRIPS[self.case()].of(piece)
    }

    /// The cells of a set around a cell.
    #[inline(always)]
    pub fn of(set: &Bitboard, middle: Cell) -> Self {
        let words = set.words();
        Self::new(middle, |i| words.get(i.wrapping_sub(2)).copied().unwrap_or(0))
    }

    /// The diamond around a cell in a set given by its words; see [`window`].
    #[inline(always)]
    fn new(middle: Cell, word: impl Fn(usize) -> u64) -> Self {
        Self { open: pack(window(word, middle)), middle }
    }

    /// How many of the cells are open, 0 to 41.
    #[inline(always)]
    pub const fn len(self) -> usize {
        self.open.count_ones() as usize
    }

    /// Whether none of the cells is open.
    pub const fn is_empty(self) -> bool {
        self.open == 0
    }

    /// The placement by a grip on the middle, if all its cells are open.
    #[inline(always)]
    pub fn fit(self, grip: Grip) -> Option<Placement> {
        // Open cells are cells of the board, so the placement needs no other check.
        (grip.cells & !self.open == 0).then(|| self.placement(&grip))
    }

    /// The placement by a grip on the middle, whose cells are open.
    #[inline(always)]
    pub(crate) const fn placement(self, grip: &Grip) -> Placement {
        Placement::new(grip.shape, Cell::from_bit(self.middle.bit() - grip.offset as usize))
    }

    /// The diamond around a cell where nothing is open.
    pub(crate) const fn closed(middle: Cell) -> Self {
        Self { open: 0, middle }
    }

    /// The cell in the middle.
    #[inline(always)]
    pub(crate) const fn middle(self) -> Cell {
        self.middle
    }

    /// The open cells, as bits of [`CELLS_OF_DIAMOND`].
    #[inline(always)]
    pub(crate) const fn open(self) -> u64 {
        self.open
    }

    /// Which of the four sides of the middle are open, as a number below [`CASES`].
    #[inline(always)]
    pub(crate) const fn case(self) -> usize {
        case(self.open)
    }
}

impl Board {
    /// The cells around a cell that are open to a colour.
    #[inline(always)]
    pub fn diamond(&self, color: Color, cell: Cell) -> Diamond {
        Diamond::of(self.open_ref(color), cell)
    }
}

/// A set of cells between empty words, for taking many diamonds.
pub(crate) struct Padded([u64; Bitboard::WORDS + 4]);

impl Padded {
    #[inline(always)]
    pub(crate) fn new(set: &Bitboard) -> Self {
        let mut words = [0; Bitboard::WORDS + 4];
        words[2..2 + Bitboard::WORDS].copy_from_slice(set.words());
        Self(words)
    }

    /// Takes a cell out.
    #[inline(always)]
    pub(crate) fn remove(&mut self, cell: Cell) {
        self.0[2 + cell.bit() / 64 % Bitboard::WORDS] &= !(1 << (cell.bit() % 64));
    }

    /// The cells around a cell.
    #[inline(always)]
    pub(crate) fn diamond(&self, cell: Cell) -> Diamond {
        Diamond::new(cell, |i| self.0[i])
    }
}

/// The bit of the middle in a window of nine rows: four rows and four columns after the start.
const MIDDLE: usize = 4 * STRIDE + 4;

/// The nine rows around a cell, from the cell four rows up and four columns left of it on, of a set
/// given by its words. The words have numbers from 2 on: the window may start two words before the
/// board, and end two words after it.
#[inline(always)]
fn window(word: impl Fn(usize) -> u64, middle: Cell) -> [u64; 3] {
    let start = 128 + middle.bit() - MIDDLE;
    let (first, bits) = (start / 64 % Bitboard::WORDS, start % 64);
    let [a, b, c, d] = [word(first), word(first + 1), word(first + 2), word(first + 3)];
    let join = |low: u64, high: u64| low >> bits | high << 1 << (63 - bits);
    [join(a, b), join(b, c), join(c, d)]
}

/// The 41 cells of the diamond in a window, in one word: each word of the window holds three of the
/// nine rows, with gaps into which the others fit.
#[inline(always)]
const fn pack(window: [u64; 3]) -> u64 {
    const ROWS: [u64; 3] = {
        let mut rows = [0; 3];
        let mut y = 0;
        while y < 9 {
            let steps = if y < 4 { y } else { 8 - y };
            let first = STRIDE * y + 4 - steps;
            assert!(first / 64 == (first + 2 * steps) / 64);
            rows[first / 64] |= ((1 << (2 * steps + 1)) - 1) << (first % 64);
            y += 1;
        }
        rows
    };
    const _: () = assert!(ROWS[0] << 5 & ROWS[1] == 0 && ROWS[2] << 10 & (ROWS[1] | ROWS[0] << 5) == 0);
    (window[0] & ROWS[0]) << 5 | window[1] & ROWS[1] | (window[2] & ROWS[2]) << 10
}

/// Which of the four sides of the middle are in a packed diamond: bit 0 above, 1 left, 2 right,
/// 3 below. They lie in the middle word of the window.
#[inline(always)]
const fn case(diamond: u64) -> usize {
    const UP: usize = MIDDLE - STRIDE - 64;
    const DOWN: usize = MIDDLE + STRIDE - 64;
    const LEFT: usize = MIDDLE - 1 - 64;
    let sides =
        diamond >> UP & 1 | (diamond >> LEFT & 1) << 1 | (diamond >> (LEFT + 2) & 1) << 2 | (diamond >> DOWN & 1) << 3;
    sides as usize
}

/// The bits that cells of a diamond may have.
pub(crate) const CELLS_OF_DIAMOND: u64 = pack([u64::MAX; 3]);

/// How many sets of sides of a cell there are.
pub(crate) const CASES: usize = 16;

/// The grips that cover no other sides of the held cell than those of a case.
#[inline(always)]
pub(crate) const fn grips_of_case(case: usize) -> &'static [Grip] {
    GRIPS[case].all()
}

/// The grips that cover no other sides of the held cell than those of one case.
struct GripList {
    grips: [Grip; Grip::COUNT],
    /// For each piece the index of its first grip, and behind the last piece the number of grips.
    starts: [u16; Piece::COUNT + 1],
}

impl GripList {
    #[inline(always)]
    const fn all(&self) -> &[Grip] {
        self.grips.split_at(self.starts[Piece::COUNT] as usize).0
    }

    #[inline(always)]
    fn of(&self, piece: Piece) -> &[Grip] {
        &self.grips[self.starts[piece as usize] as usize..self.starts[piece as usize + 1] as usize]
    }
}

static GRIPS: [GripList; CASES] = {
    const MONO: Grip = Grip::new(Shape::from_index(0), 0);
    const EMPTY: GripList = GripList { grips: [MONO; Grip::COUNT], starts: [0; Piece::COUNT + 1] };
    let mut lists = [EMPTY; CASES];
    let mut counts = [0; CASES];
    let mut i = 0;
    while i < Shape::COUNT {
        let shape = Shape::from_index(i);
        let mut rest = shape.offsets();
        while rest != 0 {
            let grip = Grip::new(shape, rest.trailing_zeros() as usize);
            let mut sides = 0;
            while sides < lists.len() {
                if case(grip.cells) & !sides == 0 {
                    lists[sides].grips[counts[sides]] = grip;
                    counts[sides] += 1;
                }
                lists[sides].starts[shape.piece() as usize + 1] = counts[sides] as u16;
                sides += 1;
            }
            rest &= rest - 1;
        }
        i += 1;
    }
    assert!(counts[15] == Grip::COUNT);
    lists
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Position, Rules};

    #[test]
    fn fits_are_the_placements_on_open_cells_that_cover_the_cell() {
        let mut position = Position::new(Rules::Season2027, Some(Piece::PentoR)).unwrap();
        for text in ["PENTO_R@0,0", "PENTO_R-RIGHT@17,3", "PENTO_R@5,17", "PENTO_R@0,9", "PENTO_P@3,2"] {
            position.try_play(text.parse().unwrap()).unwrap();
        }
        let board = position.board();
        for color in Color::ALL {
            for cell in board.open(color) {
                let diamond = board.diamond(color, cell);
                let mut found: Vec<Placement> = diamond.grips().iter().filter_map(|&grip| diamond.fit(grip)).collect();
                let by_piece = Piece::ALL.into_iter().flat_map(|piece| diamond.grips_of(piece));
                assert!(by_piece.filter_map(|&grip| diamond.fit(grip)).eq(found.iter().copied()));
                found.sort_unstable();
                let only = Bitboard::only(cell);
                let mut expected: Vec<Placement> = Placement::all()
                    .filter(|placement| board.is_open(color, *placement) && placement.touches(&only))
                    .collect();
                expected.sort_unstable();
                assert_eq!(found, expected, "{color} {cell:?}");
            }
        }
    }
}
