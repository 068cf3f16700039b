//! Builds a client and packs it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use cargo_metadata::MetadataCommand;

use crate::archive;
use crate::build::{self, Client};
use crate::error::PackError;
use crate::licences;

/// The zip file of a client.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Packed {
    /// Path of the file.
    pub path: PathBuf,
    /// Size in bytes.
    pub bytes: usize,
    /// Size of the unpacked program in bytes.
    pub program_bytes: usize,
}

/// Builds a client and packs it for the contest into `target/contest/PACKAGE.zip`. The same sources and the same Rust
/// give the same bytes.
///
/// # Errors
/// [`PackError`]
pub fn pack(client: &Client) -> Result<Packed, PackError> {
    let metadata = MetadataCommand::new().manifest_path(client.manifest).no_deps().exec()?;
    if !metadata.packages.iter().any(|package| package.name == client.package) {
        return Err(PackError(format!("there is no package `{}`", client.package)));
    }
    let target = metadata.target_directory.as_std_path();
    let folder = target.join("contest");
    fs::create_dir_all(&folder).map_err(PackError::of_file("create", &folder))?;
    let executable = build::build(client, target, &folder)?;
    let program = fs::read(&executable).map_err(PackError::of_file("read", &executable))?;
    let licences = licences::gather(client.manifest, client.package, build::TARGET)?;
    let program_bytes = program.len();
    let zip = archive::pack(client.package, program, licences)?;
    let path = folder.join(format!("{}.zip", client.package));
    replace(&path, &zip).map_err(PackError::of_file("write", &path))?;
    Ok(Packed { path, bytes: zip.len(), program_bytes })
}

/// Replaces a file in one step: an earlier file stays complete until the new one is.
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
    fn failed_write_keeps_the_earlier_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.zip");
        replace(&path, b"one").unwrap();
        // A folder has the name of the draft.
        fs::create_dir(path.with_extension("new")).unwrap();
        assert!(replace(&path, b"two").is_err());
        assert_eq!(fs::read(&path).unwrap(), b"one");
    }

    #[test]
    fn names_the_unknown_package() {
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let client = Client { manifest: manifest.as_ref(), package: "nothing", program: "nothing" };
        assert_eq!(pack(&client).unwrap_err().to_string(), "there is no package `nothing`");
    }
}
