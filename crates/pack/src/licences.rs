//! Licences of all packages in a program or a library.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cargo_metadata::MetadataCommand;
pub use cargo_metadata::Package;

use crate::error::PackError;

/// Licences of C libraries that are linked in: end of the target's name, name of the file, text.
const C_LIBRARIES: [(&str, &str, &str); 2] = [
    ("-musl", "musl.txt", include_str!("../texts/musl.txt")),
    ("-windows-gnu", "mingw-w64.txt", include_str!("../texts/mingw.txt")),
];

/// Beginnings of the names of licence files.
const LICENCE_PREFIXES: [&str; 6] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];

/// A licence text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LicenceText {
    /// Name of the file.
    pub name: &'static str,
    /// Contents.
    pub text: String,
}

/// Returns the licences of a package built for `target`: its dependencies, Rust's standard library, and the C library
/// if it is linked in. The package itself may lack a licence file.
///
/// # Errors
/// [`PackError`], for example if a dependency has no licence file.
pub fn gather(manifest: &Path, package: &str, target: &str) -> Result<Vec<LicenceText>, PackError> {
    let (texts, without) = gather_for(manifest, &[package], target)?;
    match without.into_iter().find(|other| other.name != package) {
        Some(other) => Err(PackError(format!("{} {} has no licence file", other.name, other.version))),
        None => Ok(texts),
    }
}

/// Like [`gather`] for several packages; also returns the packages without a licence file.
///
/// # Errors
/// [`PackError`]
pub fn gather_for(
    manifest: &Path,
    packages: &[&str],
    target: &str,
) -> Result<(Vec<LicenceText>, Vec<Package>), PackError> {
    let (crates, without) = join_licences(linked_packages(manifest, packages, target)?)?;
    let mut texts = vec![
        LicenceText { name: "crates.txt", text: crates },
        LicenceText { name: "rust-standard-library.html", text: read_standard_library_notices()? },
    ];
    let c_library = C_LIBRARIES.iter().find(|(ending, ..)| target.ends_with(ending));
    texts.extend(c_library.map(|&(_, name, text)| LicenceText { name, text: text.to_owned() }));
    Ok((texts, without))
}

/// Returns the packages that are linked in. Macros and build scripts are not.
fn linked_packages(manifest: &Path, packages: &[&str], target: &str) -> Result<Vec<Package>, PackError> {
    let metadata = MetadataCommand::new()
        .manifest_path(manifest)
        .other_options(["--filter-platform", target].map(str::to_owned))
        .exec()?;
    let output = Command::new("cargo")
        .args(["tree", "--target", target, "--edges", "normal,no-proc-macro"])
        .args(packages.iter().flat_map(|package| ["--package", package]))
        .args(["--prefix", "none", "--format", "{p}", "--manifest-path"])
        .arg(manifest)
        .output()
        .map_err(PackError::of_start("cargo"))?;
    if !output.status.success() {
        return Err(PackError::of_cargo("tree", String::from_utf8_lossy(&output.stderr)));
    }
    // Each line begins with a name and a version.
    let tree = String::from_utf8_lossy(&output.stdout);
    let used: BTreeSet<_> = tree.lines().map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect();
    let is_used = |package: &Package| used.contains(&format!("{} v{}", package.name, package.version));
    Ok(metadata.packages.into_iter().filter(is_used).collect())
}

/// Joins the licences of packages, each text once below the names of its packages. Also returns the packages without a
/// licence file.
fn join_licences(packages: Vec<Package>) -> Result<(String, Vec<Package>), PackError> {
    let mut owners: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut without = Vec::new();
    for package in packages {
        let files = licence_files(package.manifest_path.as_std_path())?;
        for path in &files {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let owner = format!("{} {}: {name}", package.name, package.version);
            owners.entry(read_licence(path)?).or_default().push(owner);
        }
        if files.is_empty() {
            without.push(package);
        }
    }
    let mut all: Vec<_> = owners.into_iter().map(|(text, owners)| (owners, text)).collect();
    all.sort();
    let line = "=".repeat(80);
    let parts =
        all.iter().map(|(owners, text)| format!("{line}\n{}\n{line}\n\n{}\n\n", owners.join("\n"), text.trim()));
    Ok((parts.collect(), without))
}

/// Returns the licence files next to a manifest.
fn licence_files(manifest: &Path) -> Result<Vec<PathBuf>, PackError> {
    let folder = manifest.parent().unwrap_or(Path::new("."));
    let entries = fs::read_dir(folder).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    let mut paths: Vec<PathBuf> = entries.map_err(PackError::of_file("read", folder))?;
    paths.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        path.is_file() && LICENCE_PREFIXES.iter().any(|start| name.starts_with(start))
    });
    paths.sort();
    Ok(paths)
}

/// Returns the notices of Rust's standard library.
fn read_standard_library_notices() -> Result<String, PackError> {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output().map_err(PackError::of_start("rustc"))?;
    if !output.status.success() {
        return Err(PackError(format!("rustc --print sysroot: {}", String::from_utf8_lossy(&output.stderr))));
    }
    let sysroot = String::from_utf8_lossy(&output.stdout);
    read(&Path::new(sysroot.trim()).join("share/doc/rust/COPYRIGHT-library.html"))
}

/// Reads a licence. Where symbolic links are off, as often on Windows, git writes the path of the target into the file.
fn read_licence(path: &Path) -> Result<String, PackError> {
    let text = read(path)?;
    let linked = path.with_file_name(text.trim());
    if !text.trim().contains('\n') && linked.is_file() { read(&linked) } else { Ok(text) }
}

fn read(path: &Path) -> Result<String, PackError> {
    let bytes = fs::read(path).map_err(PackError::of_file("read", path))?;
    Ok(String::from_utf8_lossy(&bytes).replace("\r\n", "\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_links_that_git_wrote_as_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, crate_folder) = (folder.path().join("LICENSE"), folder.path().join("crate"));
        fs::create_dir(&crate_folder).expect("it is new");
        fs::write(&file, "Permission is granted\nto all.\n").expect("there is room");
        let link = crate_folder.join("LICENSE");
        for (content, expected) in
            [("../LICENSE", "Permission is granted\nto all.\n"), ("Public domain", "Public domain")]
        {
            fs::write(&link, content).expect("there is room");
            assert_eq!(read_licence(&link).expect("it is there"), expected);
        }
    }
}
