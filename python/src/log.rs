//! Log messages of the crates in Python's `logging`.

use log::{Level, LevelFilter, Log, Metadata, Record};
use pyo3::prelude::*;

/// Passes warnings and errors to Python's logger `blokus`.
struct PythonLog;

/// Installs the logger, unless there is one.
pub fn start() {
    if log::set_logger(&PythonLog).is_ok() {
        log::set_max_level(LevelFilter::Warn);
    }
}

impl Log for PythonLog {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= Level::Warn
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
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
