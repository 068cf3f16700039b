//! The licences of everything that is linked into a program or a library.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cargo_metadata::{MetadataCommand, Package};

use crate::error::PackError;

/// The licence of the C library, which Rust links in without its own text.
const MUSL: &str = include_str!("../texts/musl.txt");

/// Beginnings of the names of files with licences.
const NAMES: [&str; 6] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];

/// A text for whoever gets the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// The name of its file.
    pub name: &'static str,
    /// What stands in it.
    pub text: String,
}

/// The texts for a package when it is built for a target: of the packages that it depends on, of Rust's standard
/// library, and of the C library where that is linked in. The package itself may come without one.
///
/// # Errors
/// [`PackError`], for example if a package comes without the text of its licence, or Rust does.
pub fn gather(manifest: &Path, package: &str, target: &str) -> Result<Vec<Text>, PackError> {
    let mut texts = vec![
        Text { name: "crates.txt", text: of_crates(&linked(manifest, package, target)?, package)? },
        Text { name: "rust-standard-library.html", text: of_standard_library()? },
    ];
    if target.ends_with("-musl") {
        texts.push(Text { name: "musl.txt", text: MUSL.to_owned() });
    }
    Ok(texts)
}

/// The packages whose code is in a package. What only runs while it is built (macros, build scripts) is not.
fn linked(manifest: &Path, package: &str, target: &str) -> Result<Vec<Package>, PackError> {
    let metadata = MetadataCommand::new()
        .manifest_path(manifest)
        .other_options(["--filter-platform", target].map(str::to_owned))
        .exec()?;
    let output = Command::new("cargo")
        .args(["tree", "--package", package, "--target", target, "--edges", "normal,no-proc-macro"])
        .args(["--prefix", "none", "--format", "{p}", "--manifest-path"])
        .arg(manifest)
        .output()
        .map_err(PackError::of_start("cargo"))?;
    if !output.status.success() {
        return Err(PackError::Tree(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    // Each line begins with a name and a version.
    let tree = String::from_utf8_lossy(&output.stdout);
    let used: BTreeSet<_> = tree.lines().map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect();
    let is_used = |package: &Package| used.contains(&format!("{} v{}", package.name, package.version));
    Ok(metadata.packages.into_iter().filter(is_used).collect())
}

/// Every text once, below the packages that it belongs to. Only `own` may have none.
fn of_crates(packages: &[Package], own: &str) -> Result<String, PackError> {
    let mut owners: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in packages {
        let files = files(package.manifest_path.as_std_path())?;
        if files.is_empty() && package.name != own {
            return Err(PackError::NoLicence(format!("{} {}", package.name, package.version)));
        }
        for path in files {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let owner = format!("{} {}: {name}", package.name, package.version);
            owners.entry(read(&path)?).or_default().push(owner);
        }
    }
    let mut all: Vec<_> = owners.into_iter().map(|(text, owners)| (owners, text)).collect();
    all.sort();
    let line = "=".repeat(80);
    let parts =
        all.iter().map(|(owners, text)| format!("{line}\n{}\n{line}\n\n{}\n\n", owners.join("\n"), text.trim()));
    Ok(parts.collect())
}

/// The files with licences beside a manifest.
fn files(manifest: &Path) -> Result<Vec<PathBuf>, PackError> {
    let folder = manifest.parent().unwrap_or(Path::new("."));
    let entries = fs::read_dir(folder).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    let mut paths: Vec<PathBuf> = entries.map_err(PackError::of_file("read", folder))?;
    paths.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        path.is_file() && NAMES.iter().any(|start| name.starts_with(start))
    });
    paths.sort();
    Ok(paths)
}

/// The notices that come with Rust, for the standard library and all that is in it.
fn of_standard_library() -> Result<String, PackError> {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output().map_err(PackError::of_start("rustc"))?;
    let sysroot = String::from_utf8_lossy(&output.stdout);
    read(&Path::new(sysroot.trim()).join("share/doc/rust/COPYRIGHT-library.html"))
}

fn read(path: &Path) -> Result<String, PackError> {
    let bytes = fs::read(path).map_err(PackError::of_file("read", path))?;
    Ok(String::from_utf8_lossy(&bytes).replace("\r\n", "\n"))
}
