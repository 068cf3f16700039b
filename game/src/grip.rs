//! Ways to cover a given cell, for code that looks at one anchor at a time.
//!
//! A shape held by one of its cells is a word of a [`Diamond`]. The open sides of the held cell rule out most grips, so
//! there is a list of grips for each of the 16 cases. (Lists by adjacency status are an idea of Pentobi's.)

use crate::cell::Cell;
use crate::diamond::{CASES, Diamond, case, cells_around};
use crate::piece::Piece;
use crate::placement::Placement;
use crate::shape::Shape;

/// A shape held by one of its cells.
#[derive(Clone, Copy)]
pub(crate) struct Grip {
    /// The covered cells as bits of a [`Diamond`] around the held cell.
    cells: u64,
    shape: Shape,
    /// Bits from the root to the held cell.
    offset: u8,
}

impl Grip {
    /// Number of grips: the cells of all shapes together.
    const COUNT: usize = {
        let (mut cells, mut i) = (0, 0);
        while i < Shape::COUNT {
            cells += Shape::from_index(i).piece().size();
            i += 1;
        }
        cells
    };

    /// Returns the piece that is held.
    pub(crate) const fn piece(self) -> Piece {
        self.shape.piece()
    }

    /// Returns the covered cells as bits of a [`Diamond`] around the held cell.
    pub(crate) const fn cells(self) -> u64 {
        self.cells
    }

    /// Returns the placement with the held cell at `cell`. It must lie on the board.
    #[inline(always)]
    pub(crate) const fn at(self, cell: Cell) -> Placement {
        Placement::new(self.shape, Cell::from_bit(cell.bit() - self.offset as usize))
    }

    const fn new(shape: Shape, offset: usize) -> Self {
        Self { cells: cells_around(shape.offsets(), offset), shape, offset: offset as u8 }
    }
}

impl Diamond {
    /// Returns the placements of a piece that cover the middle and lie within the cells of the set.
    #[inline(always)]
    pub(crate) fn placements_of(self, piece: Piece) -> impl Iterator<Item = Placement> {
        // The set has cells of the board only, so the placements need no other check.
        let fits = move |grip: &&Grip| grip.cells & !self.cells() == 0;
        GRIPS[self.case()].of(piece).iter().filter(fits).map(move |grip| grip.at(self.middle()))
    }
}

/// Returns the grips that cover no side of the held cell outside the given case, smallest pieces first.
#[inline(always)]
pub(crate) const fn grips_of_case(case: usize) -> &'static [Grip] {
    GRIPS[case].all()
}

/// The grips that cover no side of the held cell outside one case.
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
            while sides < CASES {
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
    assert!(counts[CASES - 1] == Grip::COUNT, "where all sides are open every grip is possible");
    lists
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitboard::Bitboard;
    use crate::board::Board;
    use crate::color::Color;
    use crate::piece::PieceSet;
    use crate::rules::Rules;

    #[test]
    fn generates_placements_on_open_cells_over_cell() {
        let mut board = Board::new(Rules::Season2027, PieceSet::only(Piece::PentoR));
        let texts = ["PENTO_R@0,0", "PENTO_R-RIGHT@17,3", "PENTO_R@5,17", "PENTO_R@0,9", "PENTO_P@3,2"];
        for (color, text) in Color::ALL.into_iter().cycle().zip(texts) {
            board.place(color, text.parse().unwrap());
        }
        for color in Color::ALL {
            for cell in board.open(color) {
                let diamond = board.diamond(color, cell);
                let mut found: Vec<_> = Piece::ALL.into_iter().flat_map(|piece| diamond.placements_of(piece)).collect();
                found.sort_unstable();
                let covers = |placement: &Placement| placement.intersects(&Bitboard::only(cell));
                let mut expected: Vec<_> = Placement::all()
                    .filter(|placement| board.is_open(color, *placement) && covers(placement))
                    .collect();
                expected.sort_unstable();
                assert_eq!(found, expected, "{color} {cell:?}");
            }
        }
    }
}
