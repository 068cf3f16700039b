//! Games as files.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use game::Team;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use record::file::{FileError, SaveError};
use record::{NodeId, file};

use crate::analysis::{self, Review};
use crate::error::{IllegalMove, value_error};
use crate::mv::Move;
use crate::position::Position;

/// A game with its result: `Game(start, moves)` creates one, `read_games` reads them.
///
/// Immutable. It shows the main line; saving keeps the variations of a file.
#[pyclass(frozen, eq, module = "blokus")]
#[derive(Clone, PartialEq)]
pub struct Game(Box<record::Game>);

#[pymethods]
impl Game {
    /// Creates a game from a position, moves, and the names of the teams ONE and TWO. IllegalMove names the move and
    /// the broken rule.
    #[new]
    #[pyo3(signature = (start, moves=Vec::new(), *, names=Default::default()))]
    fn new(start: Position, moves: Vec<Move>, names: (String, String)) -> PyResult<Self> {
        let mut game = record::Game::new(*start.0);
        let mut cursor = game.cursor(NodeId::START);
        for mv in moves {
            let turn = cursor.position().turn();
            let illegal = |reason| IllegalMove::new_err(format!("turn {turn}: {}: {reason}", mv.0));
            cursor.play(mv.0).map_err(illegal)?;
        }
        game.names = names.into();
        Ok(Self(Box::new(game)))
    }

    /// The position at the start.
    #[getter]
    fn start(&self) -> Position {
        (*self.0.start()).into()
    }

    /// The moves; removed colours have none.
    #[getter]
    fn moves(&self) -> Vec<Move> {
        self.0.moves().map(Move).collect()
    }

    /// The position before each move, and last the one at the end.
    #[getter]
    fn positions(&self) -> Vec<Position> {
        let after = |position: &mut game::Position, mv| {
            position.play(mv);
            Some(*position)
        };
        let start = *self.0.start();
        std::iter::once(start).chain(self.0.moves().scan(start, after)).map(Position::from).collect()
    }

    /// The position at the end.
    #[getter]
    fn end(&self) -> Position {
        self.0.end().into()
    }

    /// The names of the teams ONE and TWO; empty if unknown.
    #[getter]
    fn names(&self) -> (String, String) {
        self.0.names.clone().into()
    }

    /// Identifier of the game, such as the room of a server; may be empty.
    #[getter]
    fn id(&self) -> &str {
        &self.0.id
    }

    /// The winner `ONE` or `TWO`, `drawn`, or `unfinished`.
    #[getter]
    fn result(&self) -> &'static str {
        self.0.verdict().name()
    }

    /// The points of the teams ONE and TWO at the end.
    #[getter]
    fn points(&self) -> (i32, i32) {
        let end = self.0.end();
        Team::ALL.map(|team| end.team_points(team)).into()
    }

    /// The team that lost by a fault, and the fault, such as `('TWO', 'late: after 3 s')`; else None.
    #[getter]
    fn fault(&self) -> Option<(&'static str, String)> {
        self.0.fault.as_ref().map(|(team, fault)| (team.name(), fault.to_string()))
    }

    /// Comments on the start and on each move; may be empty.
    #[getter]
    fn comments(&self) -> Vec<String> {
        self.0.main_line().map(|node| self.0.node(node).note.comment.clone()).collect()
    }

    /// Illegal moves that reading dropped with the rest of their lines. A warning names the line, the move and the
    /// rule.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.0.warnings.iter().map(ToString::to_string).collect()
    }

    /// Writes the game in the format of the name: `.blksgf` (Pentobi), `.xml` (a replay without result and names) or
    /// `.jsonl`; add `.gz` to compress. ValueError for an unknown format or rules without replays, OSError if the file
    /// cannot be written.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        file::save(&path, &self.0).map_err(|error| match error {
            SaveError::Write(_) => PyOSError::new_err(format!("{}: {error}", path.display())),
            _ => value_error(format!("{}: {error}", path.display())),
        })
    }

    /// Reviews each move by an analysis of `time` seconds per position with `memory` MiB. Releases the interpreter's
    /// lock.
    #[pyo3(signature = (*, time=0.5, memory=128))]
    fn analyse(&self, py: Python<'_>, time: f64, memory: usize) -> PyResult<Review> {
        analysis::of_game(py, &self.0, time, memory)
    }

    /// Restores a pickled game.
    #[staticmethod]
    fn _of_json(line: &str) -> PyResult<Self> {
        record::json::read_line(line, 1).map(Box::new).map(Self).map_err(value_error)
    }

    /// For pickle and copy.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<Self>().getattr("_of_json")?, (record::json::write(&self.0),)))
    }

    fn __len__(&self) -> usize {
        self.0.moves().count()
    }

    fn __repr__(&self) -> String {
        let (one, two) = self.points();
        format!("<Game of {} moves, {one}:{two}, {}>", self.__len__(), self.result())
    }
}

/// Iterator over the games of a file.
#[pyclass(frozen, module = "blokus")]
pub struct Games {
    /// The games, and the number of those that were read.
    state: Mutex<(file::Games<'static>, usize)>,
    path: PathBuf,
}

#[pymethods]
impl Games {
    fn __iter__(games: Py<Self>) -> Py<Self> {
        games
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Game>> {
        py.detach(|| {
            let (games, count) = &mut *self.state.lock().unwrap_or_else(PoisonError::into_inner);
            let game = games.next().transpose().map_err(|error| file_error(&self.path, error, *count))?;
            *count += usize::from(game.is_some());
            Ok(game.map(Box::new).map(Game))
        })
    }
}

/// Iterates over the games of a file: a replay (`.xml`, `.xml.gz`), a Pentobi file (`.blksgf`) or lines of JSON
/// (`.jsonl`), detected by its first bytes. OSError if it cannot be read, ValueError names the fault and its place.
///
/// Lines of JSON are read one by one; an error gives the number of games before it. Other files are read at once. A
/// replay that ends early is an unfinished game.
#[pyfunction]
pub fn read_games(py: Python<'_>, path: PathBuf) -> PyResult<Games> {
    let games = py.detach(|| file::open(&path)).map_err(|error| file_error(&path, error, 0))?;
    Ok(Games { state: Mutex::new((games, 0)), path })
}

/// Returns the exception for an error after `count` games.
fn file_error(path: &Path, error: FileError, count: usize) -> PyErr {
    let before = match count {
        0 => String::new(),
        1 => " (1 game came before it)".to_owned(),
        _ => format!(" ({count} games came before it)"),
    };
    let text = format!("{}: {error}{before}", path.display());
    match error {
        FileError::Read(_) => PyOSError::new_err(text),
        _ => value_error(text),
    }
}
