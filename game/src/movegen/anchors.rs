//! Placements anchor by anchor: for every anchor the set of grips on it that fit.
//!
//! An anchor touches a cell of its colour at a corner, so that two neighbouring sides of it are
//! closed. That leaves at most 127 grips: a set of them is one 128-bit word. A grip fits when none of
//! its cells is closed, and it may be used when its piece is in hand. So the grips that do *not* fit
//! are the union, over the closed cells around the anchor and the pieces not in hand, of the grips
//! that have that cell or that piece. The unions for every four of these facts at once are looked
//! up in a table.
//!
//! A placement that covers several anchors must not be found more than once: anchors that came
//! before count as closed.

use std::ops::ControlFlow;

use crate::bitboard::{Cell, nth_bit};
use crate::board::Board;
use crate::color::Color;
use crate::grip::{CASES, CELLS_OF_DIAMOND, Diamond, Padded, grips_of_case};
use crate::piece::{Piece, PieceSet};
use crate::placement::Placement;

/// Calls `visit` with the placements of a colour that cover an anchor and none of those before, for
/// each anchor until `visit` breaks. The colour has placed its first piece.
#[inline(always)]
pub(super) fn visit_anchors<B>(
    board: &Board,
    color: Color,
    mut visit: impl FnMut(Fits) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let absent = !piece_bits(board.left(color)) & piece_bits(PieceSet::ALL);
    let mut open = Padded::new(board.open_ref(color));
    for anchor in board.anchors(color) {
        visit(Fits::new(open.diamond(anchor), absent))?;
        open.remove(anchor);
    }
    ControlFlow::Continue(())
}

/// The placements that cover an anchor.
pub(super) struct Fits {
    anchor: Cell,
    table: &'static Table,
    /// The grips that fit, in two halves, by their indices in the table.
    grips: [u64; 2],
}

impl Fits {
    /// `absent` are the [`piece_bits`] of the pieces not in hand.
    #[inline(always)]
    fn new(diamond: Diamond, absent: u64) -> Self {
        let closed = !diamond.open() & CELLS_OF_DIAMOND | absent;
        let table = &TABLES[diamond.case()];
        let mut blocked = table.no_grip;
        for (i, unions) in table.unions.iter().enumerate() {
            blocked |= unions[(closed >> (4 * i)) as usize % 16];
        }
        Self { anchor: diamond.middle(), table, grips: [!blocked as u64, (!blocked >> 64) as u64] }
    }

    /// How many they are.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.grips.iter().map(|grips| grips.count_ones() as usize).sum()
    }

    /// The one that `n` others come before.
    #[inline(always)]
    pub(super) fn nth(&self, n: usize) -> Option<Placement> {
        let [low, high] = self.grips;
        let low_count = low.count_ones() as usize;
        let index = if n < low_count { nth_bit(low, n)? } else { 64 + nth_bit(high, n - low_count)? };
        Some(self.placement(index))
    }

    #[inline(always)]
    pub(super) fn append_to(&self, list: &mut Vec<Placement>) {
        for (half, mut grips) in self.grips.into_iter().enumerate() {
            // A range of known length: the list makes room once.
            list.extend((0..grips.count_ones()).map(|_| {
                let index = 64 * half + grips.trailing_zeros() as usize;
                grips &= grips.wrapping_sub(1);
                self.placement(index)
            }));
        }
    }

    #[inline(always)]
    fn placement(&self, index: usize) -> Placement {
        self.table.placements[index % GRIPS].moved(CENTRE, self.anchor)
    }
}

/// How many grips one word can hold.
const GRIPS: usize = u128::BITS as usize;

/// Where the placements of tables are held.
const CENTRE: Cell = Cell::new(10, 10).unwrap();

/// The grips on an anchor in one case of open sides, and which of them cells and pieces rule out.
struct Table {
    /// The placements by the grips on the centre.
    placements: [Placement; GRIPS],
    /// The indices that no grip has.
    no_grip: u128,
    /// For every four bits of a word of closed cells and absent pieces, and each of their values,
    /// the grips that have one of them.
    unions: [[u128; 16]; 16],
}

static TABLES: [Table; CASES] = {
    const CENTRED: Diamond = Diamond::closed(CENTRE);
    const EMPTY: Table = Table {
        placements: [CENTRED.placement(&grips_of_case(0)[0]); GRIPS],
        no_grip: u128::MAX,
        unions: [[0; 16]; 16],
    };
    let mut tables = [EMPTY; CASES];
    let mut case = 0;
    while case < CASES {
        let grips = grips_of_case(case);
        let table = &mut tables[case];
        let mut i = 0;
        // Cases with more grips do not occur at anchors.
        while i < grips.len() && grips.len() <= GRIPS {
            table.placements[i] = CENTRED.placement(&grips[i]);
            table.no_grip &= !(1 << i);
            let bits = grips[i].cells() | piece_bits(PieceSet::only(grips[i].shape().piece()));
            let mut j = 0;
            while j < 16 * 16 {
                let (four, value) = (j / 16, j % 16);
                if bits >> (4 * four) & value as u64 != 0 {
                    table.unions[four][value] |= 1 << i;
                }
                j += 1;
            }
            i += 1;
        }
        case += 1;
    }
    tables
};

/// The pieces in bits of a word that no cell of a diamond has.
#[inline(always)]
const fn piece_bits(pieces: PieceSet) -> u64 {
    let bits = pieces.bits() as u64;
    (bits & 0x1ff) << 55 | (bits >> 9 & 0x7f) << 35 | (bits >> 16) << 15
}

const _: () = {
    let all = piece_bits(PieceSet::ALL);
    assert!(all & CELLS_OF_DIAMOND == 0 && all.count_ones() as usize == Piece::COUNT);
};
