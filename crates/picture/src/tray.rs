//! The remaining pieces as small pictures, each at its own place.

use game::{Piece, PieceSet, Shape};

/// Width of the tray in cells.
pub const WIDTH: usize = 32;

/// Height of the tray in cells.
pub const HEIGHT: usize = 8;

/// The pieces from left to right in bands of this height, with a row of empty cells between the bands.
const BANDS: [(usize, &[Piece]); 3] = {
    use Piece::*;
    [
        (3, &[PentoT, PentoV, PentoZ, PentoW, PentoR, PentoX, PentoP, PentoU]),
        (2, &[PentoL, PentoS, PentoY, TetroZ, TetroL, TetroT, TetroO, TrioL]),
        (1, &[PentoI, TetroI, TrioI, Domino, Mono]),
    ]
};

/// Returns the pieces with the cells, as column and row, that they cover in the tray.
///
/// ```
/// use picture::tray::{HEIGHT, WIDTH, pieces};
///
/// let cells: Vec<(usize, usize)> = pieces().flat_map(|(_, cells)| cells).collect();
/// assert_eq!(cells.len(), 89);
/// assert!(cells.iter().all(|&(x, y)| x < WIDTH && y < HEIGHT));
/// ```
pub fn pieces() -> impl Iterator<Item = (Piece, Vec<(usize, usize)>)> {
    let mut placed = Vec::with_capacity(Piece::COUNT);
    let mut top = 0;
    for (height, pieces) in BANDS {
        let mut left = 0;
        for &piece in pieces {
            let shape = Shape::all().find(|shape| shape.piece() == piece && shape.extent().1 as usize == height);
            let Some(shape) = shape else { continue };
            let cells = shape.cells().iter().map(|&(x, y)| (left + x as usize, top + y as usize)).collect();
            placed.push((piece, cells));
            left += shape.extent().0 as usize + 1;
        }
        top += height + 1;
    }
    placed.into_iter()
}

/// Returns the cells that the pieces of a set cover in the tray, by row and column.
pub(crate) fn cells(set: PieceSet) -> [[bool; WIDTH]; HEIGHT] {
    let mut tray = [[false; WIDTH]; HEIGHT];
    for (_, cells) in pieces().filter(|&(piece, _)| set.contains(piece)) {
        cells.into_iter().for_each(|(x, y)| tray[y][x] = true);
    }
    tray
}
