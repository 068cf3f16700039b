//! From an order to the file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use cargo_metadata::MetadataCommand;

use crate::archive::{self, Contents};
use crate::build;
use crate::error::PackError;
use crate::licences;
use crate::order::Order;

/// A file that was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Packed {
    /// Where it lies.
    pub path: PathBuf,
    /// How many bytes it has.
    pub bytes: usize,
    /// How many of them the program takes when it is unpacked.
    pub program_bytes: usize,
}

/// Builds a client and packs everything that a contest system needs into `target/contest/PACKAGE.zip`. The same sources
/// and the same Rust give the same bytes.
///
/// # Errors
/// [`PackError`]
pub fn pack(order: &Order) -> Result<Packed, PackError> {
    let metadata = MetadataCommand::new().manifest_path(order.manifest).no_deps().exec()?;
    if !metadata.packages.iter().any(|package| package.name == order.package) {
        return Err(PackError::NoPackage(order.package.to_owned()));
    }
    let target = metadata.target_directory.as_std_path();
    let folder = target.join("contest");
    fs::create_dir_all(&folder).map_err(PackError::of_file("make the folder", &folder))?;
    let executable = build::build_in(metadata.workspace_root.as_std_path(), order, target, &folder)?;
    let program = fs::read(&executable).map_err(PackError::of_file("read", &executable))?;
    let licences = licences::gather(order.manifest, order.package, build::TARGET)?;
    let zip = archive::pack(&Contents { name: order.package, program: &program, licences: &licences })?;
    let path = folder.join(format!("{}.zip", order.package));
    replace(&path, &zip).map_err(PackError::of_file("write", &path))?;
    Ok(Packed { path, bytes: zip.len(), program_bytes: program.len() })
}

/// Writes a file; an earlier one stays as it was until this one is whole.
///
/// # Errors
/// Those of the file system.
pub fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    let draft = path.with_extension("new");
    fs::write(&draft, contents)?;
    fs::rename(&draft, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_written_leaves_the_earlier_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.zip");
        replace(&path, b"one").unwrap();
        // A folder is in the way of the draft.
        fs::create_dir(path.with_extension("new")).unwrap();
        assert!(replace(&path, b"two").is_err());
        assert_eq!(fs::read(&path).unwrap(), b"one");
    }

    #[test]
    fn unknown_packages_are_named() {
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let order = Order { manifest: manifest.as_ref(), package: "nothing", program: "nothing" };
        assert_eq!(pack(&order).unwrap_err().to_string(), "there is no package `nothing`");
    }
}
