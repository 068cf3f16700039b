//! The zip file for the contest: a client, its start script and licences.
//!
//! ```no_run
//! # #[cfg(feature = "archive")] {
//! let client = pack::Client { manifest: "Cargo.toml".as_ref(), package: "own-player", program: "own-player" };
//! let packed = pack::pack(&client)?;
//! println!("{}: {} bytes", packed.path.display(), packed.bytes);
//! # }
//! # Ok::<(), pack::PackError>(())
//! ```
//!
//! [`pack`] builds a client for every Linux on x86-64 and packs it. Any program that accepts the contest's arguments
//! will do. Without the feature `archive` only [`licences`] remains.

#[cfg(feature = "archive")]
mod archive;
#[cfg(feature = "archive")]
mod build;
mod error;
pub mod licences;
#[cfg(feature = "archive")]
mod packing;

pub use error::PackError;
#[cfg(feature = "archive")]
pub use {
    archive::{File, zip},
    build::{Client, build, ensure_target_is_installed, remapped},
    packing::{Packed, pack, replace},
};

#[cfg(all(doctest, feature = "archive"))]
#[doc = include_str!("../README.md")]
struct Readme;
