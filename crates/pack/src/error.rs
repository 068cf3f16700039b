//! Why a client cannot be packed.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a client cannot be packed.
#[derive(Debug, Error)]
pub enum PackError {
    /// Cargo says nothing of the packages.
    #[error("cannot ask Cargo for the packages: {0}")]
    Metadata(#[from] cargo_metadata::Error),
    /// There is no such package.
    #[error("there is no package `{0}`")]
    NoPackage(String),
    /// A program of Rust cannot be started.
    #[error("cannot run {program}: {error}")]
    Start {
        /// The program.
        program: &'static str,
        /// Why it cannot be started.
        error: io::Error,
    },
    /// Cargo does not say which packages are linked in.
    #[error("Cargo does not tell which packages are used: {0}")]
    Tree(String),
    /// A package comes without the text of its licence.
    #[error("{0} comes without the text of its licence")]
    NoLicence(String),
    /// The target is not installed.
    #[error("Rust cannot build for {0} yet. Run `rustup target add {0}` and try again")]
    NoTarget(String),
    /// Cargo has no folder.
    #[error("nobody knows where Cargo keeps the packages of others")]
    NoHome,
    /// The build failed.
    #[error("{0} cannot be built; the reason stands above")]
    Build(String),
    /// A file cannot be read or written.
    #[error("cannot {verb} {}: {error}", path.display())]
    File {
        /// What should be done with it.
        verb: &'static str,
        /// The file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// The archive cannot be made.
    #[cfg(feature = "archive")]
    #[error("cannot make the archive: {0}")]
    Zip(#[from] zip::result::ZipError),
}

impl PackError {
    /// What turns an error about a file into this one.
    pub(crate) fn of_file(verb: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::File { verb, path: path.to_owned(), error }
    }

    /// What turns an error about the start of a program into this one.
    pub(crate) fn of_start(program: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::Start { program, error }
    }
}
