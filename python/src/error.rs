//! Errors of the crates as exceptions.

use std::fmt::Display;

use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;

create_exception!(blokus, IllegalMove, PyValueError, "The move is not legal in the position; the message says why.");

/// A `ValueError` with the words of an error.
pub fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}
