//! Cells, sides and corners of each shape as bit patterns, computed at compile time.

use crate::bitboard::Bitboard;
use crate::cell::{Cell, STRIDE};
use crate::piece::MAX_PIECE_SIZE;
use crate::shape::Shape;

/// The cells, sides and corners of a shape around its root.
pub(crate) struct Stencils {
    pub cells: Stencil,
    pub sides: Stencil,
    pub corners: Stencil,
}

/// A pattern of bits that can be put anywhere. Zero words before and after it make every shift a plain read.
pub(crate) struct Stencil([u64; Stencil::WORDS]);

impl Stencil {
    /// The bit of the root in the pattern: the cells around the root have bits, too.
    const ROOT: usize = STRIDE + 1;
    /// Number of words of a pattern: room for a column of five cells and its neighbours.
    const PATTERN_WORDS: usize = (Self::ROOT + STRIDE * MAX_PIECE_SIZE + 1) / 64 + 1;
    const PATTERN_BITS: usize = 64 * Self::PATTERN_WORDS;
    /// The word where the pattern starts.
    const FIRST: usize = Bitboard::WORDS;
    const WORDS: usize = 2 * Bitboard::WORDS + Self::PATTERN_WORDS;

    /// Returns the pattern with its root on a cell.
    #[inline(always)]
    pub fn at(&self, root: Cell) -> Bitboard {
        let bits = root.bit() - Self::ROOT;
        let (words, bits) = (bits / 64 % Bitboard::WORDS, bits % 64);
        let low = &self.0[Self::FIRST - words..][..Bitboard::WORDS];
        let carry = &self.0[Self::FIRST - 1 - words..][..Bitboard::WORDS];
        let mut words = [0; Bitboard::WORDS];
        for i in 0..words.len() {
            words[i] = low[i] << bits | carry[i] >> 1 >> (63 - bits);
        }
        Bitboard::from_words(words)
    }

    /// Returns the pattern of a set drawn with the root on the cell with bit `root`.
    const fn from_drawing(drawing: Bitboard, root: usize) -> Self {
        let mut pattern = [0; Self::WORDS];
        let mut i = 0;
        while i < Self::PATTERN_BITS {
            let bit = root - Self::ROOT + i;
            if drawing.words()[bit / 64] >> (bit % 64) & 1 == 1 {
                pattern[Self::FIRST + i / 64] |= 1 << (i % 64);
            }
            i += 1;
        }
        Self(pattern)
    }
}

/// The stencils of every shape.
pub(crate) static STENCILS: [Stencils; Shape::COUNT] = {
    const EMPTY: Stencils = Stencils {
        cells: Stencil([0; Stencil::WORDS]),
        sides: Stencil([0; Stencil::WORDS]),
        corners: Stencil([0; Stencil::WORDS]),
    };
    let mut all = [EMPTY; Shape::COUNT];
    let mut i = 0;
    while i < Shape::COUNT {
        all[i] = stencils(Shape::from_index(i));
        i += 1;
    }
    all
};

const fn stencils(shape: Shape) -> Stencils {
    let root = Cell::new(8, 8).unwrap().bit();
    let (mut cells, mut sides, mut around) = (Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY);
    let mut offset = 0;
    while offset < u128::BITS as usize {
        if shape.offsets() >> offset & 1 == 1 {
            let cell = root + offset;
            cells.insert(Cell::from_bit(cell));
            let (up, down) = (cell - STRIDE, cell + STRIDE);
            let beside = [cell - 1, cell + 1, up, down];
            let diagonal = [up - 1, up + 1, down - 1, down + 1];
            let mut i = 0;
            while i < 4 {
                sides.insert(Cell::from_bit(beside[i]));
                around.insert(Cell::from_bit(diagonal[i]));
                i += 1;
            }
        }
        offset += 1;
    }
    let (mut corners, mut i) = ([0; Bitboard::WORDS], 0);
    let mut only_sides = [0; Bitboard::WORDS];
    while i < Bitboard::WORDS {
        let (cells, sides) = (cells.words()[i], sides.words()[i]);
        only_sides[i] = sides & !cells;
        corners[i] = around.words()[i] & !cells & !sides;
        i += 1;
    }
    Stencils {
        cells: Stencil::from_drawing(cells, root),
        sides: Stencil::from_drawing(Bitboard::from_words(only_sides), root),
        corners: Stencil::from_drawing(Bitboard::from_words(corners), root),
    }
}

/// Maximum number of cells that share a side with a piece: the neighbours of a row of five.
pub(crate) const MAX_SIDES: usize = 12;

/// Maximum number of cells that share only corners with a piece.
pub(crate) const MAX_CORNERS: usize = 8;

/// The cells, sides and corners of a shape one by one.
pub(crate) struct Outline {
    pub cells: BitList<MAX_PIECE_SIZE>,
    pub sides: BitList<MAX_SIDES>,
    pub corners: BitList<MAX_CORNERS>,
}

/// The bits of a [`Stencil`]'s pattern as a list of fixed length, filled up with a number that is not a bit.
pub(crate) struct BitList<const LENGTH: usize>([u16; LENGTH]);

impl<const LENGTH: usize> BitList<LENGTH> {
    const FILLED: Self = Self([Bitboard::BITS as u16; LENGTH]);

    const fn of(stencil: &Stencil) -> Self {
        let mut list = Self::FILLED;
        let (mut bit, mut len) = (0, 0);
        while bit < Stencil::PATTERN_BITS {
            if stencil.0[Stencil::FIRST + bit / 64] >> (bit % 64) & 1 == 1 {
                list.0[len] = bit as u16;
                len += 1;
            }
            bit += 1;
        }
        list
    }

    #[inline(always)]
    pub fn from(&self, root: Cell) -> [usize; LENGTH] {
        let start = (root.bit() - Stencil::ROOT) as u16;
        self.0.map(|offset| (start + offset).min(Bitboard::BITS as u16 - 1).into())
    }
}

/// The outlines of every shape.
pub(crate) static OUTLINES: [Outline; Shape::COUNT] = {
    const EMPTY: Outline = Outline { cells: BitList::FILLED, sides: BitList::FILLED, corners: BitList::FILLED };
    let mut all = [EMPTY; Shape::COUNT];
    let mut i = 0;
    while i < Shape::COUNT {
        let Stencils { cells, sides, corners } = stencils(Shape::from_index(i));
        all[i] = Outline { cells: BitList::of(&cells), sides: BitList::of(&sides), corners: BitList::of(&corners) };
        i += 1;
    }
    all
};
