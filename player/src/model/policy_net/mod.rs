//! The policy network, a convolutional network. It is too slow for every leaf of a search, but better than the
//! [prior](super::prior), which it extends, and the [value network](super::value_net).

// `inputs` are the planes of a position, `network` all layers, `output` the result. `layer` is a convolution, `dense`
// a dense layer. `numbers` defines the fixed-point arithmetic, `map` the layout of a plane, `winograd` the fast
// convolution and `matrix` its products.

mod dense;
mod inputs;
mod layer;
mod map;
mod matrix;
#[cfg(test)]
mod naive;
mod network;
mod numbers;
mod output;
mod winograd;

pub use inputs::{PLANES, PolicyInputs};
pub use network::PolicyNet;
pub use output::PolicyOutput;
