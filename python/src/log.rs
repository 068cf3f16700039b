//! What the client and the players have to say, for Python's `logging`.

use log::{Level, LevelFilter, Log, Metadata, Record};
use pyo3::prelude::*;

/// Hands warnings and errors to the logger `blokus` of Python, which shows them unless it is told otherwise.
struct PythonLog;

/// Begins with that, unless somebody else logs already.
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
            // There is nobody to tell if that fails.
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
