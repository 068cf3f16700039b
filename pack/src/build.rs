//! Building a client so that it runs on any x86-64 Linux, and fast where it can.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::PackError;
use crate::order::Order;

/// Linux with the musl C library, which is linked in, so that nothing need be installed.
pub const TARGET: &str = "x86_64-unknown-linux-musl";

/// The profile in the workspace's `Cargo.toml`: as `release`, but smaller.
const PROFILE: &str = "upload";

/// Compiler options of every build, in place of whatever `RUSTFLAGS` the user has: the C library is linked in, and the
/// program has a fixed address, which saves a table of 150 kB.
const STATIC: [&str; 2] = ["-Ctarget-feature=+crt-static", "-Crelocation-model=static"];

/// Builds the program for every x86-64 processor, with the program for processors of level v3 in it (see
/// `client::build`), and returns where it lies.
///
/// # Errors
/// If the target is not installed or a build fails.
pub fn build(order: &Order, target: &Path, output: &Path) -> Result<PathBuf, PackError> {
    ensure_target_is_installed()?;
    let workshop = Workshop { order, target, output };
    let avx2 = workshop.build("-avx2", &["-Ctarget-cpu=x86-64-v3"], None)?;
    workshop.build("", &["-Ctarget-cpu=x86-64", "--cfg=contains_avx2_build"], Some(&avx2))
}

/// What is built, and where.
struct Workshop<'a> {
    order: &'a Order<'a>,
    /// The target folder of Cargo.
    target: &'a Path,
    /// Where the executables go.
    output: &'a Path,
}

impl Workshop<'_> {
    /// Builds the program and gives the executable a name of its own.
    fn build(&self, ending: &str, flags: &[&str], avx2: Option<&Path>) -> Result<PathBuf, PackError> {
        let Order { manifest, package, program } = *self.order;
        let mut cargo = Command::new("cargo");
        cargo
            .args(["build", "--package", package, "--bin", program, "--target", TARGET, "--profile", PROFILE])
            .arg("--manifest-path")
            .arg(manifest)
            .env("CARGO_ENCODED_RUSTFLAGS", [&STATIC, flags].concat().join("\x1f"));
        if let Some(path) = avx2 {
            cargo.env("AVX2_BUILD", path);
        }
        let status = cargo.status().map_err(PackError::of_start("cargo"))?;
        if !status.success() {
            return Err(PackError::Build(package.to_owned()));
        }
        let from = self.target.join(TARGET).join(PROFILE).join(program);
        let to = self.output.join(format!("{package}{ending}"));
        fs::copy(&from, &to).map_err(PackError::of_file("copy", &from))?;
        Ok(to)
    }
}

fn ensure_target_is_installed() -> Result<(), PackError> {
    let installed = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", TARGET])
        .output()
        .map_err(PackError::of_start("rustc"))?;
    let folder = String::from_utf8_lossy(&installed.stdout);
    let is_installed = installed.status.success() && Path::new(folder.trim()).is_dir();
    if is_installed { Ok(()) } else { Err(PackError::NoTarget(TARGET)) }
}
