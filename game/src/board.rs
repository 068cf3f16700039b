//! What lies on the board and where each colour may go.

use crate::bitboard::{Bitboard, Cell};
use crate::color::{ByColor, Color};
use crate::piece::{Piece, PieceSet};
use crate::placement::Placement;
use crate::rules::Rules;

/// The cells of every colour, its pieces in hand, and two sets of cells from which all its legal
/// placements follow: a placement is legal if all its cells are [`open`](Self::open) and at least
/// one of them is an [anchor](Self::anchors).
///
/// Before a colour's first piece its anchors are the start cells of the rules; from then on they
/// are the open cells that touch one of its cells at a corner. So the start of the game needs no
/// case of its own anywhere else.
///
/// A board knows nothing of turns; [`Position`](crate::Position) does.
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
/// assert!(!board.left(Color::Blue).contains(Piece::PentoW));
/// assert!(board.anchors(Color::Blue).len() > 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    covered: ByColor<Bitboard>,
    open: ByColor<Bitboard>,
    anchors: ByColor<Bitboard>,
    left: ByColor<PieceSet>,
    start_pieces: PieceSet,
}

impl Board {
    /// The empty board. The first piece of each colour is one of `start_pieces`.
    pub(crate) fn new(rules: Rules, start_pieces: PieceSet) -> Self {
        Self {
            covered: ByColor::default(),
            open: ByColor::from_fn(|_| Bitboard::BOARD),
            anchors: ByColor::from_fn(|color| rules.start_cells(color)),
            left: ByColor::from_fn(|_| PieceSet::ALL),
            start_pieces,
        }
    }

    /// The board with these cells covered and these pieces in hand; the cells are disjoint.
    pub(crate) fn with(
        rules: Rules,
        start_pieces: PieceSet,
        covered: ByColor<Bitboard>,
        left: ByColor<PieceSet>,
    ) -> Self {
        let mut board = Self { covered, left, ..Self::new(rules, start_pieces) };
        let empty = board.empty();
        for color in Color::ALL {
            let own = covered[color];
            board.open[color] = empty.without(own.sides());
            let anchors = if board.is_first(color) { rules.start_cells(color) } else { own.corners() };
            board.anchors[color] = anchors & board.open[color];
        }
        board
    }

    /// The cells that a colour covers.
    #[inline(always)]
    pub fn covered(&self, color: Color) -> Bitboard {
        self.covered[color]
    }

    /// The cells that nobody covers.
    pub fn empty(&self) -> Bitboard {
        let [blue, yellow, red, green] = self.covered.0;
        !(blue | yellow | red | green)
    }

    /// The colour that covers a cell.
    pub fn color_at(&self, cell: Cell) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.covered[color].contains(cell))
    }

    /// The cells that a colour may cover: those that are empty and share no side with its own.
    #[inline(always)]
    pub fn open(&self, color: Color) -> Bitboard {
        self.open[color]
    }

    /// The [`open`](Self::open) cells without a copy.
    #[inline(always)]
    pub(crate) fn open_ref(&self, color: Color) -> &Bitboard {
        &self.open[color]
    }

    /// The open cells of which a placement of the colour must cover at least one.
    #[inline(always)]
    pub fn anchors(&self, color: Color) -> Bitboard {
        self.anchors[color]
    }

    /// The pieces that a colour has in hand.
    #[inline(always)]
    pub fn left(&self, color: Color) -> PieceSet {
        self.left[color]
    }

    /// Whether a colour has yet to place its first piece.
    #[inline(always)]
    pub fn is_first(&self, color: Color) -> bool {
        self.left[color] == PieceSet::ALL
    }

    /// The pieces that a colour may place next as far as its hand and the start piece go.
    #[inline(always)]
    pub fn playable(&self, color: Color) -> PieceSet {
        if self.is_first(color) { self.start_pieces } else { self.left[color] }
    }

    /// Whether a placement is legal for a colour if it is on turn.
    #[inline]
    pub fn allows(&self, color: Color, placement: Placement) -> bool {
        self.playable(color).contains(placement.piece())
            && self.is_open(color, placement)
            && placement.touches(&self.anchors[color])
    }

    /// Whether all cells of a placement are open to a colour.
    #[inline(always)]
    pub fn is_open(&self, color: Color, placement: Placement) -> bool {
        placement.is_subset(&self.open[color])
    }

    /// Forgets an anchor of a colour that no placement of its pieces can cover any more. That changes
    /// no legal move, now or later: open cells and pieces in hand only ever become fewer.
    #[inline(always)]
    pub fn drop_anchor(&mut self, color: Color, cell: Cell) {
        self.anchors[color].remove(cell);
    }

    /// Forgets the anchors of a colour of which no side is open, unless it has the monomino in hand, the only piece
    /// that would fit there. Finds most of those that can be [dropped](Self::drop_anchor) much faster than
    /// looking at one after the other.
    #[inline(always)]
    pub fn drop_isolated_anchors(&mut self, color: Color) {
        if !self.left[color].contains(Piece::Mono) {
            self.anchors[color] &= self.open[color].sides();
        }
    }

    /// Forgets [dead anchors](Self::dead_anchors) of this board or of an earlier one, some of which may have ceased to
    /// be anchors; see [`drop_anchor`](Self::drop_anchor).
    #[inline(always)]
    pub fn drop_anchors(&mut self, color: Color, dead: Bitboard) {
        self.anchors[color] = self.anchors[color].without(dead);
    }

    /// Puts a piece on the board. The placement is legal for the colour.
    ///
    /// # Panics
    /// With debug assertions, if it is not. Without, the board is then inconsistent.
    #[inline]
    pub fn place(&mut self, color: Color, placement: Placement) {
        debug_assert!(self.allows(color, placement), "{color} {placement} is not legal");
        let cells = placement.cells();
        if self.is_first(color) {
            self.anchors[color] = Bitboard::EMPTY;
        }
        self.left[color].remove(placement.piece());
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
