//! Integration tests.

#[cfg(feature = "serde")]
mod serde;
