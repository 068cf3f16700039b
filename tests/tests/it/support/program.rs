//! The programs of the workspace.

use std::env::{self, consts::EXE_SUFFIX};
use std::path::PathBuf;
use std::process::Command;

/// Returns the path of a program of another package, built by `cargo test --workspace` with the running test.
pub fn path(name: &str) -> PathBuf {
    let test = env::current_exe().expect("a running program has a path");
    // Test binaries are in the folder `deps` next to the programs.
    let folder = test.parent().and_then(|deps| deps.parent()).expect("tests are in a folder of the build");
    let program = folder.join(format!("{name}{EXE_SUFFIX}"));
    assert!(program.exists(), "{} is missing: build it first, or test with --workspace", program.display());
    program
}

/// Returns a command for the program.
pub fn command(name: &str) -> Command {
    Command::new(path(name))
}
