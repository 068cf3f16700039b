//! Parameters of players, which can be read and set by name.

use thiserror::Error;

/// A parameter of a player and its present value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: f32,
    /// The least sensible value.
    pub low: f32,
    /// The greatest sensible value.
    pub high: f32,
}

/// Why a parameter cannot be set.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum ParamError {
    /// The player has no such parameter.
    #[error("there is no parameter `{0}`")]
    Unknown(String),
    /// The value is out of range.
    #[error("parameter `{name}` must be from {low} to {high}, not {value}")]
    Range {
        /// The parameter.
        name: &'static str,
        /// The value that was given.
        value: f32,
        /// The least sensible value.
        low: f32,
        /// The greatest sensible value.
        high: f32,
    },
}
