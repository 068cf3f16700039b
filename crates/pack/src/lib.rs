//! The file that is uploaded to the contest system: a client with its start script and licences.
//!
//! [`pack`] builds a client so that it runs on any Linux with an x86-64 processor, and packs it. Nothing is known of
//! players or of the game: any program that understands the contest's arguments can be packed. The texts of
//! [`licences`] alone can be had without the feature `archive`.

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
