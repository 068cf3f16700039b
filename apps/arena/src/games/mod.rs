//! Games between two engines: playing, recording and following them live.

pub mod contest;
pub mod ending;
pub mod live;
pub(crate) mod pause;
pub mod played;
