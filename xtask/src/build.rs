//! Building the client so that it runs on any x86-64 Linux.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

/// Linux with the musl C library, which is linked in, so that nothing need be installed.
pub const TARGET: &str = "x86_64-unknown-linux-musl";

/// The profile in the workspace's `Cargo.toml`: as `release`, without what only debuggers need.
const PROFILE: &str = "upload";

/// In place of whatever `RUSTFLAGS` the user has: no instructions but those of every x86-64.
const RUSTFLAGS: &str = "-Ctarget-cpu=x86-64\x1f-Ctarget-feature=+crt-static";

/// Builds the client and returns where it lies.
///
/// # Errors
/// If the target is not installed or the build fails.
pub fn client(root: &Path, target_folder: &Path) -> anyhow::Result<PathBuf> {
    let installed = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", TARGET])
        .output()
        .context("cannot run rustc")?;
    let folder = String::from_utf8_lossy(&installed.stdout);
    ensure!(
        installed.status.success() && Path::new(folder.trim()).is_dir(),
        "Rust cannot build for {TARGET} yet. Run `rustup target add {TARGET}` and try again"
    );
    let status = Command::new("cargo")
        .args(["build", "--package", "client", "--bin", "client", "--target", TARGET, "--profile", PROFILE])
        .current_dir(root)
        .env("CARGO_ENCODED_RUSTFLAGS", RUSTFLAGS)
        .status()
        .context("cannot run cargo")?;
    ensure!(status.success(), "the client cannot be built; the reason stands above");
    Ok(target_folder.join(TARGET).join(PROFILE).join("client"))
}
