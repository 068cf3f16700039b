//! Packages as they are uploaded to the contest: a zip file with a script `start.sh`.

use std::fs::File;
use std::path::Path;

use tempfile::TempDir;
use zip::ZipArchive;

use crate::engines::process::shell_quote;

/// Start script of a contest package.
pub(crate) const START: &str = "start.sh";

/// Returns `true` if a command is the path of a package.
pub(super) fn is_package(command: &str) -> bool {
    has_extension(command, "zip")
}

/// Returns `true` if a command has a file name extension, in capital or small letters.
pub(super) fn has_extension(command: &str, extension: &str) -> bool {
    Path::new(command).extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

/// Unpacks a package into a folder of its own.
pub(super) fn unpack(path: &str) -> Result<TempDir, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string());
    let unpacked = folder.and_then(|folder| unpack_into(path.as_ref(), folder.path(), u128::MAX).map(|()| folder));
    unpacked.map_err(|reason| format!("cannot unpack {path}: {reason}"))
}

/// Returns the command that starts an unpacked package in its folder.
pub(super) fn command(folder: &TempDir) -> String {
    format!("cd {} && exec sh ./{START}", shell_quote(&folder.path().to_string_lossy()))
}

/// Unpacks a package of at most `max_bytes` bytes into a folder. The error does not name the package.
pub(crate) fn unpack_into(path: &Path, folder: &Path, max_bytes: u128) -> Result<(), String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let mut archive = ZipArchive::new(file).map_err(|error| error.to_string())?;
    if archive.decompressed_size().is_some_and(|size| size > max_bytes) {
        return Err(format!("it has more than {} MiB", max_bytes >> 20));
    }
    archive.extract(folder).map_err(|error| error.to_string())?;
    match folder.join(START).is_file() {
        true => Ok(()),
        false => Err(format!("there is no {START} at its top; zip the files, not their folder")),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::io::{self, Read};

    use zip::write::SimpleFileOptions;
    use zip::{CompressionMethod, ZipWriter};

    use super::*;

    /// Returns a package with files of these names and sizes.
    pub(crate) fn package(files: &[(&str, u64)]) -> Vec<u8> {
        let mut zip = ZipWriter::new(io::Cursor::new(Vec::new()));
        for &(name, size) in files {
            // Compression takes long to begin.
            let method = if size > 0 { CompressionMethod::Deflated } else { CompressionMethod::Stored };
            zip.start_file(name, SimpleFileOptions::default().compression_method(method)).unwrap();
            io::copy(&mut io::repeat(b' ').take(size), &mut zip).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    #[test]
    fn rejects_packages_without_start_script() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("player.zip");
        let text = path.to_str().unwrap();
        assert!(is_package(text) && !is_package("sh a.zip -x"));
        let unpack = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            super::unpack(text).map(|folder| command(&folder))
        };
        assert!(unpack(&package(&[("start.sh", 1)])).unwrap().ends_with(" && exec sh ./start.sh"));
        assert!(unpack(&package(&[("player/start.sh", 1)])).unwrap_err().contains("there is no start.sh"));
        assert!(unpack(b"no archive").unwrap_err().contains("cannot unpack"));
    }
}
