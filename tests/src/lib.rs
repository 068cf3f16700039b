//! What the tests across the crates share.
//!
//! The tests themselves are the `[[test]]` entries of this package.

pub mod faulty;
pub mod naive;
pub mod proxy;
pub mod recordings;
pub mod shared;
pub mod targets;
