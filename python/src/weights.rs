//! Weights files, and the networks that they contain.

use std::path::PathBuf;

use cli::OutputFile;
use player::model::policy_net::PolicyInputs;
use player::model::value_net::{PositionFeatures, ValueInputs};
use player::model::{Array, Features, Model, ModelError, Origin, WeightsFile};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;

use crate::position::Position;

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
    let written = OutputFile::new(&path, &[]).and_then(|output| output.write(file.to_bytes()));
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

/// Returns the names of the value network's inputs.
#[pyfunction]
pub fn value_input_names() -> Vec<String> {
    ValueInputs::names()
}

/// Returns the value network's inputs, None where it is not evaluated.
#[pyfunction]
pub fn value_inputs(position: &Position) -> Option<Vec<f32>> {
    let features = PositionFeatures::of(position.0.board(), position.0.in_play(), position.0.turn())?;
    Some(features.inputs().to_vec())
}

/// Number, prior and score of each legal placement, log-odds and margin.
type PolicyOutput = (Vec<(usize, f32, f32)>, f32, f32);

/// Evaluates the policy network of the engine, with a weights file or with the built-in weights.
#[pyfunction]
#[pyo3(signature = (position, weights=None))]
pub fn policy_output(position: &Position, weights: Option<PathBuf>) -> PyResult<PolicyOutput> {
    let model = Model::with_files(weights).map_err(|error| match error {
        ModelError::Unreadable { .. } => PyOSError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    })?;
    let position = &position.0;
    let (board, color) = (position.board(), position.color());
    let output = model.policy_net.evaluate(&PolicyInputs::of(board, position.in_play(), color, position.turn()));
    let prior = model.prior.scorer(board, color);
    let score = |placement| {
        let prior = prior.score(placement);
        (placement.index(), prior, model.policy_net.score(&output, placement, prior))
    };
    let scores = board.placements(color).into_iter().map(score).collect();
    Ok((scores, output.log_odds, output.margin))
}
