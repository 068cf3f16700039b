//! The value network: the expected result of a position without a search.
//!
//! A small network ([`Mlp`]) predicts the result from features of the four colours ([`ValueInputs`]): remaining pieces,
//! places for them, and the cells in reach, alone or shared. One evaluation predicts as well as the mean of several
//! playouts, but playouts find details. So the search evaluates each leaf once and mixes the evaluation with playouts,
//! as AlphaGo did (D. Silver et al., Mastering the game of Go with deep neural networks and tree search, 2016).
//!
//! The network was trained on results of games of short searches. Their margin counted as much as in the search at the
//! same turn: if the search changes that, retrain the network.

mod inputs;
mod mlp;
mod position_features;

use std::ops::Range;

use game::{Color, Team};

use super::features::Features;
use super::weights_file::{Array, Origin, WeightsError, WeightsFile};
use crate::math::logistic;

pub use inputs::{ColorFeatures, INPUTS, ProgressFeatures, ValueInputs};
pub use mlp::{HIDDEN, Mlp};
pub use position_features::PositionFeatures;

/// The evaluated turns: from the turn after every colour's first piece, until playouts are short and predict better.
pub const TURNS: Range<u16> = Color::ALL.len() as u16..60;

/// Returns the last turn of [`TURNS`] of the same colour, or the turn itself if it is not after them.
pub(crate) fn evaluated_turn(turn: u16) -> u16 {
    const ROUND: u16 = Color::ALL.len() as u16;
    if turn < TURNS.end { turn } else { TURNS.end - ROUND + (turn - TURNS.end) % ROUND }
}

/// Returns the margin that goes with a win probability, by a curve through 1,509,000 searches of self-play: 20.4 points
/// for log-odds of 1 in turns 0 to 9, and 2.1 in turns 50 to 59.
pub(crate) fn margin_of_win(win: f32, turn: u16) -> f32 {
    let win = win.clamp(1e-6, 1.0 - 1e-6);
    margin_scale(turn) * libm::logf(win / (1.0 - win))
}

/// Returns the win probability that goes with a margin, by the same curve.
pub(crate) fn win_of_margin(margin: f32, turn: u16) -> f32 {
    logistic(margin / margin_scale(turn))
}

/// Returns the points that go with log-odds of 1.
fn margin_scale(turn: u16) -> f32 {
    // Never 0, so that every margin has a win probability in the late turns of positions that were set up.
    (24.0 * libm::expf(f32::from(turn) / -22.5)).max(f32::MIN_POSITIVE)
}

/// The value network.
#[derive(Clone, PartialEq, Debug)]
pub struct ValueNet {
    /// The network from features to the result of the team to move.
    pub network: Mlp<INPUTS>,
}

impl ValueNet {
    /// Kind of its weights files.
    pub const KIND: &'static str = "evaluation";

    /// Creates the weights file: an array per input with its weight for each hidden unit, and the [other weights](Mlp).
    pub fn to_file(&self, origin: Origin) -> WeightsFile {
        let Mlp { hidden_weights, hidden_biases, output_weights, output_bias } = &self.network;
        let inputs = input_arrays().zip(hidden_weights);
        let mut arrays: Vec<Array> =
            inputs.map(|(name, weights)| Array::new(name, &[HIDDEN], weights.to_vec())).collect();
        arrays.push(Array::new("hidden_biases", &[HIDDEN], hidden_biases.to_vec()));
        arrays.push(Array::new("output_weights", &[HIDDEN], output_weights.to_vec()));
        arrays.push(Array::new("output_bias", &[1], vec![*output_bias]));
        WeightsFile { kind: Self::KIND.to_owned(), origin, arrays }
    }

    /// Reads the network from a weights file.
    ///
    /// # Errors
    /// [`WeightsError`] if the file does not contain exactly the weights of this network.
    pub fn from_file(mut file: WeightsFile) -> Result<Self, WeightsError> {
        let mut network = Mlp::ZERO;
        let mut fill = |name: &str, row: &mut [f32]| {
            row.copy_from_slice(&file.take(name, &[row.len()])?);
            Ok(())
        };
        for (name, weights) in input_arrays().zip(&mut network.hidden_weights) {
            fill(&name, weights)?;
        }
        fill("hidden_biases", &mut network.hidden_biases)?;
        fill("output_weights", &mut network.output_weights)?;
        fill("output_bias", std::slice::from_mut(&mut network.output_bias))?;
        file.finish()?;
        Ok(Self { network })
    }

    /// Returns the expected result of team one, 0 to 1.
    pub fn evaluate(&self, features: &PositionFeatures) -> f32 {
        let result = logistic(self.network.output(&self.network.hidden(features.inputs())));
        if features.on_turn.team() == Team::One { result } else { 1.0 - result }
    }
}

/// Returns the names of the arrays of the inputs' weights.
fn input_arrays() -> impl Iterator<Item = String> {
    ValueInputs::names().into_iter().map(|name| format!("hidden.{name}"))
}

#[cfg(test)]
mod tests {
    use super::super::Model;
    use super::*;

    #[test]
    fn margins_and_win_probabilities_convert_back() {
        assert!((win_of_margin(margin_of_win(0.7, 30), 30) - 0.7).abs() < 1e-5);
        assert_eq!(win_of_margin(0.0, u16::MAX), 0.5);
    }

    #[test]
    fn files_contain_the_whole_network() {
        let value_net = &Model::built_in().value_net;
        let file = || value_net.to_file(Origin::default());
        assert_eq!(ValueNet::from_file(file()).as_ref(), Ok(value_net));
        for name in file().arrays.iter().map(Array::name) {
            let mut without = file();
            without.arrays.retain(|array| array.name() != name);
            assert_eq!(ValueNet::from_file(without), Err(WeightsError::MissingArray(name.to_owned())));
        }
    }
}
