//! Log messages of the crates: in Python's `logging`, or on standard error as the client writes them.

use std::sync::OnceLock;

use client::logging;
use log::{Level, LevelFilter, Log, Metadata, Record};
use pyo3::prelude::*;

use crate::error::value_error;

/// Passes warnings and errors to Python's logger `blokus`, or everything to the log of the client.
struct PythonLog;

/// The log of the client. Unlike Python's it never waits for a function that does not return.
static CLIENT: OnceLock<Box<dyn Log>> = OnceLock::new();

/// Installs the logger, unless there is one.
pub fn start() {
    if log::set_logger(&PythonLog).is_ok() {
        log::set_max_level(LevelFilter::Warn);
    }
}

/// Calls `run` with the client's log on standard error; `verbosity` is the number of `-v`. Works once per process.
#[pyfunction]
pub fn logged<'py>(run: &Bound<'py, PyAny>, verbosity: u8) -> PyResult<Bound<'py, PyAny>> {
    let (logger, logging) = logging::on_stderr(verbosity).map_err(|error| value_error(format!("{error:#}")))?;
    let level = logger.filter();
    CLIENT.set(Box::new(logger)).map_err(|_| value_error("the log has been started before"))?;
    log::set_max_level(level);
    let result = run.call0();
    // Writes the last lines.
    drop(logging);
    result
}

impl Log for PythonLog {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        CLIENT.get().map_or(metadata.level() <= Level::Warn, |client| client.enabled(metadata))
    }

    fn log(&self, record: &Record<'_>) {
        if let Some(client) = CLIENT.get() {
            client.log(record);
        } else if self.enabled(record.metadata()) {
            // An error here cannot be reported.
            let _ = Python::try_attach(|py| tell(py, record));
        }
    }

    fn flush(&self) {}
}

fn tell(py: Python<'_>, record: &Record<'_>) -> PyResult<()> {
    let logger = py.import("logging")?.call_method1("getLogger", ("blokus",))?;
    let method = if record.level() == Level::Error { "error" } else { "warning" };
    logger.call_method1(method, ("%s", record.args().to_string())).map(drop)
}
