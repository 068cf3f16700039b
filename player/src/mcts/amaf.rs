//! The moves of a game for RAVE (all moves as first): the value of a move is also estimated from games in which its
//! colour played it later (S. Gelly, D. Silver, Combining online and offline knowledge in UCT, 2007).

use game::{ByColor, Color, Placement, Shape};

/// The placements of one game with their plies, by colour.
pub struct AmafMoves(ByColor<AmafMovesOfColor>);

/// The placements of one colour. It plays each shape at most once, so they fit into a small table by shape.
#[derive(Clone, Copy)]
pub struct AmafMovesOfColor([AmafEntry; SHAPES]);

/// A placement and its ply.
#[derive(Clone, Copy)]
struct AmafEntry {
    /// [`Placement::index`], or [`AmafEntry::NONE`].
    placement: u16,
    ply: u16,
}

impl AmafEntry {
    const NONE: u16 = u16::MAX;
}

/// Length of the tables, rounded up so that shapes of indices need no bounds check.
const SHAPES: usize = Shape::COUNT.next_power_of_two();

/// Returns the shape of a [`Placement::index`].
#[inline(always)]
fn shape(index: usize) -> usize {
    index / (Placement::INDEX_END / Shape::COUNT) % SHAPES
}

impl AmafMoves {
    /// Creates the table of a game.
    pub fn of(placements: &[(Color, Placement)]) -> Self {
        let none = AmafMovesOfColor([AmafEntry { placement: AmafEntry::NONE, ply: 0 }; SHAPES]);
        let mut moves = ByColor::from_fn(|_| none);
        for (ply, &(color, placement)) in (0..).zip(placements) {
            let index = placement.index();
            moves[color].0[shape(index)] = AmafEntry { placement: index as u16, ply };
        }
        Self(moves)
    }

    /// Returns the placements of one colour.
    #[inline(always)]
    pub fn of_color(&self, color: Color) -> &AmafMovesOfColor {
        &self.0[color]
    }
}

impl AmafMovesOfColor {
    /// Returns the ply of the placement with this [`Placement::index`], if it was played.
    #[inline(always)]
    pub fn ply(&self, index: usize) -> Option<usize> {
        let AmafEntry { placement, ply } = self.0[shape(index)];
        (usize::from(placement) == index).then_some(ply.into())
    }
}
