//! What is to be packed.

use std::path::Path;

/// What is to be packed.
#[derive(Clone, Copy, Debug)]
pub struct Order<'a> {
    /// The `Cargo.toml` of the package or of its workspace, which has the profile `upload`.
    pub manifest: &'a Path,
    /// The package. The file and the program in it are named like it.
    pub package: &'a str,
    /// Its program.
    pub program: &'a str,
}
