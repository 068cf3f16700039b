//! Errors of packing.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// A client cannot be packed.
#[derive(Debug, Error)]
pub enum PackError {
    /// `cargo metadata` failed.
    #[error("`cargo metadata` failed: {0}")]
    Metadata(#[from] cargo_metadata::Error),
    /// The package does not exist.
    #[error("there is no package `{0}`")]
    NoPackage(String),
    /// Cargo or rustc cannot be started.
    #[error("cannot run {program}: {error}")]
    Start {
        /// Name of the program.
        program: &'static str,
        /// Cause.
        error: io::Error,
    },
    /// `cargo tree` failed.
    #[error("`cargo tree` failed: {0}")]
    Tree(String),
    /// A package has no licence file.
    #[error("{0} has no licence file")]
    NoLicence(String),
    /// The target is not installed.
    #[error("the target {0} is missing: run `rustup target add {0}` and try again")]
    NoTarget(String),
    /// Cargo's folder is unknown.
    #[error("the folder of Cargo's packages is unknown: set CARGO_HOME")]
    NoHome,
    /// The build failed.
    #[error("cannot build {0}: see the messages of Cargo above")]
    Build(String),
    /// A file cannot be read or written.
    #[error("cannot {verb} {}: {error}", path.display())]
    File {
        /// Failed action.
        verb: &'static str,
        /// Path of the file.
        path: PathBuf,
        /// Cause.
        error: io::Error,
    },
    /// The archive cannot be written.
    #[cfg(feature = "archive")]
    #[error("cannot write the archive: {0}")]
    Zip(#[from] zip::result::ZipError),
}

impl PackError {
    /// Converts an error about a file.
    pub(crate) fn of_file(verb: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::File { verb, path: path.to_owned(), error }
    }

    /// Converts an error about the start of a program.
    pub(crate) fn of_start(program: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::Start { program, error }
    }
}
