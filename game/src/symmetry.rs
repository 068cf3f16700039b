//! The eight ways to turn and mirror the board.

use crate::bitboard::Bitboard;
use crate::cell::{BOARD_SIZE, Cell};
use crate::placement::Placement;
use crate::rules::Rules;

/// A way to turn or mirror the board so that it covers itself.
///
/// ```
/// use game::{Placement, Rules, Symmetry};
///
/// let placement: Placement = "PENTO_L-RIGHT@3,12".parse()?;
/// for symmetry in Rules::Season2027.symmetries() {
///     let image = symmetry.placement(placement);
///     assert_eq!(image.piece(), placement.piece());
///     assert_eq!(symmetry.inverse().placement(image), placement);
/// }
/// # Ok::<(), game::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Symmetry {
    /// `true` if columns become rows, after the mirroring below.
    transposes: bool,
    /// `true` if left and right change places.
    mirrors_x: bool,
    /// `true` if top and bottom change places.
    mirrors_y: bool,
}

impl Symmetry {
    /// All eight symmetries; the identity comes first.
    pub const ALL: [Self; 8] = {
        let mut all = [Self { transposes: false, mirrors_x: false, mirrors_y: false }; 8];
        let mut i = 0;
        while i < all.len() {
            all[i] = Self { transposes: i & 4 != 0, mirrors_x: i & 1 != 0, mirrors_y: i & 2 != 0 };
            i += 1;
        }
        all
    };

    /// Returns the inverse symmetry.
    pub const fn inverse(self) -> Self {
        let Self { transposes, mirrors_x, mirrors_y } = self;
        // A transposition before the mirrors is one after them if these change places.
        if transposes { Self { transposes, mirrors_x: mirrors_y, mirrors_y: mirrors_x } } else { self }
    }

    /// Returns the image of a cell.
    ///
    /// # Panics
    /// If the cell is a guard bit of a shifted set; [`cells`](Self::cells) ignores guard bits.
    pub fn cell(self, cell: Cell) -> Cell {
        let last = BOARD_SIZE - 1;
        let (x, y) = (cell.x(), cell.y());
        let x = if self.mirrors_x { last - x } else { x };
        let y = if self.mirrors_y { last - y } else { y };
        let (x, y) = if self.transposes { (y, x) } else { (x, y) };
        Cell::new(x as i32, y as i32).expect("a symmetry leads from cells to cells")
    }

    /// Returns the image of a set of cells, without guard bits.
    pub fn cells(self, cells: Bitboard) -> Bitboard {
        (cells & Bitboard::BOARD).iter().map(|cell| self.cell(cell)).collect()
    }

    /// Returns the image of a placement.
    pub fn placement(self, placement: Placement) -> Placement {
        Placement::from_cells(self.cells(placement.cells())).expect("the mirror image of a piece is that piece")
    }
}

impl Rules {
    /// Returns the symmetries under which the rules stay the same: all eight in the seasons, where the colours share
    /// their start cells, and only the identity where each colour has a corner of its own.
    pub fn symmetries(self) -> impl Iterator<Item = Symmetry> {
        let count = match self {
            Self::Season2021 | Self::Season2027 => Symmetry::ALL.len(),
            Self::Classic | Self::FourPlayers => 1,
        };
        Symmetry::ALL.into_iter().take(count)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::Color;

    #[test]
    fn eight_symmetries_differ_and_have_inverses() {
        let cell = Cell::new(3, 1).unwrap();
        let images: HashSet<Cell> = Symmetry::ALL.into_iter().map(|symmetry| symmetry.cell(cell)).collect();
        assert_eq!(images.len(), 8);
        assert_eq!(Symmetry::ALL[0].cell(cell), cell);
        for symmetry in Symmetry::ALL {
            assert_eq!(symmetry.inverse().cell(symmetry.cell(cell)), cell, "{symmetry:?}");
            assert_eq!(symmetry.inverse().inverse(), symmetry);
        }
    }

    #[test]
    fn every_placement_has_images() {
        for placement in Placement::all() {
            for symmetry in Symmetry::ALL {
                let image = symmetry.placement(placement);
                assert_eq!(image.cells(), symmetry.cells(placement.cells()));
            }
        }
    }

    #[test]
    fn cells_beside_the_board_have_no_images() {
        for placement in Placement::all().filter(|placement| placement.piece().size() == 1) {
            let sides = placement.sides();
            for symmetry in Symmetry::ALL {
                assert_eq!(symmetry.cells(sides), symmetry.cells(sides & Bitboard::BOARD));
            }
            assert_eq!(format!("{sides:?}"), format!("{:?}", sides & Bitboard::BOARD));
            assert_eq!(Placement::from_cells(sides.without(Bitboard::BOARD)), None);
        }
    }

    #[test]
    fn symmetries_keep_start_cells() {
        for &rules in Rules::ALL {
            let is_kept = |symmetry: &Symmetry| {
                Color::ALL.map(|color| rules.start_cells(color)).iter().all(|&cells| symmetry.cells(cells) == cells)
            };
            assert!(Symmetry::ALL.into_iter().filter(is_kept).eq(rules.symmetries()));
        }
    }
}
