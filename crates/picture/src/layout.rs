//! Layout of a picture by the available room.

use crate::{ColorDepth, tray};

/// Size of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Board {
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
pub enum Hands {
    /// Two columns and a row for a cell.
    Large,
    /// A column and half a row for a cell.
    Small,
    /// As names.
    Named,
    /// Not drawn.
    None,
}

impl Board {
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

impl Hands {
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

/// The columns between board and hands.
pub const GAP: usize = 3;

/// Chooses the largest board that fits, then the largest hands next to it.
pub fn choose(columns: usize, rows: usize, depth: ColorDepth) -> (Board, Hands) {
    let fits = |&(board, hands): &(Board, Hands)| {
        let ((board_columns, board_rows), (hands_columns, hands_rows)) = (board.size(depth), hands.size());
        let gap = if hands == Hands::None { 0 } else { GAP };
        board_columns + gap + hands_columns <= columns && board_rows.max(hands_rows) <= rows
    };
    let candidates: &[(Board, Hands)] = match depth {
        ColorDepth::None => &[(Board::Medium, Hands::Named), (Board::Medium, Hands::None), (Board::Small, Hands::None)],
        _ => &[
            (Board::Large, Hands::Large),
            (Board::Large, Hands::Small),
            (Board::Medium, Hands::Large),
            (Board::Medium, Hands::Small),
            (Board::Medium, Hands::None),
            (Board::Small, Hands::None),
        ],
    };
    candidates.iter().copied().find(fits).unwrap_or((Board::None, Hands::None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn board_uses_available_space() {
        use ColorDepth::{Ansi256, None};
        for (columns, rows, depth, board, hands) in [
            (80, 24, None, Board::Medium, Hands::Named),
            (200, 60, None, Board::Medium, Hands::Named),
            (60, 24, None, Board::Medium, Hands::None),
            (40, 24, None, Board::Small, Hands::None),
            (19, 24, None, Board::None, Hands::None),
            (80, 24, Ansi256, Board::Medium, Hands::Small),
            (120, 40, Ansi256, Board::Medium, Hands::Large),
            (120, 50, Ansi256, Board::Large, Hands::Small),
            (160, 50, Ansi256, Board::Large, Hands::Large),
            (79, 15, Ansi256, Board::Small, Hands::None),
            (79, 9, Ansi256, Board::None, Hands::None),
        ] {
            assert_eq!(choose(columns, rows, depth), (board, hands), "{columns} x {rows} {depth:?}");
        }
    }
}
