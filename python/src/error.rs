//! Exceptions.

use std::fmt::Display;

use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;

create_exception!(blokus, IllegalMove, PyValueError, "The move is illegal; the message names the broken rule.");

/// Returns a `ValueError` with the message of an error.
pub fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}
