//! Positions and moves as numbers: input planes of networks, and numbers of moves.

use game::{BOARD_SIZE, Cell, Color, Move, Piece, Placement};
use player::model::policy_net::{PLANES, PolicyInputs};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::mv::Move as PyMove;
use crate::position::{Position, read};

/// Number of cells.
pub const CELLS: usize = BOARD_SIZE * BOARD_SIZE;

/// Number of the pass; placements have smaller numbers.
pub const PASS: usize = Placement::INDEX_END;

/// Returns the number of a cell, row by row.
pub fn number(cell: Cell) -> usize {
    cell.y() * BOARD_SIZE + cell.x()
}

/// Returns the number of actions.
#[pyfunction]
pub fn action_count() -> usize {
    PASS + 1
}

/// Returns the number of a move.
#[pyfunction]
pub fn action_of(mv: PyMove) -> usize {
    mv.0.placement().map_or(PASS, Placement::index)
}

/// Returns the move with a number, None if there is none.
#[pyfunction]
pub fn move_of(action: usize) -> Option<PyMove> {
    let mv = if action == PASS { Some(Move::Pass) } else { Placement::from_index(action).map(Move::Place) };
    mv.map(PyMove)
}

/// Returns a byte per action: 1 if it is legal.
#[pyfunction]
pub fn legal_mask<'py>(py: Python<'py>, position: &Position) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, PASS + 1, |mask| {
        position.0.legal_moves().into_iter().for_each(|mv| mask[action_of(PyMove(mv))] = 1);
        Ok(())
    })
}

/// Returns the planes from the view of a colour, a byte per cell.
#[pyfunction]
pub fn planes<'py>(py: Python<'py>, position: &Position, color: &str) -> PyResult<Bound<'py, PyBytes>> {
    let inputs = inputs(&position.0, read(color)?);
    PyBytes::new_with(py, PLANES * CELLS, |bytes| {
        write_planes(&inputs, bytes);
        Ok(())
    })
}

/// Sets the bytes of the cells in each plane to 1.
pub fn write_planes(inputs: &PolicyInputs, bytes: &mut [u8]) {
    for (bytes, plane) in bytes.chunks_exact_mut(CELLS).zip(inputs.planes) {
        plane.into_iter().for_each(|cell| bytes[number(cell)] = 1);
    }
}

/// Returns a byte per piece of each colour, the given one first: 1 if it remains.
#[pyfunction]
pub fn remaining_pieces<'py>(py: Python<'py>, position: &Position, color: &str) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, &remaining_bytes(&position.0, read(color)?)))
}

/// Returns the remaining pieces as bytes of 0 and 1.
pub fn remaining_bytes(position: &game::Position, color: Color) -> Vec<u8> {
    let sets = color.turn_order().into_iter().map(|color| position.board().remaining_pieces(color));
    sets.flat_map(|pieces| Piece::ALL.map(|piece| u8::from(pieces.contains(piece)))).collect()
}

/// Returns the inputs of the networks from the view of a colour.
pub fn inputs(position: &game::Position, color: Color) -> PolicyInputs {
    PolicyInputs::of(position.board(), position.in_play(), color, position.turn())
}
