//! Integration tests.

#[cfg(feature = "service")]
mod limits;
#[cfg(feature = "service")]
mod program;
#[cfg(feature = "service")]
mod requests;
#[cfg(feature = "service")]
mod running;
#[cfg(feature = "service")]
mod service;
mod session;
