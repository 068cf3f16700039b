//! Packing.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use cargo_metadata::MetadataCommand;

use crate::archive::{self, Contents};
use crate::build;
use crate::error::PackError;
use crate::licences;
use crate::order::Order;

/// A packed file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Packed {
    /// Its path.
    pub path: PathBuf,
    /// Its size in bytes.
    pub bytes: usize,
    /// The unpacked size of the program in bytes.
    pub program_bytes: usize,
}

/// Builds a client and packs it for the contest system into `target/contest/PACKAGE.zip`. The same sources and the same
/// Rust give the same bytes.
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
    fs::create_dir_all(&folder).map_err(PackError::of_file("create the folder", &folder))?;
    let executable = build::build_in(metadata.workspace_root.as_std_path(), order, target, &folder)?;
    let program = fs::read(&executable).map_err(PackError::of_file("read", &executable))?;
    let licences = licences::gather(order.manifest, order.package, build::TARGET)?;
    let zip = archive::pack(&Contents { name: order.package, program: &program, licences: &licences })?;
    let path = folder.join(format!("{}.zip", order.package));
    replace(&path, &zip).map_err(PackError::of_file("write", &path))?;
    Ok(Packed { path, bytes: zip.len(), program_bytes: program.len() })
}

/// Replaces a file atomically.
///
/// # Errors
/// If the file cannot be written.
pub fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    let draft = path.with_extension("new");
    fs::write(&draft, contents)?;
    fs::rename(&draft, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_write_keeps_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.zip");
        replace(&path, b"one").unwrap();
        // A folder blocks the draft.
        fs::create_dir(path.with_extension("new")).unwrap();
        assert!(replace(&path, b"two").is_err());
        assert_eq!(fs::read(&path).unwrap(), b"one");
    }

    #[test]
    fn error_names_unknown_package() {
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let order = Order { manifest: manifest.as_ref(), package: "nothing", program: "nothing" };
        assert_eq!(pack(&order).unwrap_err().to_string(), "there is no package `nothing`");
    }
}
