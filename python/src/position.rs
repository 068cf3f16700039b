//! Positions.

use std::str::FromStr;

use game::{BOARD_SIZE, Color, Piece, Rules, Team};
use picture::svg::Svg;
use player::model::Model;
use player::model::value_net::PositionFeatures;
use pyo3::prelude::*;

use crate::analysis::{self, Analysis};
use crate::error::{IllegalMove, value_error};
use crate::mv::{Move, xy};

/// A position of a game: the board, whose turn it is, and who is still in play.
///
/// Immutable and hashable.
#[pyclass(frozen, eq, from_py_object, module = "blokus")]
#[derive(Clone, PartialEq)]
pub struct Position(pub Box<game::Position>);

impl From<game::Position> for Position {
    fn from(position: game::Position) -> Self {
        Self(Box::new(position))
    }
}

#[pymethods]
impl Position {
    /// Reads a position of six fields, see docs/notation.md; ValueError names what cannot be read.
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        text.parse::<game::Position>().map(Self::from).map_err(value_error)
    }

    /// The start of a game. `rules` is `2027`, `2021` or `classic`; `start_piece` is the piece that every colour places
    /// first, None exactly where the rules draw none (`classic`).
    #[staticmethod]
    #[pyo3(signature = (start_piece=None, rules="2027"))]
    fn start(start_piece: Option<&str>, rules: &str) -> PyResult<Self> {
        let rules: Rules = read(rules)?;
        let piece = start_piece.map(read::<Piece>).transpose()?;
        game::Position::new(rules, piece).map(Self::from).map_err(value_error)
    }

    /// The pieces from which `rules` draw the start piece; empty for `classic`.
    #[staticmethod]
    #[pyo3(signature = (rules="2027"))]
    fn start_pieces(rules: &str) -> PyResult<Vec<&'static str>> {
        Ok(read::<Rules>(rules)?.start_pieces().iter().map(Piece::name).collect())
    }

    /// The rules: `2027`, `2021` or `classic`.
    #[getter]
    fn rules(&self) -> &'static str {
        self.0.rules().name()
    }

    /// The piece that every colour places first; None where the rules draw none.
    #[getter]
    fn start_piece(&self) -> Option<&'static str> {
        self.0.start_piece().map(Piece::name)
    }

    /// The turn number, from 0; turns of removed colours count.
    #[getter]
    fn turn(&self) -> u16 {
        self.0.turn()
    }

    /// The round, from 1.
    #[getter]
    fn round(&self) -> u16 {
        self.0.round()
    }

    /// The colour to move: `BLUE`, `YELLOW`, `RED` or `GREEN`.
    #[getter]
    fn color(&self) -> &'static str {
        self.0.color().name()
    }

    /// The team to move: `ONE` (blue and red) or `TWO` (yellow and green).
    #[getter]
    fn team(&self) -> &'static str {
        self.0.color().team().name()
    }

    /// The colours that have not been removed, in turn order.
    #[getter]
    fn in_play(&self) -> Vec<&'static str> {
        self.0.in_play().iter().map(Color::name).collect()
    }

    /// The colours that have placed all pieces, the monomino last.
    #[getter]
    fn mono_last(&self) -> Vec<&'static str> {
        self.0.mono_last().iter().map(Color::name).collect()
    }

    /// `True` if the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.0.is_over()
    }

    /// The legal moves, each set of cells once; last the pass, where it is legal. Empty if the game is over.
    fn legal_moves(&self) -> Vec<Move> {
        self.0.legal_moves().into_iter().map(Move).collect()
    }

    /// The number of legal placements.
    fn count_placements(&self) -> usize {
        if self.0.is_over() { 0 } else { self.0.board().count_placements(self.0.color()) }
    }

    /// The reason why a move is illegal; None if it is legal.
    fn why_illegal(&self, mv: Move) -> Option<String> {
        self.0.check(mv.0).err().map(|reason| reason.to_string())
    }

    /// Returns the position after a move. IllegalMove (a ValueError) names the broken rule.
    fn play(&self, mv: Move) -> PyResult<Self> {
        let mut position = *self.0;
        match position.try_play(mv.0) {
            Ok(()) => Ok(position.into()),
            Err(reason) => Err(IllegalMove::new_err(format!("{}: {reason}", mv.0))),
        }
    }

    /// Counts the leaves of the game tree `depth` turns below.
    fn perft(&self, py: Python<'_>, depth: u32) -> u64 {
        py.detach(|| game::perft::perft(&self.0, depth))
    }

    /// The points of a colour.
    fn points(&self, color: &str) -> PyResult<i32> {
        Ok(self.0.points(read(color)?))
    }

    /// The points of both colours of a team.
    fn team_points(&self, team: &str) -> PyResult<i32> {
        Ok(self.0.team_points(read::<Team>(team)?))
    }

    /// The remaining pieces of a colour, the smallest first.
    fn remaining_pieces(&self, color: &str) -> PyResult<Vec<&'static str>> {
        Ok(self.0.board().remaining_pieces(read(color)?).iter().map(Piece::name).collect())
    }

    /// The cells that a colour covers, each `(x, y)`, row by row.
    fn cells(&self, color: &str) -> PyResult<Vec<(usize, usize)>> {
        Ok(self.0.board().covered(read(color)?).into_iter().map(xy).collect())
    }

    /// The anchors of a colour, each `(x, y)`, row by row: its next placement must cover one.
    fn anchors(&self, color: &str) -> PyResult<Vec<(usize, usize)>> {
        Ok(self.0.board().anchors(read(color)?).into_iter().map(xy).collect())
    }

    /// The colour that covers a cell; None for an empty one. IndexError outside the board.
    fn color_at(&self, x: i32, y: i32) -> PyResult<Option<&'static str>> {
        let outside = || pyo3::exceptions::PyIndexError::new_err(format!("the cell ({x}, {y}) lies outside the board"));
        let cell = game::Cell::new(x, y).ok_or_else(outside)?;
        Ok(self.0.board().color_at(cell).map(Color::name))
    }

    /// The board as 400 bytes, row by row: 0 empty, 1 blue, 2 yellow, 3 red, 4 green.
    /// `numpy.frombuffer(position.board(), numpy.uint8).reshape(20, 20)` is indexed `[y, x]`.
    fn board(&self) -> [u8; BOARD_SIZE * BOARD_SIZE] {
        let mut cells = [0; BOARD_SIZE * BOARD_SIZE];
        for color in Color::ALL {
            for cell in self.0.board().covered(color) {
                cells[cell.y() * BOARD_SIZE + cell.x()] = 1 + color as u8;
            }
        }
        cells
    }

    /// Win probability of the team to move by the value network, 0 to 1. `None` until every colour has
    /// placed a piece, and near the end of the game.
    fn evaluate(&self) -> Option<f32> {
        let view = PositionFeatures::of(self.0.board(), self.0.in_play(), self.0.turn())?;
        let win_of_one = Model::built_in().value_net.evaluate(&view);
        Some(if view.on_turn.team() == Team::One { win_of_one } else { 1.0 - win_of_one })
    }

    /// Analyses the position for `time` seconds with `memory` MiB, and up to half of that again for the other
    /// candidates. Releases the interpreter's lock.
    #[pyo3(signature = (*, time=1.0, memory=128))]
    fn analyse(&self, py: Python<'_>, time: f64, memory: usize) -> PyResult<Analysis> {
        analysis::of_position(py, &self.0, time, memory)
    }

    /// The position as an SVG element. `last` is the move to mark, `size` the width and height in pixels.
    #[pyo3(signature = (last=None, *, letters=false, size=None))]
    fn svg(&self, last: Option<Move>, letters: bool, size: Option<u32>) -> String {
        let last = last.and_then(|mv| mv.0.placement());
        Svg { last, letters, size, ..Svg::new(&self.0) }.to_string()
    }

    /// For notebooks.
    fn _repr_svg_(&self) -> String {
        self.svg(None, false, Some(360))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Position('{}')", self.0)
    }

    fn __hash__(&self) -> u64 {
        self.0.zobrist_hash()
    }

    /// For pickle and copy.
    fn __getnewargs__(&self) -> (String,) {
        (self.0.to_string(),)
    }
}

/// Reads a name; ValueError says which there are.
pub fn read<T: FromStr<Err = game::UnknownName>>(text: &str) -> PyResult<T> {
    text.parse().map_err(value_error)
}
