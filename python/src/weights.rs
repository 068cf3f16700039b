//! Weights files.

use std::path::PathBuf;

use cli::Output;
use player::model::{Array, Origin, WeightsFile};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;

/// Name, shape and bytes (little-endian `f32`) of an array.
type Given = (String, Vec<usize>, Vec<u8>);

/// Writes a weights file in one step.
#[pyfunction]
pub fn write_weights(
    path: PathBuf,
    kind: String,
    command: String,
    data: String,
    engine: String,
    arrays: Vec<Given>,
) -> PyResult<()> {
    let arrays = arrays.into_iter().map(|(name, shape, bytes)| {
        let numbers: Vec<f32> = bytes.as_chunks().0.iter().copied().map(f32::from_le_bytes).collect();
        if shape.iter().product::<usize>() != numbers.len() {
            return Err(PyValueError::new_err(format!("{name}: {} numbers are not {shape:?}", numbers.len())));
        }
        Ok(Array::new(name, &shape, numbers))
    });
    let file = WeightsFile { kind, origin: Origin { command, data, engine }, arrays: arrays.collect::<PyResult<_>>()? };
    let written = Output::new(&path).and_then(|output| output.write(file.to_bytes()));
    written.map_err(|error| PyOSError::new_err(format!("{error:#}")))
}

/// Reads the kind of a weights file and its arrays.
#[pyfunction]
pub fn read_weights(path: PathBuf) -> PyResult<(String, Vec<Given>)> {
    let bytes = std::fs::read(&path).map_err(|error| PyOSError::new_err(format!("{}: {error}", path.display())))?;
    let wrong = |error| PyValueError::new_err(format!("{}: {error}", path.display()));
    let WeightsFile { kind, arrays, .. } = WeightsFile::from_bytes(&bytes).map_err(wrong)?;
    let given = |array: Array| {
        let bytes = array.numbers().iter().flat_map(|number| number.to_le_bytes()).collect();
        (array.name().to_owned(), array.shape().to_vec(), bytes)
    };
    Ok((kind, arrays.into_iter().map(given).collect()))
}
