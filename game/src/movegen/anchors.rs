//! Placements anchor by anchor: for every anchor the set of grips on it that fit.
//!
//! An anchor touches a cell of its colour at a corner, so two neighbouring sides of it are closed. That leaves at most
//! 127 grips, so a set of grips is one 128-bit word. A grip fits if none of its cells is closed and its piece remains.
//! The grips that do *not* fit are the union of two kinds: grips with a closed cell and grips of a placed piece. A
//! table stores this union for every four of these facts.
//!
//! A placement that covers several anchors must not be found more than once: anchors that came before count as closed.

use std::fmt;
use std::ops::ControlFlow;

use crate::bitboard::{Bitboard, nth_bit};
use crate::board::Board;
use crate::cell::Cell;
use crate::color::Color;
use crate::diamond::{ALL_CELLS, Diamond};
use crate::grip::grips_of_case;
use crate::piece::{MAX_PIECE_SIZE, Piece, PieceSet};
use crate::placement::Placement;

/// Calls `visit` with the placements of a colour that cover an anchor and none of those before, for each anchor until
/// `visit` breaks. The colour must have placed its first piece.
#[inline(always)]
pub(super) fn visit_anchors<B>(
    board: &Board,
    color: Color,
    mut visit: impl FnMut(Fits) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let remaining = piece_bits(board.remaining_pieces(color));
    let mut open = board.open(color);
    for anchor in board.anchors(color) {
        visit(Fits::new(Diamond::of(&open, anchor), remaining))?;
        open.remove(anchor);
    }
    ControlFlow::Continue(())
}

#[doc(hidden)]
impl Board {
    /// Returns the anchors of a colour, each with the placements that cover it. The colour must have placed its first
    /// piece.
    ///
    /// # Panics
    /// With debug assertions, if it has not.
    #[inline(always)]
    pub fn all_fits(&self, color: Color) -> impl Iterator<Item = (Cell, Fits)> + use<> {
        debug_assert!(!self.is_first(color));
        let remaining = piece_bits(self.remaining_pieces(color));
        let open = self.open(color);
        self.anchors(color).into_iter().map(move |anchor| (anchor, Fits::new(Diamond::of(&open, anchor), remaining)))
    }

    /// Returns the dead anchors of a colour, which no placement of its pieces can cover any more; none before its
    /// first piece.
    pub fn dead_anchors(&self, color: Color) -> Bitboard {
        if self.is_first(color) {
            return Bitboard::EMPTY;
        }
        self.all_fits(color).filter(|(_, fits)| fits.is_empty()).map(|(anchor, _)| anchor).collect()
    }

    /// Returns the placements of a colour that cover one of its anchors. The colour must have placed its first
    /// piece, so that it has a cell that touches the anchor at a corner.
    ///
    /// # Panics
    /// With debug assertions, if it has not, or the cell is no anchor of it.
    #[inline(always)]
    pub fn fits(&self, color: Color, anchor: Cell) -> Fits {
        debug_assert!(!self.is_first(color) && self.anchors(color).contains(anchor));
        Fits::new(self.diamond(color, anchor), piece_bits(self.remaining_pieces(color)))
    }
}

/// A set of placements that cover an anchor.
///
/// ```
/// use game::{Color, Move, Position, Rules};
///
/// let mut position = Position::new(Rules::Classic, None)?;
/// for _ in Color::ALL {
///     let placements = position.placements();
///     position.play(Move::Place(placements[0]));
/// }
/// let board = position.board();
/// let anchor = board.anchors(Color::Blue).into_iter().next().expect("there is room");
/// let fits = board.fits(Color::Blue, anchor);
/// assert!((0..fits.len()).all(|n| fits.nth(n).is_some_and(|placement| placement.cells().contains(anchor))));
/// # Ok::<(), game::SetupError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Fits {
    anchor: Cell,
    table: &'static AnchorTable,
    /// The grips that fit, by their indices in the table.
    grips: u128,
}

impl Fits {
    /// Creates the placements in a diamond; `remaining` are the [`piece_bits`] of the remaining pieces.
    #[inline(always)]
    fn new(diamond: Diamond, remaining: u64) -> Self {
        let ruled_out = !(diamond.cells() | remaining);
        let table = AnchorTable::around(diamond);
        let mut blocked = table.no_grip;
        for (i, unions) in table.unions.iter().enumerate() {
            blocked |= unions[(ruled_out >> (4 * i)) as usize % 16];
        }
        Self { anchor: diamond.middle(), table, grips: !blocked }
    }

    /// Returns `true` if there is none.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.grips == 0
    }

    /// Returns the number of placements.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.grips.count_ones() as usize
    }

    /// Returns the size of the largest piece, 1 to 5, or 0 if the set is empty.
    #[inline(always)]
    pub fn largest_size(self) -> usize {
        // All sizes are looked at, because the branch at which a loop from the end would stop is hard to predict.
        // (That is a guess; the gain was not measured separately.)
        let fits = self.table.of_sizes.map(|of_size| self.grips & of_size != 0);
        (1..).zip(fits).fold(0, |largest, (size, fits)| if fits { size } else { largest })
    }

    /// Returns the pieces in `pieces` that at least one placement uses.
    #[inline(always)]
    pub fn pieces_among(self, pieces: PieceSet) -> PieceSet {
        let mut found = PieceSet::EMPTY;
        // No branch on the result, because it would be hard to predict.
        for piece in pieces.iter() {
            let fits = self.grips & self.table.of_pieces[piece as usize] != 0;
            found = found.union(if fits { PieceSet::only(piece) } else { PieceSet::EMPTY });
        }
        found
    }

    /// Returns the placement at index `n`.
    #[inline(always)]
    pub fn nth(self, n: usize) -> Option<Placement> {
        let (low, high) = (self.grips as u64, (self.grips >> 64) as u64);
        let low_count = low.count_ones() as usize;
        let index = if n < low_count { nth_bit(low, n)? } else { 64 + nth_bit(high, n - low_count)? };
        Some(self.placement(index))
    }

    /// Returns the placements of the largest pieces.
    #[inline(always)]
    pub fn largest(self) -> Self {
        let of_sizes = self.table.of_sizes.iter().map(|of_size| self.grips & of_size);
        let grips = of_sizes.rev().find(|&grips| grips != 0).unwrap_or(0);
        Self { grips, ..self }
    }

    /// Returns the placements that cover the most cells of `set`, at least one; cells in `twice` count double. Both are
    /// diamonds around the anchor.
    #[inline(always)]
    pub fn covering_most(self, set: Diamond, twice: Diamond) -> Self {
        // One counter per grip, in four bits that are spread over four words.
        let mut counts = [0u128; 4];
        for cells in [set, twice] {
            let mut cells = cells.cells();
            while cells != 0 {
                let bit = cells.trailing_zeros() as usize;
                let mut carry = self.table.unions[bit / 4][1 << (bit % 4)];
                for count in &mut counts {
                    (*count, carry) = (*count ^ carry, *count & carry);
                }
                cells &= cells - 1;
            }
        }
        let mut grips = self.grips;
        let mut covers = false;
        for count in counts.into_iter().rev() {
            if grips & count != 0 {
                grips &= count;
                covers = true;
            }
        }
        Self { grips: if covers { grips } else { 0 }, ..self }
    }

    /// Appends them to a list.
    #[inline(always)]
    pub(super) fn append_to(self, list: &mut Vec<Placement>) {
        for (half, mut grips) in [self.grips as u64, (self.grips >> 64) as u64].into_iter().enumerate() {
            // A range of known length: the list makes room once.
            list.extend((0..grips.count_ones()).map(|_| {
                let index = 64 * half + grips.trailing_zeros() as usize;
                grips &= grips.wrapping_sub(1);
                self.placement(index)
            }));
        }
    }

    #[inline(always)]
    fn placement(self, index: usize) -> Placement {
        self.table.placements[index % GRIPS].moved(CENTRE, self.anchor)
    }
}

impl fmt::Debug for Fits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries((0..self.len()).filter_map(|n| self.nth(n))).finish()
    }
}

/// Number of grips in a word.
const GRIPS: usize = u128::BITS as usize;

/// Held cell of the placements of tables.
const CENTRE: Cell = Cell::new(10, 10).unwrap();

/// The grips on an anchor with at most two given sides open, and which of them cells and pieces rule out.
struct AnchorTable {
    /// The placements by the grips on the centre.
    placements: [Placement; GRIPS],
    /// The indices that no grip has.
    no_grip: u128,
    /// The grips of the pieces of one cell, two cells, and so on.
    of_sizes: [u128; MAX_PIECE_SIZE],
    /// The grips of each piece.
    of_pieces: [u128; Piece::COUNT],
    /// For every four bits of a word of closed cells and placed pieces, and each of their 16 values, the grips excluded
    /// by them.
    unions: [[u128; 16]; 16],
}

/// The tables for open sides above and left, above and right, below and left, below and right. The closed cells of a
/// diamond rule out the grips on a closed one of these sides, so an anchor with fewer open sides needs no table of its
/// own. The four fit into the fastest cache.
static TABLES: [AnchorTable; 4] =
    [AnchorTable::of(0b0011), AnchorTable::of(0b0101), AnchorTable::of(0b1010), AnchorTable::of(0b1100)];

impl AnchorTable {
    /// Returns the table of a diamond around an anchor.
    #[inline(always)]
    fn around(diamond: Diamond) -> &'static Self {
        &TABLES[diamond.case() / 4]
    }

    const fn of(case: usize) -> Self {
        let grips = grips_of_case(case);
        let mut table = Self {
            placements: [grips[0].at(CENTRE); GRIPS],
            no_grip: u128::MAX,
            of_sizes: [0; MAX_PIECE_SIZE],
            of_pieces: [0; Piece::COUNT],
            unions: [[0; 16]; 16],
        };
        let mut i = 0;
        while i < grips.len() {
            table.placements[i] = grips[i].at(CENTRE);
            table.no_grip &= !(1 << i);
            let piece = grips[i].piece();
            table.of_sizes[piece.size() - 1] |= 1 << i;
            table.of_pieces[piece as usize] |= 1 << i;
            let bits = grips[i].cells() | piece_bits(PieceSet::only(piece));
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
        table
    }
}

/// Returns the pieces in bits of a word that no cell of a diamond has.
#[inline(always)]
const fn piece_bits(pieces: PieceSet) -> u64 {
    let bits = pieces.bits() as u64;
    (bits & 0x1ff) << 55 | (bits >> 9 & 0x7f) << 35 | (bits >> 16) << 15
}

const _: () = {
    let all = piece_bits(PieceSet::ALL);
    assert!(all & ALL_CELLS == 0 && all.count_ones() as usize == Piece::COUNT);
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Move, Position, Rules};

    /// Returns a position after the given number of plies, each the n-th legal move.
    fn position(plies: usize) -> Position {
        let mut position = Position::new(Rules::Season2027, Some(Piece::PentoR)).unwrap();
        for ply in 0..plies {
            let placements = position.placements();
            position.play(Move::Place(placements[ply * 31 % placements.len()]));
        }
        position
    }

    #[test]
    fn dead_anchors_can_be_forgotten() {
        let mut dropped = 0;
        for position in [0, 2, 16, 30, 44].map(position) {
            for color in Color::ALL {
                let list = |board: &Board| board.placements(color);
                let mut board = *position.board();
                let dead = board.dead_anchors(color);
                board.drop_anchors(color, dead);
                assert!(!board.anchors(color).intersects(dead) && board.dead_anchors(color).is_empty());
                assert_eq!(list(&board), list(position.board()));
                let is_live =
                    |anchor| list(&board).iter().any(|placement| placement.intersects(&Bitboard::only(anchor)));
                assert!(board.is_first(color) || board.anchors(color).into_iter().all(is_live));
                dropped += dead.len();
            }
        }
        assert!(dropped > 0, "no position has any");
    }

    #[test]
    fn isolated_anchors_are_dead() {
        let mut dropped = 0;
        for position in [2, 16, 30, 44].map(position) {
            for color in Color::ALL {
                let (before, mut board) = (position.board(), *position.board());
                board.drop_isolated_anchors(color);
                let isolated = before.anchors(color).without(board.anchors(color));
                assert!(isolated.is_subset(before.dead_anchors(color)));
                let has_room = |anchor| Bitboard::only(anchor).sides().intersects(board.open(color));
                assert!(
                    board.remaining_pieces(color).contains(Piece::Mono) || board.anchors(color).iter().all(has_room)
                );
                dropped += isolated.len();
            }
        }
        assert!(dropped > 0, "no position has any");
    }

    #[test]
    fn subsets_match_plain_search() {
        for plies in [4, 16, 30] {
            let position = position(plies);
            let board = position.board();
            for color in Color::ALL {
                let set = board.open(color.next());
                let twice = board.anchors(color.next()) & set;
                assert!(board.all_fits(color).map(|(anchor, _)| anchor).eq(board.anchors(color)));
                for (anchor, from_all) in board.all_fits(color) {
                    let fits = board.fits(color, anchor);
                    assert_eq!(from_all.grips, fits.grips);
                    let list = |fits: Fits| (0..fits.len()).map(|n| fits.nth(n).unwrap()).collect::<Vec<_>>();
                    let all = list(fits);
                    let mut expected: Vec<Placement> = Placement::all()
                        .filter(|&placement| board.allows(color, placement))
                        .filter(|placement| placement.intersects(&Bitboard::only(anchor)))
                        .collect();
                    let mut found = all.clone();
                    found.sort_unstable();
                    expected.sort_unstable();
                    assert_eq!(found, expected);
                    let best = |key: &dyn Fn(&Placement) -> usize| {
                        let most = all.iter().map(key).max().unwrap_or(0);
                        all.iter().copied().filter(|placement| most > 0 && key(placement) == most).collect::<Vec<_>>()
                    };
                    assert_eq!(list(fits.largest()), best(&|placement| placement.piece().size()));
                    let around = |set: &Bitboard| Diamond::of(set, anchor);
                    let covering = fits.covering_most(around(&set), around(&twice));
                    let covered = |placement: &Placement, set| (placement.cells() & set).len();
                    assert_eq!(list(covering), best(&|placement| covered(placement, set) + covered(placement, twice)));
                    let largest = all.iter().map(|placement| placement.piece().size()).max();
                    assert_eq!(fits.largest_size(), largest.unwrap_or(0));
                    let pieces: PieceSet = all.iter().map(|placement| placement.piece()).collect();
                    assert_eq!(fits.pieces_among(PieceSet::ALL), pieces);
                    let some: PieceSet = Piece::ALL.into_iter().step_by(2).collect();
                    assert_eq!(fits.pieces_among(some), pieces.intersection(some));
                }
            }
        }
    }
}
