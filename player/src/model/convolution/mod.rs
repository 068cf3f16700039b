//! A convolutional network, which sees what lies where on the board. It is too slow to be asked at every leaf of a
//! search, but knows more than the [prior](super::prior), to which it adds, and the [evaluation](super::evaluation).
//!
//! `inputs` is what it is told of a position, `layer` one of its layers, `network` all of them, and `sight` what it
//! says. Below them `numbers` says what is computed with, `map` what there is at the cells, `winograd` how a layer gets
//! by with few products, and `matrix` takes these.

mod inputs;
mod layer;
mod map;
mod matrix;
mod network;
mod numbers;
mod sight;
mod winograd;

pub use inputs::{COLOR_PLANES, Inputs, PLANES};
pub use network::Convolution;
pub use sight::Sight;
