//! Builds a client for any Linux on x86-64, with a faster build for newer processors.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cargo_metadata::MetadataCommand;

use crate::error::PackError;
use crate::order::Order;

/// Linux with the musl C library, which is linked statically, so that the program has no dependencies.
pub const TARGET: &str = "x86_64-unknown-linux-musl";

/// The profile in the workspace's `Cargo.toml`: like `release`, but smaller.
const PROFILE: &str = "upload";

/// Compiler options instead of the user's `RUSTFLAGS`: C library and linker come with Rust, so that this works on every
/// system. A fixed address saves a table of 150 kB.
const STATIC: [&str; 4] =
    ["-Ctarget-feature=+crt-static", "-Crelocation-model=static", "-Clinker=rust-lld", "-Clink-self-contained=yes"];

/// Builds the program for every x86-64 processor, which contains the program for level v3 (see `client::build`), and
/// returns its path.
///
/// # Errors
/// If the target is not installed or a build fails.
pub fn build(order: &Order, target: &Path, output: &Path) -> Result<PathBuf, PackError> {
    let metadata = MetadataCommand::new().manifest_path(order.manifest).no_deps().exec()?;
    build_in(metadata.workspace_root.as_std_path(), order, target, output)
}

/// The same for a package whose workspace lies in the folder `root`.
pub(crate) fn build_in(root: &Path, order: &Order, target: &Path, output: &Path) -> Result<PathBuf, PackError> {
    ensure_target_is_installed(TARGET)?;
    let workshop = Workshop { order, root, target, output };
    let avx2 = workshop.build("-avx2", &["-Ctarget-cpu=x86-64-v3"], None)?;
    workshop.build("", &["-Ctarget-cpu=x86-64", "--cfg=contains_avx2_build"], Some(&avx2))
}

/// The paths of a build.
struct Workshop<'a> {
    order: &'a Order<'a>,
    /// The folder of its workspace.
    root: &'a Path,
    /// The target folder of Cargo.
    target: &'a Path,
    /// Where the executables go.
    output: &'a Path,
}

impl Workshop<'_> {
    /// Builds the program and gives the executable a name of its own.
    fn build(&self, ending: &str, flags: &[&str], avx2: Option<&Path>) -> Result<PathBuf, PackError> {
        let Order { manifest, package, program } = *self.order;
        let mut options = remapped(self.root, self.target)?;
        options.extend(STATIC.iter().chain(flags).map(|&option| option.to_owned()));
        let mut cargo = Command::new("cargo");
        cargo
            .args(["build", "--package", package, "--bin", program, "--target", TARGET, "--profile", PROFILE])
            .arg("--manifest-path")
            .arg(manifest)
            .env("CARGO_TARGET_DIR", self.target)
            .env("CARGO_ENCODED_RUSTFLAGS", options.join("\x1f"));
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

/// Compiler options that make a program independent of the paths of its build: the workspace `root` and the folder
/// `target`.
///
/// # Errors
/// If Cargo's folder is unknown or a folder is missing.
pub fn remapped(root: &Path, target: &Path) -> Result<Vec<String>, PackError> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| env::home_dir().map(|home| home.join(".cargo"))).ok_or(PackError::NoHome)?;
    let root = root.canonicalize().map_err(PackError::of_file("find", root))?;
    // The last match counts.
    let places = [(home.as_path(), "cargo"), (&root, "root"), (target, "target")];
    Ok(places.iter().map(|(from, to)| format!("--remap-path-prefix={}=/{to}", from.display())).collect())
}

/// Checks that Rust can build for a target.
///
/// # Errors
/// If its standard library is not installed.
pub fn ensure_target_is_installed(target: &str) -> Result<(), PackError> {
    let installed = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", target])
        .output()
        .map_err(PackError::of_start("rustc"))?;
    let folder = String::from_utf8_lossy(&installed.stdout);
    let is_installed = installed.status.success() && Path::new(folder.trim()).is_dir();
    if is_installed { Ok(()) } else { Err(PackError::NoTarget(target.to_owned())) }
}
