//! Tables of the pieces, for clients that draw and turn them.

use std::collections::BTreeMap;

use game::{Piece, Rotation, Shape};
use serde::Serialize;

/// All pieces and their orientations, in JSON
/// `{"pieces":[{"name":"DOMINO","size":2,"orientations":["DOMINO","DOMINO-RIGHT",…]},…],
/// "shapes":{"DOMINO":[[0,0],[1,0]],…}}`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Shapes {
    /// The pieces, the smallest first.
    pub pieces: Vec<PieceShapes>,
    /// The cells of every shape as (x, y) from the upper left of its bounding box.
    pub shapes: BTreeMap<String, Vec<(i8, i8)>>,
}

/// The orientations of a piece.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PieceShapes {
    /// The piece.
    pub name: Piece,
    /// Number of cells.
    pub size: usize,
    /// Its eight orientations as names of shapes: turned clockwise by 0 to 3 quarters, then the same mirrored from left
    /// to right afterwards. Orientations that look the same have one name.
    pub orientations: Vec<String>,
}

/// Returns the tables.
pub fn shapes() -> Shapes {
    let orientations = |piece| {
        let turned = move |flipped| Rotation::ALL.map(|rotation| Shape::new(piece, rotation, flipped).to_string());
        [false, true].into_iter().flat_map(turned).collect()
    };
    let of_piece = |piece: Piece| PieceShapes { name: piece, size: piece.size(), orientations: orientations(piece) };
    Shapes {
        pieces: Piece::ALL.map(of_piece).into(),
        shapes: Shape::all().map(|shape| (shape.to_string(), shape.cells().to_vec())).collect(),
    }
}
