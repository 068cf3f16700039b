//! Trains the weights of the Monte Carlo player on its own games.
//!
//! [`prior`] fits a softmax regression ([`softmax`]) that predicts which moves a search will visit.
//! [`evaluation`] trains a neural [`value_net`] that predicts the result. Both use the optimiser [`adam`]. [`selfplay`]
//! plays games of long searches into [files](record::selfplay).

pub mod adam;
pub mod evaluation;
pub mod prior;
pub mod selfplay;
pub mod softmax;
pub mod value_net;

/// Passes over the samples.
const EPOCHS: usize = 15;

/// Returns a mean over samples as reports have it.
fn shown(mean: Option<f32>) -> String {
    mean.map_or_else(|| "-".to_owned(), |mean| format!("{mean:.4}"))
}
