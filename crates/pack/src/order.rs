//! The order.

use std::path::Path;

/// An order: the program to pack.
#[derive(Clone, Copy, Debug)]
pub struct Order<'a> {
    /// The `Cargo.toml` of the package or its workspace, with the profile `upload`.
    pub manifest: &'a Path,
    /// The package, which names the archive and the program in it.
    pub package: &'a str,
    /// The program of the package.
    pub program: &'a str,
}
