//! Moves.

use pyo3::prelude::*;

use crate::error::value_error;

/// A move: a placement such as `PENTO_W-LEFT@3,12`, or `PASS`.
///
/// Immutable and hashable. Texts of the same placement make equal moves.
#[pyclass(frozen, eq, hash, from_py_object, module = "blokus")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(pub game::Move);

#[pymethods]
impl Move {
    /// Reads the notation; ValueError names what cannot be read.
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        text.parse().map(Self).map_err(value_error)
    }

    /// The placement that covers exactly these cells, each `(x, y)`; ValueError if they are no piece.
    #[staticmethod]
    fn of_cells(cells: Vec<(i32, i32)>) -> PyResult<Self> {
        let mut covered = game::Bitboard::EMPTY;
        for (x, y) in cells {
            let outside = || value_error(format!("the cell ({x}, {y}) lies outside the board"));
            covered.insert(game::Cell::new(x, y).ok_or_else(outside)?);
        }
        let placement = game::Placement::from_cells(covered);
        placement
            .map(|placement| Self(placement.into()))
            .ok_or_else(|| value_error("the cells are not those of a piece"))
    }

    /// Returns `true` if this is the pass.
    #[getter]
    fn is_pass(&self) -> bool {
        self.0 == game::Move::Pass
    }

    /// The name of the piece, such as `PENTO_W`; None for a pass.
    #[getter]
    fn piece(&self) -> Option<&'static str> {
        self.0.placement().map(|placement| placement.piece().name())
    }

    /// The upper left `(x, y)` of the bounding box; None for a pass.
    #[getter]
    fn corner(&self) -> Option<(usize, usize)> {
        self.0.placement().map(|placement| xy(placement.corner()))
    }

    /// The covered cells, each `(x, y)`, row by row; empty for a pass.
    #[getter]
    fn cells(&self) -> Vec<(usize, usize)> {
        self.0.placement().map_or_else(Vec::new, |placement| placement.cells().into_iter().map(xy).collect())
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Move('{}')", self.0)
    }

    /// For pickle and copy.
    fn __getnewargs__(&self) -> (String,) {
        (self.0.to_string(),)
    }
}

/// Column and row of a cell.
pub fn xy(cell: game::Cell) -> (usize, usize) {
    (cell.x(), cell.y())
}
