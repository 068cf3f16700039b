//! Errors of packing.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// The reason why a client cannot be packed.
#[derive(Debug, Error)]
pub enum PackError {
    /// Cargo does not list the packages.
    #[error("cannot ask Cargo for the packages: {0}")]
    Metadata(#[from] cargo_metadata::Error),
    /// The package is unknown.
    #[error("there is no package `{0}`")]
    NoPackage(String),
    /// A program of Rust cannot be started.
    #[error("cannot run {program}: {error}")]
    Start {
        /// The program.
        program: &'static str,
        /// The error.
        error: io::Error,
    },
    /// Cargo does not list the linked packages.
    #[error("Cargo does not list the linked packages: {0}")]
    Tree(String),
    /// A package has no text of its licence.
    #[error("{0} has no text of its licence")]
    NoLicence(String),
    /// The target is not installed.
    #[error("Rust cannot build for {0} yet. Run `rustup target add {0}` and try again")]
    NoTarget(String),
    /// Cargo's folder is unknown.
    #[error("cannot find Cargo's folder; set CARGO_HOME")]
    NoHome,
    /// The build failed.
    #[error("cannot build {0}; see the output above")]
    Build(String),
    /// A file cannot be read or written.
    #[error("cannot {verb} {}: {error}", path.display())]
    File {
        /// The operation.
        verb: &'static str,
        /// The file.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
    /// The archive cannot be created.
    #[cfg(feature = "archive")]
    #[error("cannot create the archive: {0}")]
    Zip(#[from] zip::result::ZipError),
}

impl PackError {
    /// Converts an error about a file.
    pub(crate) fn of_file(verb: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::File { verb, path: path.to_owned(), error }
    }

    /// Converts an error about starting a program.
    pub(crate) fn of_start(program: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::Start { program, error }
    }
}
