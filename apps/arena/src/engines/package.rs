//! Packages as they are uploaded to the contest: a zip file with a script `start.sh`.

use std::fs::File;
use std::path::Path;

use tempfile::TempDir;
use zip::ZipArchive;

use crate::engines::process::word;

/// Start script of a contest package.
const START: &str = "start.sh";

/// Returns `true` if a command is the path of a package.
pub(super) fn is_package(command: &str) -> bool {
    Path::new(command).extension().is_some_and(|extension| extension == "zip")
}

/// A package in a folder of its own, which is deleted with it.
pub(super) struct Package(TempDir);

impl Package {
    /// Unpacks a package.
    pub(super) fn unpack(path: &str) -> Result<Self, String> {
        let failed = |error: &dyn std::fmt::Display| format!("cannot unpack {path}: {error}");
        let file = File::open(path).map_err(|error| failed(&error))?;
        let mut archive = ZipArchive::new(file).map_err(|error| failed(&error))?;
        let folder = TempDir::with_prefix("arena-package-").map_err(|error| failed(&error))?;
        archive.extract(folder.path()).map_err(|error| failed(&error))?;
        match folder.path().join(START).is_file() {
            true => Ok(Self(folder)),
            false => Err(failed(&format!("there is no {START} in it"))),
        }
    }

    /// The command that starts it, in its folder.
    pub(super) fn command(&self) -> String {
        format!("cd {} && exec sh ./{START}", word(&self.0.path().to_string_lossy()))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    #[test]
    fn rejects_packages_without_start_script() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("player.zip");
        let text = path.to_str().unwrap();
        assert!(is_package(text) && !is_package("sh a.zip -x"));
        let unpack = |name: &str| {
            let mut zip = ZipWriter::new(File::create(&path).unwrap());
            zip.start_file(name, SimpleFileOptions::default()).unwrap();
            zip.write_all(b"exit 1\n").unwrap();
            zip.finish().unwrap();
            Package::unpack(text)
        };
        assert!(unpack("start.sh").unwrap().command().ends_with(" && exec sh ./start.sh"));
        assert!(unpack("player/start.sh").err().unwrap().contains("there is no start.sh"));
        std::fs::write(&path, "no archive").unwrap();
        assert!(Package::unpack(text).err().unwrap().contains("cannot unpack"));
    }
}
