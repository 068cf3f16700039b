//! Shared code of the cross-crate tests.
//!
//! The tests themselves are the modules of `tests/it`.

pub mod naive;
pub mod recordings;
pub mod shared;
pub mod targets;

#[cfg(doctest)]
#[doc = include_str!("../../docs/use-it-in-your-engine.md")]
struct UseItInYourEngine;

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
