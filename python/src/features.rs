//! Positions and moves as numbers, to learn from: what a network sees, and which of its outputs are legal moves.

use game::{BOARD_SIZE, Cell, Color, Move, Piece, Placement};
use player::model::policy_net::{PLANES, PolicyInputs};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::mv::Move as PyMove;
use crate::position::{Position, read};

/// Cells of the board.
pub const CELLS: usize = BOARD_SIZE * BOARD_SIZE;

/// The number of the pass; below it are the numbers of placements.
const PASS: usize = Placement::INDEX_END;

/// The number of a cell, counted row by row.
pub fn number(cell: Cell) -> usize {
    cell.y() * BOARD_SIZE + cell.x()
}

/// How many numbers of moves there are.
#[pyfunction]
pub fn action_count() -> usize {
    PASS + 1
}

/// The number of a move.
#[pyfunction]
pub fn action_of(mv: PyMove) -> usize {
    mv.0.placement().map_or(PASS, Placement::index)
}

/// The move with a number; None for the numbers that stand for no move.
#[pyfunction]
pub fn move_of(action: usize) -> Option<PyMove> {
    let mv = if action == PASS { Some(Move::Pass) } else { Placement::from_index(action).map(Move::Place) };
    mv.map(PyMove)
}

/// A byte for each number of a move: 1 if it is legal.
#[pyfunction]
pub fn legal_mask<'py>(py: Python<'py>, position: &Position) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, PASS + 1, |mask| {
        position.0.legal_moves().into_iter().for_each(|mv| mask[action_of(PyMove(mv))] = 1);
        Ok(())
    })
}

/// The planes that a colour sees, a byte for each cell.
#[pyfunction]
pub fn planes<'py>(py: Python<'py>, position: &Position, color: &str) -> PyResult<Bound<'py, PyBytes>> {
    let inputs = inputs(position, read(color)?);
    PyBytes::new_with(py, PLANES * CELLS, |bytes| {
        for (bytes, plane) in bytes.chunks_exact_mut(CELLS).zip(inputs.planes) {
            plane.into_iter().for_each(|cell| bytes[number(cell)] = 1);
        }
        Ok(())
    })
}

/// A byte for each piece of each colour from the given one on: 1 if it is in hand.
#[pyfunction]
pub fn hands<'py>(py: Python<'py>, position: &Position, color: &str) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, &hand_bytes(&inputs(position, read(color)?))))
}

/// What a network is told of the hands.
pub fn hand_bytes(inputs: &PolicyInputs) -> Vec<u8> {
    inputs.remaining.iter().flat_map(|hand| Piece::ALL.map(|piece| u8::from(hand.contains(piece)))).collect()
}

fn inputs(position: &Position, color: Color) -> PolicyInputs {
    PolicyInputs::of(position.0.board(), position.0.in_play(), color, position.0.turn())
}
