//! The licences of everything that is linked into the client.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use cargo_metadata::{Metadata, Package};

use crate::archive::File;
use crate::build::TARGET;

/// The licence of the C library, which Rust links in without its own text.
const MUSL: &str = include_str!("../package/musl.txt");

/// Beginnings of the names of files with licences.
const NAMES: [&str; 6] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];

/// The texts as files for the package: of this workspace, of the packages that the client depends
/// on, of Rust's standard library, and of the C library.
///
/// # Errors
/// If a package comes without the text of its licence, or Rust does.
pub fn gather(root: &Path, metadata: &Metadata) -> anyhow::Result<Vec<File>> {
    let file = |name: &str, text: String| File { name: format!("licences/{name}"), text };
    Ok(vec![
        file("client-MIT.txt", read(&root.join("LICENSE-MIT"))?),
        file("client-Apache-2.0.txt", read(&root.join("LICENSE-APACHE"))?),
        file("crates.txt", of_crates(&linked(root, metadata)?)?),
        file("rust-standard-library.html", of_standard_library()?),
        file("musl.txt", MUSL.to_owned()),
    ])
}

/// The packages outside of the workspace whose code is in the client. What only runs while it is
/// built (macros, build scripts) is not.
fn linked<'a>(root: &Path, metadata: &'a Metadata) -> anyhow::Result<Vec<&'a Package>> {
    let output = Command::new("cargo")
        .args(["tree", "--package", "blokus-client", "--target", TARGET, "--edges", "normal,no-proc-macro"])
        .args(["--prefix", "none", "--format", "{p}"])
        .current_dir(root)
        .output()
        .context("cannot run cargo")?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "Cargo does not tell which packages are used: {errors}");
    // Each line begins with a name and a version.
    let tree = String::from_utf8_lossy(&output.stdout);
    let used: BTreeSet<_> = tree.lines().map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect();
    let is_used = |package: &&Package| used.contains(&format!("{} v{}", package.name, package.version));
    Ok(metadata.packages.iter().filter(|package| package.source.is_some()).filter(is_used).collect())
}

/// Every text once, below the packages that it belongs to.
fn of_crates(packages: &[&Package]) -> anyhow::Result<String> {
    let mut owners: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in packages {
        let folder = package.manifest_path.parent().context("a manifest lies in a folder")?;
        let files = files(folder.as_std_path())?;
        ensure!(!files.is_empty(), "{} {} comes without the text of its licence", package.name, package.version);
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

/// The files with licences in a folder.
fn files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read the folder {}", folder.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<anyhow::Result<Vec<_>>>()?;
    paths.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        path.is_file() && NAMES.iter().any(|start| name.starts_with(start))
    });
    paths.sort();
    Ok(paths)
}

/// The notices that come with Rust, for the standard library and all that is in it.
fn of_standard_library() -> anyhow::Result<String> {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output().context("cannot run rustc")?;
    let sysroot = String::from_utf8_lossy(&output.stdout);
    read(&Path::new(sysroot.trim()).join("share/doc/rust/COPYRIGHT-library.html"))
}

fn read(path: &Path) -> anyhow::Result<String> {
    let bytes = fs::read(path).with_context(|| format!("cannot read the licence {}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).replace("\r\n", "\n"))
}
