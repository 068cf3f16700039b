//! Integration tests.

#[cfg(feature = "service")]
mod program;
#[cfg(feature = "service")]
mod service;
mod session;
