//! Building the client so that it runs on any x86-64 Linux, and fast where it can.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

/// Linux with the musl C library, which is linked in, so that nothing need be installed.
pub const TARGET: &str = "x86_64-unknown-linux-musl";

/// The profile in the workspace's `Cargo.toml`: as `release`, but smaller.
const PROFILE: &str = "upload";

/// Compiler options of every build, in place of whatever `RUSTFLAGS` the user has: the C library is linked in, and the
/// program has a fixed address, which saves a table of 150 kB.
const STATIC: [&str; 2] = ["-Ctarget-feature=+crt-static", "-Crelocation-model=static"];

/// Where the client is built and what comes of it.
pub struct Workshop<'a> {
    /// The folder of the workspace.
    pub root: &'a Path,
    /// The target folder of Cargo.
    pub target: &'a Path,
    /// Where the executables go.
    pub output: &'a Path,
}

impl Workshop<'_> {
    /// Builds the client for every x86-64 processor, with the client for processors of level v3 in
    /// it (see `client/src/build.rs`), and returns where it lies.
    ///
    /// # Errors
    /// If the target is not installed or a build fails.
    pub fn client(&self) -> anyhow::Result<PathBuf> {
        ensure_target_is_installed()?;
        let avx2 = self.build("blokus-client-avx2", &["-Ctarget-cpu=x86-64-v3"], None)?;
        self.build("blokus-client", &["-Ctarget-cpu=x86-64", "--cfg=contains_avx2_build"], Some(&avx2))
    }

    /// Builds the client and gives the executable a name of its own.
    fn build(&self, name: &str, flags: &[&str], avx2: Option<&Path>) -> anyhow::Result<PathBuf> {
        let mut cargo = Command::new("cargo");
        cargo
            .args(["build", "--package", "blokus-client", "--bin", "client", "--target", TARGET, "--profile", PROFILE])
            .current_dir(self.root)
            .env("CARGO_ENCODED_RUSTFLAGS", [&STATIC, flags].concat().join("\x1f"));
        if let Some(path) = avx2 {
            cargo.env("AVX2_BUILD", path);
        }
        let status = cargo.status().context("cannot run cargo")?;
        ensure!(status.success(), "the client cannot be built; the reason stands above");
        let (from, to) = (self.target.join(TARGET).join(PROFILE).join("client"), self.output.join(name));
        fs::copy(&from, &to).with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
        Ok(to)
    }
}

fn ensure_target_is_installed() -> anyhow::Result<()> {
    let installed = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", TARGET])
        .output()
        .context("cannot run rustc")?;
    let folder = String::from_utf8_lossy(&installed.stdout);
    ensure!(
        installed.status.success() && Path::new(folder.trim()).is_dir(),
        "Rust cannot build for {TARGET} yet. Run `rustup target add {TARGET}` and try again"
    );
    Ok(())
}
