//! The board: covered cells, and the cells where each colour may place.

use crate::bitboard::Bitboard;
use crate::cell::Cell;
use crate::color::{ByColor, Color};
use crate::piece::{Piece, PieceSet};
use crate::placement::Placement;
use crate::rules::Rules;

/// The cells and remaining pieces of every colour, and two sets that decide which placements are legal: all cells of a
/// placement must be [`open`](Self::open), and at least one must be an [anchor](Self::anchors).
///
/// Before a colour's first piece its anchors are the start cells of the rules; from then on they are the open cells
/// that touch one of its cells at a corner. So the start of the game needs no case of its own anywhere else.
///
/// A board has no turns; a [`Position`](crate::Position) does.
///
/// Move generation works in two ways that give the same placements. *Shape by shape* computes the set of root cells of
/// every shape by shifts of whole boards; this suits bulk visits and the first piece, when every border cell may be an
/// anchor. *Anchor by anchor* looks up which shapes fit around each anchor; this is three times as fast later, when a
/// colour has about ten anchors.
///
/// ```
/// use game::{Color, Piece, Position, Rules};
///
/// let position = Position::new(Rules::Classic, None)?;
/// let mut board = *position.board();
/// let placement = "PENTO_W@0,0".parse()?;
/// assert!(board.allows(Color::Blue, placement));
/// board.place(Color::Blue, placement);
/// assert_eq!(board.covered(Color::Blue).len(), 5);
/// assert!(!board.remaining_pieces(Color::Blue).contains(Piece::PentoW));
/// assert!(board.anchors(Color::Blue).len() > 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    covered: ByColor<Bitboard>,
    open: ByColor<Bitboard>,
    anchors: ByColor<Bitboard>,
    remaining_pieces: ByColor<PieceSet>,
    start_pieces: PieceSet,
}

impl Board {
    /// Creates the empty board. The first piece of each colour is one of `start_pieces`.
    pub(crate) fn new(rules: Rules, start_pieces: PieceSet) -> Self {
        Self {
            covered: ByColor::default(),
            open: ByColor::from_fn(|_| Bitboard::BOARD),
            anchors: ByColor::from_fn(|color| rules.start_cells(color)),
            remaining_pieces: ByColor::from_fn(|_| PieceSet::ALL),
            start_pieces,
        }
    }

    /// Creates a board with the given cells covered and pieces remaining. The cells must be disjoint.
    pub(crate) fn with(
        rules: Rules,
        start_pieces: PieceSet,
        covered: ByColor<Bitboard>,
        remaining_pieces: ByColor<PieceSet>,
    ) -> Self {
        let mut board = Self { covered, remaining_pieces, ..Self::new(rules, start_pieces) };
        let empty = board.empty();
        for color in Color::ALL {
            let own = covered[color];
            board.open[color] = empty.without(own.sides());
            let anchors = if board.is_first(color) { rules.start_cells(color) } else { own.corners() };
            board.anchors[color] = anchors & board.open[color];
        }
        board
    }

    /// Returns the cells that a colour covers.
    #[inline(always)]
    pub fn covered(&self, color: Color) -> Bitboard {
        self.covered[color]
    }

    /// Returns the cells that no colour covers.
    pub fn empty(&self) -> Bitboard {
        let [blue, yellow, red, green] = self.covered.0;
        !(blue | yellow | red | green)
    }

    /// Returns the colour that covers a cell.
    pub fn color_at(&self, cell: Cell) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.covered[color].contains(cell))
    }

    /// Returns the cells that a colour may cover: empty cells that share no side with its own.
    #[inline(always)]
    pub fn open(&self, color: Color) -> Bitboard {
        self.open[color]
    }

    /// Returns the [`open`](Self::open) cells without a copy.
    #[inline(always)]
    pub(crate) fn open_ref(&self, color: Color) -> &Bitboard {
        &self.open[color]
    }

    /// Returns the anchors: open cells; a legal placement covers at least one of them.
    #[inline(always)]
    pub fn anchors(&self, color: Color) -> Bitboard {
        self.anchors[color]
    }

    /// Returns the remaining pieces of a colour.
    #[inline(always)]
    pub fn remaining_pieces(&self, color: Color) -> PieceSet {
        self.remaining_pieces[color]
    }

    /// Returns `true` if a colour has yet to place its first piece.
    #[inline(always)]
    pub fn is_first(&self, color: Color) -> bool {
        self.remaining_pieces[color] == PieceSet::ALL
    }

    /// Returns the pieces that a colour may place next: its remaining pieces, or the start pieces before its first
    /// move.
    #[inline(always)]
    pub fn playable(&self, color: Color) -> PieceSet {
        if self.is_first(color) { self.start_pieces } else { self.remaining_pieces[color] }
    }

    /// Returns `true` if a placement is legal for a colour if it is to move.
    #[inline]
    pub fn allows(&self, color: Color, placement: Placement) -> bool {
        self.playable(color).contains(placement.piece())
            && self.is_open(color, placement)
            && placement.intersects(&self.anchors[color])
    }

    /// Returns `true` if all cells of a placement are open to a colour.
    #[inline(always)]
    pub fn is_open(&self, color: Color, placement: Placement) -> bool {
        placement.is_subset(&self.open[color])
    }

    /// Removes an anchor that no remaining piece of the colour can cover. This never changes the legal moves, because
    /// open cells and remaining pieces only become fewer.
    #[doc(hidden)]
    #[inline(always)]
    pub fn drop_anchor(&mut self, color: Color, cell: Cell) {
        self.anchors[color].remove(cell);
    }

    /// Removes the anchors without an open side, where only the monomino could go, if the colour has placed its
    /// monomino. This finds most anchors that can be [dropped](Self::drop_anchor), much faster than testing each.
    #[doc(hidden)]
    #[inline(always)]
    pub fn drop_isolated_anchors(&mut self, color: Color) {
        if !self.remaining_pieces[color].contains(Piece::Mono) {
            self.anchors[color] &= self.open[color].sides();
        }
    }

    /// Removes [dead anchors](Self::dead_anchors) of this board or an earlier one; see
    /// [`drop_anchor`](Self::drop_anchor). Cells that are no longer anchors are ignored.
    #[doc(hidden)]
    #[inline(always)]
    pub fn drop_anchors(&mut self, color: Color, dead: Bitboard) {
        self.anchors[color] = self.anchors[color].without(dead);
    }

    /// Puts a piece on the board. The placement must be legal for the colour.
    ///
    /// # Panics
    /// With debug assertions, if it is not. Without them an illegal placement leaves the board inconsistent.
    #[inline]
    pub fn place(&mut self, color: Color, placement: Placement) {
        debug_assert!(self.allows(color, placement), "{color} {placement} is not legal");
        let cells = placement.cells();
        if self.is_first(color) {
            self.anchors[color] = Bitboard::EMPTY;
        }
        self.remaining_pieces[color].remove(placement.piece());
        self.covered[color] |= cells;
        for other in Color::ALL {
            self.open[other] = self.open[other].without(cells);
        }
        self.open[color] = self.open[color].without(placement.sides());
        self.anchors[color] |= placement.corners();
        for other in Color::ALL {
            self.anchors[other] &= self.open[other];
        }
    }
}
