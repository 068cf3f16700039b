//! The built-in players.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ::player::experience::{Experience, ExperienceError};
use ::player::{Budget, Options, Player as Engine, SearchLimits, by_name};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::value_error;
use crate::mv::Move;
use crate::position::Position;

/// A built-in player: `mcts` (the strongest), `neural`, `minimax`, `heuristic`, `random`, or `level1` to `level9`.
///
/// With one thread, the same seed and a limit of nodes it repeats its moves. `memory` is the most it takes for its tree
/// or table, in MiB. From the file `experience`, which is made if there is none, `mcts` and `neural` know how games
/// went on after moves that were made before; what they learn in a game is added by `new_game`, or when the player
/// goes.
///
/// A copy and an unpickled player are new players with the same arguments: they start without the searches and the
/// random numbers of this one.
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
    /// Makes a player. ValueError lists the names if there is none of this one, or says that a file has no experience;
    /// OSError if it cannot be read.
    #[new]
    #[pyo3(signature = (name="mcts", *, seed=0, threads=1, memory=200, experience=None))]
    fn new(name: &str, seed: u64, threads: usize, memory: usize, experience: Option<PathBuf>) -> PyResult<Self> {
        let arguments = Arguments { name: name.to_owned(), seed, threads, memory, experience: experience.clone() };
        if threads == 0 {
            return Err(value_error("a player needs at least one thread"));
        }
        let experience = experience.as_deref().map(Experience::open).transpose().map_err(|error| match error {
            ExperienceError::Io { .. } => PyOSError::new_err(error.to_string()),
            ExperienceError::Foreign { .. } => value_error(error),
        })?;
        let options = Options { seed, threads, memory: bytes(memory)?, experience, ..Options::default() };
        by_name(name, &options).map(|engine| Self { engine: Mutex::new(engine), arguments }).map_err(value_error)
    }

    /// The name of the player.
    #[getter]
    fn name(&self, py: Python<'_>) -> &'static str {
        py.detach(|| self.engine().name())
    }

    /// Forgets the game before.
    fn new_game(&self, py: Python<'_>) {
        py.detach(|| self.engine().new_game());
    }

    /// Chooses a move for the colour on turn, within `time` seconds, `nodes` nodes, or both, of which the one used up
    /// first counts. ValueError if there is neither, or the game is over. Other threads of Python go on meanwhile;
    /// Ctrl-C waits for the answer.
    #[pyo3(signature = (position, *, time=None, nodes=None))]
    fn choose(&self, py: Python<'_>, position: Position, time: Option<f64>, nodes: Option<u64>) -> PyResult<Report> {
        if position.0.is_over() {
            return Err(value_error("the game is over"));
        }
        let limit = limit(time, nodes)?;
        Ok(Report(py.detach(|| self.engine().choose(&position.0, &limit))))
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
    /// Waits for another thread that uses the player; to be called without the interpreter's lock.
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

/// The time of so many seconds.
pub fn seconds(number: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(number).map_err(|_| value_error(format!("{number} is not a number of seconds")))
}

/// The bytes of so many MiB.
pub fn bytes(memory: usize) -> PyResult<usize> {
    memory.checked_mul(1 << 20).ok_or_else(|| value_error(format!("{memory} MiB are too much memory")))
}

/// A chosen move and what led to it.
#[pyclass(frozen, module = "blokus")]
pub struct Report(::player::Report);

#[pymethods]
impl Report {
    /// The chosen move.
    #[getter]
    fn mv(&self) -> Move {
        Move(self.0.mv)
    }

    /// The probability that the team on turn wins plus half that of a draw, 0 to 1; None if the player has no opinion.
    #[getter]
    fn win(&self) -> Option<f32> {
        self.0.evaluation.map(|evaluation| evaluation.win)
    }

    /// The points by which the team on turn is expected to lead at the end; None if the player has no opinion.
    #[getter]
    fn margin(&self) -> Option<f32> {
        self.0.evaluation.map(|evaluation| evaluation.margin)
    }

    /// The moves that the player expects, the chosen one first; empty if it did not look ahead.
    #[getter]
    fn line(&self) -> Vec<Move> {
        self.0.line.iter().copied().map(Move).collect()
    }

    /// Nodes visited.
    #[getter]
    fn nodes(&self) -> u64 {
        self.0.nodes
    }

    /// How many turns the player looked ahead at most.
    #[getter]
    fn depth(&self) -> u32 {
        self.0.depth
    }

    fn __repr__(&self) -> String {
        let Self(report) = self;
        let opinion = report.evaluation.map_or_else(String::new, |evaluation| {
            format!(", win {:.3}, margin {:+.1}", evaluation.win, evaluation.margin)
        });
        format!("<Report {}{opinion}, {} nodes, depth {}>", report.mv, report.nodes, report.depth)
    }
}
