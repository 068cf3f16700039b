//! Layout of a picture by the available room.

use crate::{ColorDepth, tray};

/// Layout of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoardLayout {
    /// Four columns and two rows for a cell, with labels.
    Large,
    /// Two columns and a row for a cell, with labels.
    Medium,
    /// A column and half a row for a cell, or, without colours, a column and a row.
    Small,
    /// Not drawn.
    None,
}

/// Layout of the remaining pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trays {
    /// Two columns and a row for a cell.
    Large,
    /// A column and half a row for a cell.
    Small,
    /// As names.
    Named,
    /// Not drawn.
    None,
}

impl BoardLayout {
    /// Columns and rows, labels included.
    pub const fn size(self, depth: ColorDepth) -> (usize, usize) {
        match (self, depth) {
            (Self::Large, _) => (83, 41),
            (Self::Medium, _) => (43, 21),
            (Self::Small, ColorDepth::None) => (20, 20),
            (Self::Small, _) => (20, 10),
            (Self::None, _) => (0, 0),
        }
    }
}

impl Trays {
    /// Columns and rows, with a line above each of the four and one above them all.
    pub const fn size(self) -> (usize, usize) {
        match self {
            Self::Large => (2 * tray::WIDTH, 1 + 4 * (1 + tray::HEIGHT)),
            Self::Small => (tray::WIDTH, 1 + 4 * (1 + tray::HEIGHT / 2)),
            Self::Named => (tray::WIDTH, 1 + 4 * 5),
            Self::None => (0, 0),
        }
    }
}

/// The columns between board and trays.
pub const GAP: usize = 3;

/// Chooses the largest board that fits, then the largest trays next to it.
pub fn choose(columns: usize, rows: usize, depth: ColorDepth) -> (BoardLayout, Trays) {
    let fits = |&(board, trays): &(BoardLayout, Trays)| {
        let ((board_columns, board_rows), (trays_columns, trays_rows)) = (board.size(depth), trays.size());
        let gap = if trays == Trays::None { 0 } else { GAP };
        board_columns + gap + trays_columns <= columns && board_rows.max(trays_rows) <= rows
    };
    let candidates: &[(BoardLayout, Trays)] = match depth {
        ColorDepth::None => &[
            (BoardLayout::Medium, Trays::Named),
            (BoardLayout::Medium, Trays::None),
            (BoardLayout::Small, Trays::None),
        ],
        _ => &[
            (BoardLayout::Large, Trays::Large),
            (BoardLayout::Large, Trays::Small),
            (BoardLayout::Medium, Trays::Large),
            (BoardLayout::Medium, Trays::Small),
            (BoardLayout::Medium, Trays::None),
            (BoardLayout::Small, Trays::None),
        ],
    };
    candidates.iter().copied().find(fits).unwrap_or((BoardLayout::None, Trays::None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn board_uses_available_space() {
        use ColorDepth::{Ansi256, None};
        for (columns, rows, depth, board, trays) in [
            (80, 24, None, BoardLayout::Medium, Trays::Named),
            (200, 60, None, BoardLayout::Medium, Trays::Named),
            (60, 24, None, BoardLayout::Medium, Trays::None),
            (40, 24, None, BoardLayout::Small, Trays::None),
            (19, 24, None, BoardLayout::None, Trays::None),
            (80, 24, Ansi256, BoardLayout::Medium, Trays::Small),
            (120, 40, Ansi256, BoardLayout::Medium, Trays::Large),
            (120, 50, Ansi256, BoardLayout::Large, Trays::Small),
            (160, 50, Ansi256, BoardLayout::Large, Trays::Large),
            (79, 15, Ansi256, BoardLayout::Small, Trays::None),
            (79, 9, Ansi256, BoardLayout::None, Trays::None),
        ] {
            assert_eq!(choose(columns, rows, depth), (board, trays), "{columns} x {rows} {depth:?}");
        }
    }
}
