//! Self-play positions as arrays of numbers.

use std::path::{Path, PathBuf};

use game::{BOARD_SIZE, Bitboard, Cell, Placement, Position, Rules, Shape};
use player::model::Model;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use record::selfplay::{SelfPlayGame, ShardError, ShardReader};

use crate::error::value_error;
use crate::features::{CELLS, inputs, number, remaining_bytes};

/// Marks an absent cell in the table of placements.
const NO_CELL: u16 = CELLS as u16;

/// Maximum number of cells of a placement.
const MAX_CELLS: usize = 5;

/// Arrays of consecutive positions; the Python class `Positions` describes them. Colours count from the one to move.
#[derive(Default)]
struct Arrays {
    /// A bit per cell, row by row.
    planes: Vec<u8>,
    remaining_pieces: Vec<u8>,
    rules: Vec<u8>,
    turn: Vec<u8>,
    game: Vec<u32>,
    final_margin: Vec<i16>,
    win: Vec<f32>,
    expected_margin: Vec<f32>,
    ownership: Vec<u8>,
    moves_start: Vec<u32>,
    moves: Vec<u16>,
    visits: Vec<u16>,
    prior: Vec<f32>,
}

impl Arrays {
    /// Adds the positions after the last random move of a game.
    fn add(&mut self, game: &SelfPlayGame, positions: &[Position]) {
        let model = Model::built_in();
        let Some((end, positions)) = positions.split_last() else { return };
        for (position, ply) in positions.iter().zip(&game.plies).skip(game.first_usable_ply()) {
            let colors = position.color().turn_order();
            let board = position.board();
            let inputs = inputs(position, position.color());
            inputs.planes.into_iter().for_each(|plane| self.add_plane(plane));
            self.remaining_pieces.extend(remaining_bytes(position, position.color()));
            self.rules.push(position.rules() as u8);
            self.turn.push(position.turn() as u8);
            self.game.push(game.number);
            self.final_margin.push(end.margin(position.color().team()) as i16);
            self.win
                .push(ply.evaluation.map_or(f32::NAN, |evaluation| f32::from(evaluation.win) / f32::from(u16::MAX)));
            self.expected_margin
                .push(ply.evaluation.map_or(f32::NAN, |evaluation| f32::from(evaluation.margin) / 10.0));
            let owner = |cell| colors.iter().position(|&color| end.board().covered(color).contains(cell));
            self.ownership.extend(cells().map(|cell| owner(cell).map_or(0, |number| number as u8 + 1)));
            if self.moves_start.is_empty() {
                self.moves_start.push(0);
            }
            if !ply.visits.is_empty() {
                let placements = board.placements(position.color());
                let scorer = model.prior.scorer(board, position.color());
                for placement in placements {
                    self.prior.push(scorer.score(placement));
                    let visits = ply.visits.iter().find(|&&(visited, _)| visited == placement);
                    self.moves.push(placement.index() as u16);
                    self.visits.push(visits.map_or(0, |&(_, count)| count));
                }
            }
            self.moves_start.push(self.moves.len() as u32);
        }
    }

    /// Adds a bit per cell, the first cell in the highest bit of the first byte.
    fn add_plane(&mut self, plane: Bitboard) {
        let start = self.planes.len();
        self.planes.resize(start + CELLS / 8, 0);
        for cell in plane {
            let number = number(cell);
            self.planes[start + number / 8] |= 0x80 >> (number % 8);
        }
    }
}

/// Returns the cells row by row.
fn cells() -> impl Iterator<Item = Cell> {
    (0..CELLS).filter_map(|number| Cell::new((number % BOARD_SIZE) as i32, (number / BOARD_SIZE) as i32))
}

/// Returns numbers as little-endian bytes.
fn bytes<'py, const N: usize, T: Copy>(
    py: Python<'py>,
    numbers: &[T],
    of: impl Fn(T) -> [u8; N],
) -> Bound<'py, PyBytes> {
    let all: Vec<u8> = numbers.iter().flat_map(|&number| of(number)).collect();
    PyBytes::new(py, &all)
}

/// Returns the header of a self-play file as JSON, and the arrays of its positions as bytes by name.
#[pyfunction]
pub fn read_positions(py: Python<'_>, path: PathBuf) -> PyResult<(String, Bound<'_, PyDict>)> {
    let (header, arrays) = py.detach(|| read(&path)).map_err(shard_error)?;
    let dict = PyDict::new(py);
    dict.set_item("planes", PyBytes::new(py, &arrays.planes))?;
    dict.set_item("remaining_pieces", PyBytes::new(py, &arrays.remaining_pieces))?;
    dict.set_item("rules", PyBytes::new(py, &arrays.rules))?;
    dict.set_item("turn", PyBytes::new(py, &arrays.turn))?;
    dict.set_item("game", bytes(py, &arrays.game, u32::to_le_bytes))?;
    dict.set_item("final_margin", bytes(py, &arrays.final_margin, i16::to_le_bytes))?;
    dict.set_item("win", bytes(py, &arrays.win, f32::to_le_bytes))?;
    dict.set_item("expected_margin", bytes(py, &arrays.expected_margin, f32::to_le_bytes))?;
    dict.set_item("ownership", PyBytes::new(py, &arrays.ownership))?;
    dict.set_item("moves_start", bytes(py, &arrays.moves_start, u32::to_le_bytes))?;
    dict.set_item("moves", bytes(py, &arrays.moves, u16::to_le_bytes))?;
    dict.set_item("visits", bytes(py, &arrays.visits, u16::to_le_bytes))?;
    dict.set_item("prior", bytes(py, &arrays.prior, f32::to_le_bytes))?;
    Ok((header, dict))
}

fn read(path: &Path) -> Result<(String, Arrays), ShardError> {
    let reader = ShardReader::open(path)?;
    let unreadable = |error| ShardError::unusable(path, format!("has an unreadable header: {error}"));
    let header = serde_json::to_string(&reader.header).map_err(unreadable)?;
    let mut arrays = Arrays::default();
    for game in reader {
        let (game, positions) = game?;
        arrays.add(&game, &positions);
    }
    if arrays.moves_start.is_empty() {
        arrays.moves_start.push(0);
    }
    Ok((header, arrays))
}

/// Converts an error: OSError if the file cannot be read, ValueError otherwise.
fn shard_error(error: ShardError) -> PyErr {
    match error {
        ShardError::Io { .. } => PyOSError::new_err(error.to_string()),
        _ => value_error(error),
    }
}

/// Returns five cells per number of a placement, padded with 400.
#[pyfunction]
pub fn placement_cells(py: Python<'_>) -> Bound<'_, PyBytes> {
    let mut table = vec![NO_CELL; Placement::INDEX_END * MAX_CELLS];
    for (row, index) in table.chunks_exact_mut(MAX_CELLS).zip(0..) {
        if let Some(placement) = Placement::from_index(index) {
            row.iter_mut().zip(placement.cells()).for_each(|(entry, cell)| *entry = number(cell) as u16);
        }
    }
    bytes(py, &table, u16::to_le_bytes)
}

/// Returns the names of the rules in the order of their numbers.
#[pyfunction]
pub fn rules_names() -> Vec<&'static str> {
    Rules::ALL.iter().map(|rules| rules.name()).collect()
}

/// Returns the number of the piece of each shape.
#[pyfunction]
pub fn shape_pieces() -> Vec<usize> {
    Shape::all().map(|shape| shape.piece() as usize).collect()
}
