//! The policy network, a convolutional network. It is too slow for every leaf of a search, but better than the
//! [prior](super::prior), to which it adds, and the [evaluation](super::evaluation).
//!
//! `inputs` are the planes of a position, `layer` is one layer, `network` all of them, `output` the result. `numbers`
//! defines the fixed-point arithmetic, `map` the layout of a plane, `winograd` the fast convolution and `matrix` its
//! products.

mod inputs;
mod layer;
mod map;
mod matrix;
mod network;
mod numbers;
mod output;
mod winograd;

pub use inputs::{COLOR_PLANES, Inputs, PLANES};
pub use network::PolicyNet;
pub use output::PolicyOutput;
