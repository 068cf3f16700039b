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

/// A game with its result, as files hold it: `Game(start, moves)` makes one, `read_games` reads them.
///
/// Immutable. What is shown of it is its main line; variations of a file are kept when it is saved again.
#[pyclass(frozen, eq, module = "blokus")]
#[derive(Clone, PartialEq)]
pub struct Game(record::Game);

#[pymethods]
impl Game {
    /// The game from a position with these moves; `names` are those of the players of the teams ONE and TWO.
    /// IllegalMove says which move may not be played and why.
    #[new]
    #[pyo3(signature = (start, moves=Vec::new(), *, names=Default::default()))]
    fn new(start: Position, moves: Vec<Move>, names: (String, String)) -> PyResult<Self> {
        let mut game = record::Game::new(start.0);
        let mut cursor = game.cursor(NodeId::START);
        for mv in moves {
            let turn = cursor.position().turn();
            let refused = |refusal| IllegalMove::new_err(format!("turn {turn}: {}: {refusal}", mv.0));
            cursor.play(mv.0).map_err(refused)?;
        }
        game.names = names.into();
        Ok(Self(game))
    }

    /// The position at the start.
    #[getter]
    fn start(&self) -> Position {
        Position(*self.0.start())
    }

    /// The moves; turns of colours that are out are no moves.
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
        std::iter::once(start).chain(self.0.moves().scan(start, after)).map(Position).collect()
    }

    /// The position at the end.
    #[getter]
    fn end(&self) -> Position {
        Position(self.0.end())
    }

    /// The names of the players of the teams ONE and TWO; empty where they are not known.
    #[getter]
    fn names(&self) -> (String, String) {
        self.0.names.clone().into()
    }

    /// What the game is called where it was played, such as the room of a server; empty if that is not known.
    #[getter]
    fn id(&self) -> &str {
        &self.0.id
    }

    /// How it ended: `ONE` or `TWO` for the team that won, `drawn`, or `unfinished`.
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

    /// The team that lost by a fault, and what it was, such as `('TWO', 'late: after 3 s')`; else None.
    #[getter]
    fn fault(&self) -> Option<(&'static str, String)> {
        self.0.fault.as_ref().map(|(team, fault)| (team.name(), fault.to_string()))
    }

    /// What was said about the start and about each move, one more than there are moves; empty where nothing was.
    #[getter]
    fn comments(&self) -> Vec<String> {
        self.0.main_line().map(|node| self.0.node(node).note.comment.clone()).collect()
    }

    /// What was dropped from the file when the game was read: illegal moves with the rest of their lines. Each warning
    /// contains the line, the move and the rule.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.0.warnings.iter().map(ToString::to_string).collect()
    }

    /// Writes the game as a file of the kind that the name says: `.blksgf` (Pentobi), `.xml` (a replay: the moves,
    /// without result and names), `.jsonl` or `.txt` (our notation), and `.gz` behind it for a compressed one.
    /// ValueError if there is no such kind, or no replays of games with these rules; OSError if the file cannot be
    /// written.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        file::save(&path, &self.0).map_err(|error| match error {
            SaveError::Write(_) => PyOSError::new_err(format!("{}: {error}", path.display())),
            _ => value_error(format!("{}: {error}", path.display())),
        })
    }

    /// What each move cost, as the strongest player sees it when it thinks for `time` seconds about each position, with
    /// `memory` MiB. Other threads of Python go on meanwhile.
    #[pyo3(signature = (*, time=0.5, memory=128))]
    fn analyse(&self, py: Python<'_>, time: f64, memory: usize) -> PyResult<Review> {
        analysis::of_game(py, &self.0, time, memory)
    }

    /// Reads what pickle has kept of a game.
    #[staticmethod]
    fn _of_json(line: &str) -> PyResult<Self> {
        record::json::read_line(line, 1).map(Self).map_err(value_error)
    }

    /// For pickle and copy: a line of JSON holds all of the game.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<Self>().getattr("_of_json")?, (record::json::write(&self.0),)))
    }

    fn __len__(&self) -> usize {
        self.0.moves().count()
    }

    fn __str__(&self) -> String {
        record::text::write(&self.0)
    }

    fn __repr__(&self) -> String {
        let (one, two) = self.points();
        format!("<Game of {} moves, {one}:{two}, {}>", self.__len__(), self.result())
    }
}

/// The games of a file, one after the other.
#[pyclass(frozen, module = "blokus")]
pub struct Games {
    state: Mutex<State>,
    path: PathBuf,
}

struct State {
    games: file::Games<'static>,
    /// How many games were read.
    count: usize,
}

#[pymethods]
impl Games {
    fn __iter__(games: Py<Self>) -> Py<Self> {
        games
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Game>> {
        py.detach(|| {
            let State { games, count } = &mut *self.state.lock().unwrap_or_else(PoisonError::into_inner);
            let game = games.next().transpose().map_err(|error| file_error(&self.path, error, *count))?;
            *count += usize::from(game.is_some());
            Ok(game.map(Game))
        })
    }
}

/// Reads the games of a file, one after the other: a replay (`.xml`, `.xml.gz`), a file of Pentobi (`.blksgf`), lines
/// of JSON (`.jsonl`) or our notation (`.txt`). What it begins with tells which it is. OSError if it cannot be read,
/// ValueError says what is wrong with it and where.
///
/// Lines of JSON are read while the games are used; after an error in one of them, the message says how many games
/// came before it. All other files are read whole or not at all, but a replay that ends too early is an unfinished
/// game.
#[pyfunction]
pub fn read_games(py: Python<'_>, path: PathBuf) -> PyResult<Games> {
    let games = py.detach(|| file::open(&path)).map_err(|error| file_error(&path, error, 0))?;
    Ok(Games { state: Mutex::new(State { games, count: 0 }), path })
}

/// The exception for an error after so many games of a file.
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
