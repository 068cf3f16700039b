//! Packs a client for the contest system, with start script and licences.
//!
//! ```no_run
//! # #[cfg(feature = "archive")]
//! # fn main() -> Result<(), pack::PackError> {
//! let order = pack::Order { manifest: "Cargo.toml".as_ref(), package: "own-player", program: "own-player" };
//! println!("{}", pack::pack(&order)?.path.display());
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "archive"))]
//! # fn main() {}
//! ```
//!
//! The program runs on any Linux with an x86-64 processor and has to accept the contest's arguments. Without the feature
//! `archive` there are only the [`licences`].

#[cfg(feature = "archive")]
mod archive;
#[cfg(feature = "archive")]
mod build;
mod error;
pub mod licences;
#[cfg(feature = "archive")]
mod order;
#[cfg(feature = "archive")]
mod packing;

pub use error::PackError;
#[cfg(feature = "archive")]
pub use {
    archive::{Effort, File, zip},
    build::{build, ensure_target_is_installed, remapped},
    order::Order,
    packing::{Packed, pack, replace},
};

#[cfg(all(doctest, feature = "archive"))]
#[doc = include_str!("../README.md")]
struct Readme;
