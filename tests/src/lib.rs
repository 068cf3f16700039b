//! Shared code of the cross-crate tests.
//!
//! The tests themselves are the modules of `tests/it`.

#[cfg(feature = "programs")]
pub mod cluster;
#[cfg(feature = "programs")]
pub mod credentials;
pub mod naive;
pub mod program;
#[cfg(feature = "programs")]
pub mod queue_server;
pub mod recordings;
pub mod shared;
pub mod targets;
#[cfg(all(unix, feature = "programs"))]
pub mod terminal;

#[cfg(doctest)]
#[doc = include_str!("../../docs/use-it-in-your-engine.md")]
struct UseItInYourEngine;

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
