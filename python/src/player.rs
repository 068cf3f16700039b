//! The built-in players.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ::player::experience::{Experience, ExperienceError};
use ::player::{Budget, Options, Player as Engine, SearchLimits, by_name};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::value_error;
use crate::mv::Move;
use crate::position::Position;
use crate::work::{bytes, seconds};

/// A built-in player: `mcts` (the strongest), `neural`, `minimax`, `heuristic`, `random`, or `level1` to `level9`.
///
/// With one thread, the same seed and a node limit it repeats its moves. `memory` limits its tree or table in MiB.
/// `experience` is a file where `mcts` and `neural` keep the results of earlier games; `new_game` and the end of the
/// player add to it.
///
/// A copy or an unpickled player is a new one with the same arguments.
#[pyclass(frozen, module = "blokus")]
pub struct Player {
    engine: Mutex<Box<dyn Engine>>,
    arguments: Arguments,
}

/// The arguments a player was made with.
#[derive(Clone)]
struct Arguments {
    name: String,
    seed: u64,
    threads: usize,
    memory: usize,
    experience: Option<PathBuf>,
}

#[pymethods]
impl Player {
    /// Creates a player. ValueError for an unknown name or a wrong experience file, OSError if it cannot be read.
    #[new]
    #[pyo3(signature = (name="mcts", *, seed=0, threads=1, memory=200, experience=None))]
    fn new(name: &str, seed: u64, threads: usize, memory: usize, experience: Option<PathBuf>) -> PyResult<Self> {
        let arguments = Arguments { name: name.to_owned(), seed, threads, memory, experience: experience.clone() };
        if threads == 0 {
            return Err(value_error("a player needs at least one thread"));
        }
        let experience = experience.as_deref().map(Experience::open).transpose().map_err(|error| match error {
            ExperienceError::Io { .. } => PyOSError::new_err(error.to_string()),
            _ => value_error(error),
        })?;
        let options = Options { seed, threads, memory: bytes(memory)?, experience, ..Options::default() };
        by_name(name, &options).map(|engine| Self { engine: Mutex::new(engine), arguments }).map_err(value_error)
    }

    /// The name of the player.
    #[getter]
    fn name(&self, py: Python<'_>) -> String {
        py.detach(|| self.engine().name().to_owned())
    }

    /// Forgets the last game.
    fn new_game(&self, py: Python<'_>) {
        py.detach(|| self.engine().new_game());
    }

    /// Chooses a move within `time` seconds and `nodes` nodes, whichever ends first. ValueError without a limit or if
    /// the game is over. Releases the interpreter's lock; Ctrl-C waits for the answer.
    #[pyo3(signature = (position, *, time=None, nodes=None))]
    fn choose(&self, py: Python<'_>, position: Position, time: Option<f64>, nodes: Option<u64>) -> PyResult<Report> {
        if position.0.is_over() {
            return Err(value_error("the game is over"));
        }
        let limit = limit(time, nodes)?;
        Ok(py.detach(|| self.engine().choose(&position.0, &limit)).into())
    }

    /// For pickle and copy.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((String,), Bound<'py, PyDict>)> {
        let Arguments { name, seed, threads, memory, experience } = self.arguments.clone();
        let named = PyDict::new(py);
        named.set_item("seed", seed)?;
        named.set_item("threads", threads)?;
        named.set_item("memory", memory)?;
        named.set_item("experience", experience)?;
        Ok(((name,), named))
    }
}

impl Player {
    /// Waits for other threads that use the player. Call it without the interpreter's lock.
    fn engine(&self) -> MutexGuard<'_, Box<dyn Engine>> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn limit(time: Option<f64>, nodes: Option<u64>) -> PyResult<SearchLimits> {
    let budget = Budget { time: time.map(seconds).transpose()?, nodes };
    if budget == Budget::UNLIMITED {
        return Err(value_error("give a limit: time (seconds), nodes, or both"));
    }
    Ok(budget.starting(std::time::Instant::now()))
}

/// A chosen move and the result of the search.
#[pyclass(frozen, get_all, module = "blokus")]
pub struct Report {
    /// The chosen move.
    mv: Move,
    /// Win probability of the team to move (a draw counts half), 0 to 1; None without an evaluation.
    win: Option<f32>,
    /// Expected final lead of the team to move in points; None without an evaluation.
    margin: Option<f32>,
    /// Expected moves, the chosen one first; empty without a search.
    line: Vec<Move>,
    /// Nodes visited.
    nodes: u64,
    /// Depth of the search in turns.
    depth: u32,
}

#[pymethods]
impl Report {
    fn __repr__(&self) -> String {
        let evaluation = self.win.zip(self.margin);
        let evaluation =
            evaluation.map_or_else(String::new, |(win, margin)| format!(", win {win:.3}, margin {margin:+.1}"));
        format!("<Report {}{evaluation}, {} nodes, depth {}>", self.mv.0, self.nodes, self.depth)
    }
}

impl From<::player::Report> for Report {
    fn from(report: ::player::Report) -> Self {
        let ::player::Report { mv, evaluation, line, nodes, depth, .. } = report;
        let (win, margin) = evaluation.map(|evaluation| (evaluation.win, evaluation.margin)).unzip();
        Self { mv: Move(mv), win, margin, line: line.into_iter().map(Move).collect(), nodes, depth }
    }
}
