//! Games on servers with a Python function that chooses the moves.

use std::io::{self, Read};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ::client::{JoinMode, LINGER, Settings, connection};
use ::player::{Budget, Player, Report, SearchLimits};
use game::Team;
use pyo3::exceptions::{PyConnectionError, PyRuntimeError};
use pyo3::prelude::*;

use crate::error::value_error;
use crate::mv::Move;
use crate::position::Position;
use crate::work::seconds;

/// Result of a game on a server.
#[pyclass(frozen, module = "blokus")]
pub struct Outcome(::client::GameOutcome);

#[pymethods]
impl Outcome {
    /// The team of this client, `ONE` or `TWO`; None if the server did not tell.
    #[getter]
    fn team(&self) -> Option<&'static str> {
        self.0.team.map(Team::name)
    }

    /// The team that won; None for a draw or a cancelled game.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.0.result.as_ref()?.winner().map(Team::name)
    }

    /// Returns `true` if the game was cancelled without a result.
    #[getter]
    fn is_cancelled(&self) -> bool {
        self.0.result.is_none()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Outcome {}>", self.0)
    }
}

/// Joins a game on a server and plays it to the end: `choose(position, time)` returns a move within `time` seconds.
///
/// Its exceptions end the game. ConnectionError without a connection, RuntimeError if the game ends early.
#[pyfunction]
#[pyo3(signature = (choose, host, port, *, reservation, room, time))]
pub fn join(
    py: Python<'_>,
    choose: Py<PyAny>,
    host: &str,
    port: u16,
    reservation: Option<String>,
    room: Option<String>,
    time: f64,
) -> PyResult<Outcome> {
    let time = seconds(time)?;
    let join_mode = match (reservation, room) {
        (None, None) => JoinMode::Any,
        (Some(code), None) => JoinMode::Reservation(code),
        (None, Some(room)) => JoinMode::Room(room),
        (Some(_), Some(_)) => return Err(value_error("give a reservation or a room, not both")),
    };
    let settings = Settings { join_mode, budget: Budget::time(time), linger: LINGER, ..Settings::default() };
    let end = End::default();
    let played = py.detach(|| {
        let stream = connection::connect(host, port).map_err(|error| PyConnectionError::new_err(error.to_string()))?;
        let mut player = Function { choose, end: &end };
        let reader = Interruptible { stream: &stream, end: &end };
        let played = ::client::play(&settings, &mut player, reader, &stream, &end.stop, &mut |_| {});
        if played.is_err() {
            connection::finish(&stream);
        }
        played.map(Outcome).map_err(|error| PyRuntimeError::new_err(error.to_string()))
    });
    // The first exception explains the end of the game.
    match end.exception.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(exception) => Err(exception),
        None => played,
    }
}

/// The exception that ended a game.
#[derive(Default)]
struct End {
    stop: AtomicBool,
    exception: Mutex<Option<PyErr>>,
}

impl End {
    fn with(&self, exception: PyErr) {
        self.exception.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(exception);
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// A connection whose reads time out, to check for Ctrl-C.
struct Interruptible<'a> {
    stream: &'a TcpStream,
    end: &'a End,
}

impl Read for Interruptible<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(buffer);
        if read.is_err()
            && let Err(exception) = Python::attach(|py| py.check_signals())
        {
            self.end.with(exception);
        }
        read
    }
}

/// A player that calls the function.
struct Function<'a> {
    choose: Py<PyAny>,
    end: &'a End,
}

impl Function<'_> {
    fn ask(&self, position: &game::Position, time: Duration) -> PyResult<game::Move> {
        Python::attach(|py| {
            let answer = self.choose.bind(py).call1((Position::from(*position), time.as_secs_f64()))?;
            Ok(answer.extract::<Move>()?.0)
        })
    }
}

impl Player for Function<'_> {
    fn name(&self) -> &'static str {
        "a function in Python"
    }

    fn choose(&mut self, position: &game::Position, limit: &SearchLimits) -> Report {
        let time = limit.deadline.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()));
        Report::without_search(self.ask(position, time).unwrap_or_else(|exception| {
            self.end.with(exception);
            // Not sent: the game ends.
            game::Move::Pass
        }))
    }
}
