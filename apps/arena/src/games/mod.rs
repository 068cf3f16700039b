//! Games between two engines: playing and recording.

pub mod contest;
pub(crate) mod pause;
pub mod played;
