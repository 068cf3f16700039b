//! Placements shape by shape: for every shape the set of cells where its root may go.
//!
//! A shape with its root at r is legal when all its cells are open and one of them is an anchor. With `x >> k` for a
//! set moved towards lower bits, that is for all r at once
//!
//! ```text
//! fits = AND over the offsets k of the shape of (open    >> k)
//! hits = OR  over the offsets k of the shape of (anchors >> k)
//! legal roots = fits & hits
//! ```
//!
//! Few offsets occur in all shapes ([`OFFSET_COUNT`]), so the moved sets are made once. And because every shape but the
//! monomino is another shape with one cell added, the shapes form a tree in which a child costs one AND and one OR more
//! than its parent. [`NODES`] is that tree in depth-first order.

use std::ops::ControlFlow;

use crate::bitboard::Bitboard;
use crate::piece::{MAX_PIECE_SIZE, Piece, PieceSet};
use crate::shape::Shape;

/// The offsets, in bits from the root, of all cells of all shapes.
const OFFSETS: [u8; OFFSET_COUNT] = {
    let (mut offsets, mut count) = ([0; OFFSET_COUNT], 0);
    let mut rest = ALL_OFFSETS;
    while rest != 0 {
        offsets[count] = rest.trailing_zeros() as u8;
        count += 1;
        rest &= rest - 1;
    }
    offsets
};

const OFFSET_COUNT: usize = ALL_OFFSETS.count_ones() as usize;

/// The offsets of all shapes as one set of bits.
const ALL_OFFSETS: u128 = {
    let (mut all, mut shape) = (0, 0);
    while shape < Shape::COUNT {
        all |= Shape::from_index(shape).offsets();
        shape += 1;
    }
    all
};

/// Sizes from 0 to the largest piece, rounded up so that indices need no bounds check.
const LEVELS: usize = (MAX_PIECE_SIZE + 1).next_power_of_two();

/// A shape in the tree of shapes.
#[derive(Clone, Copy)]
struct ShapeNode {
    shape: Shape,
    piece: Piece,
    /// Number of cells; the parent is the last node before this one with one cell less.
    size: u8,
    /// The cell that the shape has more than its parent, as an index into [`OFFSETS`].
    added: u8,
    /// The pieces of this shape and of all its descendants.
    pieces: PieceSet,
    /// Index of the first node after the descendants.
    next: u8,
}

static NODES: [ShapeNode; Shape::COUNT] = {
    let root = ShapeNode {
        shape: Shape::from_index(0),
        piece: Piece::Mono,
        size: 1,
        added: 0,
        pieces: PieceSet::EMPTY,
        next: 0,
    };
    let mut nodes = [root; Shape::COUNT];
    assert!(grow(&mut nodes, 0, root) == Shape::COUNT);
    nodes
};

/// Writes a node and its descendants from `at` on. Returns the index after the last.
const fn grow(nodes: &mut [ShapeNode; Shape::COUNT], at: usize, mut node: ShapeNode) -> usize {
    node.pieces = PieceSet::only(node.piece);
    let mut end = at + 1;
    let mut child = 0;
    while child < Shape::COUNT {
        let shape = Shape::from_index(child);
        if shape.piece().size() == node.size as usize + 1 {
            let (parent, added) = PARENTS[child];
            if parent.index() == node.shape.index() {
                let first = end;
                let size = node.size + 1;
                end = grow(nodes, first, ShapeNode { shape, piece: shape.piece(), size, added, ..node });
                node.pieces = node.pieces.union(nodes[first].pieces);
            }
        }
        child += 1;
    }
    node.next = end as u8;
    nodes[at] = node;
    end
}

/// Every shape's parent, the shape that remains when a cell other than the root is taken away, and the index of that
/// cell's offset. (A polyomino has at least two cells without which it is still connected.) The monomino has none and
/// stands for itself.
const PARENTS: [(Shape, u8); Shape::COUNT] = {
    let mut parents = [(Shape::from_index(0), 0); Shape::COUNT];
    let mut child = 1;
    while child < Shape::COUNT {
        parents[child] = without_one_cell(Shape::from_index(child).offsets());
        child += 1;
    }
    parents
};

const fn without_one_cell(offsets: u128) -> (Shape, u8) {
    let mut i = 1;
    while i < OFFSET_COUNT {
        let rest = offsets & !(1 << OFFSETS[i]);
        let mut parent = 0;
        while rest != offsets && parent < Shape::COUNT {
            let shape = Shape::from_index(parent);
            if shape.offsets() == rest {
                return (shape, i as u8);
            }
            parent += 1;
        }
        i += 1;
    }
    panic!("every shape grows from a smaller one")
}

/// Returns `set >> offset` for every offset of [`OFFSETS`], spelled out so that every shift is by a constant;
/// the compiler counts them.
#[inline(always)]
fn moved(set: Bitboard) -> [Bitboard; OFFSET_COUNT] {
    macro_rules! all {
        ($($i:literal)*) => { [$(set.shr::<{ OFFSETS[$i] as usize }>()),*] };
    }
    all!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20)
}

/// Calls `visit` with every shape of `pieces` that fits into `open` and covers a cell of `anchors`, and its possible
/// roots.
#[inline(always)]
pub(super) fn visit_shapes<B>(
    open: Bitboard,
    anchors: Bitboard,
    pieces: PieceSet,
    mut visit: impl FnMut(Shape, Bitboard) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let (open, anchors) = (moved(open), moved(anchors));
    let mut fits = [Bitboard::BOARD; LEVELS];
    let mut hits = [Bitboard::EMPTY; LEVELS];
    let mut at = 0;
    while at < Shape::COUNT {
        let node = &NODES[at];
        if node.pieces.intersection(pieces).is_empty() {
            at = node.next as usize;
            continue;
        }
        let (size, added) = (node.size as usize % LEVELS, node.added as usize);
        fits[size] = fits[(size - 1) % LEVELS] & open[added];
        hits[size] = hits[(size - 1) % LEVELS] | anchors[added];
        if pieces.contains(node.piece) {
            let roots = fits[size] & hits[size];
            if !roots.is_empty() {
                visit(node.shape, roots)?;
            }
        }
        at += 1;
    }
    ControlFlow::Continue(())
}
