//! Builds a client that runs on every x86-64 Linux and uses newer instructions where the processor has them.

use std::env;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::PackError;

/// The client to pack.
#[derive(Clone, Copy, Debug)]
pub struct Client<'a> {
    /// `Cargo.toml` of the package or of its workspace.
    pub manifest: &'a Path,
    /// Name of the package, and of the zip file and the program in it.
    pub package: &'a str,
    /// Name of the package's program.
    pub program: &'a str,
}

/// Linux with the musl C library, linked statically, so that nothing must be installed.
pub const TARGET: &str = "x86_64-unknown-linux-musl";

/// Compiler options of every build; they replace the user's `RUSTFLAGS`. The linker comes with Rust, so that every
/// system can link. A fixed address saves a table of 150 kB.
const STATIC: [&str; 5] = [
    "-Ctarget-feature=+crt-static",
    "-Crelocation-model=static",
    "-Clinker=rust-lld",
    "-Clink-self-contained=yes",
    "-Cstrip=symbols",
];

/// Last bytes of a file with an appended AVX2 build, after the length of that build. `client/src/build` reads both.
const MARK: [u8; 8] = *b"avx2-end";

/// Builds the program for every x86-64 processor, appends the program for x86-64-v3 (see `client/src/build`), and
/// returns the path.
///
/// # Errors
/// If the target is not installed or a build fails.
pub fn build(client: &Client, target: &Path, output: &Path) -> Result<PathBuf, PackError> {
    ensure_target_is_installed(TARGET)?;
    let builder = Builder { client, target, output };
    let avx2 = builder.build("-avx2", "-Ctarget-cpu=x86-64-v3")?;
    let baseline = builder.build("-baseline", "-Ctarget-cpu=x86-64")?;
    append(&baseline, &avx2).map_err(PackError::of_file("append to", &baseline))?;
    Ok(baseline)
}

/// Appends a program to another one, with its length and the mark.
fn append(to: &Path, program: &Path) -> io::Result<()> {
    let mut bytes = fs::read(program)?;
    bytes.extend((bytes.len() as u64).to_le_bytes());
    bytes.extend(MARK);
    OpenOptions::new().append(true).open(to)?.write_all(&bytes)
}

struct Builder<'a> {
    client: &'a Client<'a>,
    /// Cargo's target folder.
    target: &'a Path,
    /// Folder of the executables.
    output: &'a Path,
}

impl Builder<'_> {
    /// Builds the program and copies the executable to `PACKAGE` + `ending`.
    fn build(&self, ending: &str, processor: &str) -> Result<PathBuf, PackError> {
        let Client { manifest, package, program } = *self.client;
        let paths = remapped(self.target)?;
        let options: Vec<&str> = STATIC.into_iter().chain([paths.as_str(), processor]).collect();
        let mut cargo = Command::new("cargo");
        cargo
            .args(["build", "--release", "--package", package, "--bin", program, "--target", TARGET])
            .arg("--manifest-path")
            .arg(manifest)
            .env("CARGO_TARGET_DIR", self.target)
            .env("CARGO_ENCODED_RUSTFLAGS", options.join("\x1f"));
        let status = cargo.status().map_err(PackError::of_start("cargo"))?;
        if !status.success() {
            return Err(PackError(format!("cannot build {package}: see the messages of Cargo above")));
        }
        let from = self.target.join(TARGET).join("release").join(program);
        let to = self.output.join(format!("{package}{ending}"));
        fs::copy(&from, &to).map_err(PackError::of_file("copy", &from))?;
        Ok(to)
    }
}

/// Returns a compiler option that keeps the paths of this machine out of a program: of Cargo's packages and of the
/// folder `target`. Cargo itself passes relative paths for packages of the workspace.
///
/// The option names a file in `target`. If Cargo saw `--remap-path-prefix`, builds with different options would replace
/// each other, and nothing would be kept from the last contest build.
///
/// # Errors
/// If Cargo's folder is unknown or the file cannot be written.
pub fn remapped(target: &Path) -> Result<String, PackError> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let unknown = || PackError("the folder of Cargo's packages is unknown: set CARGO_HOME".to_owned());
    let home = home.or_else(|| env::home_dir().map(|home| home.join(".cargo"))).ok_or_else(unknown)?;
    // The compiler uses the last prefix that matches.
    let places = [(home.as_path(), "cargo"), (target, "target")];
    let options = places.map(|(from, to)| format!("--remap-path-prefix={}=/{to}\n", from.display()));
    let file = target.join("remapped-paths.txt");
    fs::write(&file, options.concat()).map_err(PackError::of_file("write", &file))?;
    Ok(format!("@{}", file.display()))
}

/// Checks that Rust can build for a target.
///
/// # Errors
/// If the target's standard library is missing.
pub fn ensure_target_is_installed(target: &str) -> Result<(), PackError> {
    let installed = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", target])
        .output()
        .map_err(PackError::of_start("rustc"))?;
    let folder = String::from_utf8_lossy(&installed.stdout);
    let is_installed = installed.status.success() && Path::new(folder.trim()).is_dir();
    let missing =
        || PackError(format!("the target {target} is missing: run `rustup target add {target}` and try again"));
    if is_installed { Ok(()) } else { Err(missing()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn appends_program_length_and_mark() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
        fs::write(&one, "baseline ").unwrap();
        fs::write(&other, "faster").unwrap();
        append(&one, &other).unwrap();
        assert_eq!(fs::read(&one).unwrap(), b"baseline faster\x06\0\0\0\0\0\0\0avx2-end");
    }
}
