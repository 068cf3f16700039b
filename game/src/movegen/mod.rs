//! Move generation, shape by shape and anchor by anchor; see [`Board`].

mod anchors;
mod shapes;

use std::ops::ControlFlow;

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::color::Color;
use crate::piece::PieceSet;
use crate::placement::Placement;
use crate::shape::Shape;
pub use anchors::Fits;
use anchors::visit_anchors;
use shapes::visit_shapes;

impl Board {
    /// Calls `visit` with the legal placements of a colour, shape by shape, until it breaks. Shapes that cannot be
    /// placed are left out.
    #[inline]
    pub fn visit_placements<B>(
        &self,
        color: Color,
        mut visit: impl FnMut(ShapePlacements) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        visit_shapes(self.open(color), self.anchors(color), self.playable(color), |shape, roots| {
            visit(ShapePlacements { shape, roots })
        })
    }

    /// Returns the legal placements of a colour, in the order of [`list_placements`](Self::list_placements). Ignores
    /// turns and the end of the game; see [`Position::placements`](crate::Position::placements).
    ///
    /// ```
    /// use game::{Color, Position, Rules};
    ///
    /// let position = Position::new(Rules::Classic, None)?;
    /// let placements = position.board().placements(Color::Blue);
    /// assert_eq!(placements.len(), position.board().count_placements(Color::Blue));
    /// # Ok::<(), game::SetupError>(())
    /// ```
    pub fn placements(&self, color: Color) -> Vec<Placement> {
        let mut list = Vec::new();
        self.list_placements(color, &mut list);
        list
    }

    /// Appends the legal placements of a colour to a list, each once and always in the same order: as its first piece
    /// shape by shape, each row by row; later by the first anchor that they cover, row by row, and then by piece, the
    /// smallest first.
    pub fn list_placements(&self, color: Color, list: &mut Vec<Placement>) {
        let _: ControlFlow<()> = self.visit_groups(color, |group| {
            group.append_to(list);
            ControlFlow::Continue(())
        });
    }

    /// Appends the placements of `pieces` within the open cells of a colour that cover a cell of `anchors`, whether the
    /// colour may go there yet or not.
    #[doc(hidden)]
    pub fn list_fitting(&self, color: Color, anchors: Bitboard, pieces: PieceSet, list: &mut Vec<Placement>) {
        let _: ControlFlow<()> = visit_shapes(self.open(color), anchors, pieces, |shape, roots| {
            list.extend(ShapePlacements { shape, roots }.iter());
            ControlFlow::Continue(())
        });
    }

    /// Returns the number of legal placements of a colour.
    pub fn count_placements(&self, color: Color) -> usize {
        let mut count = 0;
        let _: ControlFlow<()> = self.visit_groups(color, |group| {
            count += group.len();
            ControlFlow::Continue(())
        });
        count
    }

    /// Returns `true` if a colour has a legal placement.
    pub fn has_placement(&self, color: Color) -> bool {
        if self.is_first(color) {
            // Mostly the first start cell has room, which beats the work on whole sets.
            let playable = self.playable(color);
            return self.anchors(color).into_iter().any(|start| {
                let diamond = self.diamond(color, start);
                playable.iter().any(|piece| diamond.placements_of(piece).next().is_some())
            });
        }
        let some = |fits: Fits| if fits.is_empty() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        visit_anchors(self, color, some).is_break()
    }

    /// Returns the placement at index `n` in the order of [`list_placements`](Self::list_placements), without a list. A
    /// random `n` below [`count_placements`](Self::count_placements) draws a placement.
    ///
    /// ```
    /// use game::{Color, Position, Rules};
    ///
    /// let position = Position::new(Rules::Classic, None)?;
    /// let (board, placements) = (position.board(), position.board().placements(Color::Blue));
    /// assert_eq!(board.nth_placement(Color::Blue, 7), Some(placements[7]));
    /// assert_eq!(board.nth_placement(Color::Blue, placements.len()), None);
    /// # Ok::<(), game::SetupError>(())
    /// ```
    pub fn nth_placement(&self, color: Color, mut n: usize) -> Option<Placement> {
        let found = self.visit_groups(color, |group| match group.nth(n) {
            Some(placement) => ControlFlow::Break(placement),
            None => {
                n -= group.len();
                ControlFlow::Continue(())
            }
        });
        found.break_value()
    }

    /// Calls `visit` with the legal placements of a colour in groups, until it breaks.
    #[inline(always)]
    fn visit_groups<B>(&self, color: Color, mut visit: impl FnMut(Group) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.is_first(color) {
            self.visit_placements(color, |placements| visit(Group::Shape(placements)))
        } else {
            visit_anchors(self, color, |fits| visit(Group::Anchor(fits)))
        }
    }
}

/// Placements of one shape.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use game::{Color, Position, Rules};
///
/// let position = Position::new(Rules::Classic, None)?;
/// let mut count = 0;
/// let _: ControlFlow<()> = position.board().visit_placements(Color::Blue, |placements| {
///     assert!(placements.iter().all(|placement| placement.shape() == placements.shape()));
///     count += placements.len();
///     ControlFlow::Continue(())
/// });
/// assert_eq!(count, 58);
/// # Ok::<(), game::SetupError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ShapePlacements {
    shape: Shape,
    /// The cells of the shape's root.
    roots: Bitboard,
}

impl ShapePlacements {
    /// Returns the shape.
    pub fn shape(self) -> Shape {
        self.shape
    }

    /// Returns `true` if there is none.
    pub fn is_empty(self) -> bool {
        self.roots.is_empty()
    }

    /// Returns the number of placements.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.roots.len()
    }

    /// Returns the placements, row by row.
    #[inline(always)]
    pub fn iter(self) -> impl Iterator<Item = Placement> {
        self.roots.iter().map(move |root| Placement::new(self.shape, root))
    }
}

/// Some placements.
enum Group {
    /// Placements of one shape.
    Shape(ShapePlacements),
    /// Those that cover an anchor.
    Anchor(Fits),
}

impl Group {
    #[inline(always)]
    fn len(&self) -> usize {
        match self {
            Self::Shape(placements) => placements.len(),
            Self::Anchor(fits) => fits.len(),
        }
    }

    #[inline(always)]
    fn nth(&self, n: usize) -> Option<Placement> {
        match self {
            Self::Shape(ShapePlacements { shape, roots }) => roots.nth(n).map(|root| Placement::new(*shape, root)),
            Self::Anchor(fits) => fits.nth(n),
        }
    }

    #[inline(always)]
    fn append_to(&self, list: &mut Vec<Placement>) {
        match self {
            Self::Shape(placements) => list.extend(placements.iter()),
            Self::Anchor(fits) => fits.append_to(list),
        }
    }
}
