//! Games on servers, for a function in Python that chooses the moves.

use std::io::{self, Read};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ::client::{Entry, PARTING, Settings, connection};
use ::player::{Budget, Player, Report, SearchLimits};
use game::Team;
use pyo3::exceptions::{PyConnectionError, PyRuntimeError};
use pyo3::prelude::*;

use crate::error::value_error;
use crate::mv::Move;
use crate::player::seconds;
use crate::position::Position;

/// How a game on a server ended.
#[pyclass(frozen, module = "blokus")]
pub struct Outcome(::client::GameOutcome);

#[pymethods]
impl Outcome {
    /// The team that this client played, `ONE` or `TWO`; None if the server did not tell.
    #[getter]
    fn team(&self) -> Option<&'static str> {
        self.0.team.map(Team::name)
    }

    /// The team that won; None for a draw or a cancelled game.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.0.result.as_ref()?.winner().map(Team::name)
    }

    /// Whether the game was cancelled without a result.
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

/// Joins a game on a server and plays it to the end: `choose(position, time)` answers with a move within `time`
/// seconds.
///
/// An exception of it gives the game up. ConnectionError if there is no connection, RuntimeError if the game does not
/// come to its end.
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
    let entry = match (reservation, room) {
        (None, None) => Entry::Any,
        (Some(code), None) => Entry::Reservation(code),
        (None, Some(room)) => Entry::Room(room),
        (Some(_), Some(_)) => return Err(value_error("give a reservation or a room, not both")),
    };
    let settings = Settings { entry, budget: Budget::time(time), parting: PARTING, ..Settings::default() };
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
    // What made the game end says more than that it did.
    match end.exception.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(exception) => Err(exception),
        None => played,
    }
}

/// An exception that ends a game.
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

/// The connection, which hears of Ctrl-C while the server says nothing: reads time out.
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

/// The function as a player.
struct Function<'a> {
    choose: Py<PyAny>,
    end: &'a End,
}

impl Function<'_> {
    fn ask(&self, position: &game::Position, time: Duration) -> PyResult<game::Move> {
        Python::attach(|py| {
            let answer = self.choose.bind(py).call1((Position(*position), time.as_secs_f64()))?;
            Ok(answer.extract::<Move>()?.0)
        })
    }
}

impl Player for Function<'_> {
    fn name(&self) -> &'static str {
        "a function in Python"
    }

    fn new_game(&mut self) {}

    fn choose(&mut self, position: &game::Position, limit: &SearchLimits) -> Report {
        let time = limit.deadline.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()));
        Report::without_search(self.ask(position, time).unwrap_or_else(|exception| {
            self.end.with(exception);
            // Never sent: the game ends.
            game::Move::Pass
        }))
    }
}
