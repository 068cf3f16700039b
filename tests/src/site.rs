//! The board as a static site, where Rust can build it.

use std::path::Path;
use std::process::Command;

use crate::program;

/// WebAssembly as browsers have it.
const TARGET: &str = "wasm32-unknown-unknown";

/// Whether Rust can build for browsers. The test program `left_out` says if it cannot.
pub fn can_be_built() -> bool {
    let output = Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output();
    output.is_ok_and(|output| Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir())
}

/// Builds it into a folder. What it tells of its size.
///
/// # Panics
/// If it cannot be built.
pub fn build(folder: &Path) -> String {
    let output = Command::new(program::path("xtask")).arg("site").arg(folder).output().expect("it can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}
