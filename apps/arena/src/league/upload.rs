//! Uploaded contest packages: checked before they join the folder of a league.

use std::fs;
use std::io::{self, BufReader, Write};
use std::path::Path;
use std::time::Duration;

use tempfile::NamedTempFile;
use thiserror::Error;
use zip::ZipArchive;
use zip::result::ZipError;

use super::folder::EXTENSIONS;
use crate::engines::package::START;

/// Maximum size of a package in bytes.
pub const MAX_BYTES: usize = 50 << 20;

/// Maximum size of the unpacked files of any package of a league in bytes.
pub(super) const MAX_UNPACKED: u64 = 500 << 20;

/// Maximum number of its files.
const MAX_FILES: usize = 10_000;

/// Maximum length of a team's name in letters.
const MAX_NAME: usize = 40;

/// Reason why a package is refused.
#[derive(Debug, Error)]
pub enum UploadError {
    /// The file is larger than [`MAX_BYTES`].
    #[error("the package has more than {} MiB", MAX_BYTES >> 20)]
    Large,
    /// There are more than 10,000 files, or they are larger than 500 MiB.
    #[error("the package has more than {MAX_FILES} files or {} MiB of files", MAX_UNPACKED >> 20)]
    LargeUnpacked,
    /// The file is not a zip file.
    #[error("the package is not a zip file: {0}")]
    Zip(#[from] ZipError),
    /// A file would be written outside the package's folder, or is a link.
    #[error("`{0}` is not a plain file in the package")]
    Path(String),
    /// There is no start script.
    #[error("there is no {START} at the top of the package; zip the files, not their folder")]
    Start,
    /// The name of the team cannot be the name of a file.
    #[error("expected a name of up to {MAX_NAME} letters, digits, - and _")]
    Name,
    /// Another file of the league has the name of the team.
    #[error("`{0}` has the name of the team, so the league would ignore its package")]
    Taken(String),
    /// The package cannot be stored.
    #[error("cannot store the package: {0}")]
    Io(#[from] io::Error),
}

impl UploadError {
    /// Returns an identifier that the page translates.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Large | Self::LargeUnpacked => "zip_large",
            Self::Zip(_) => "zip_broken",
            Self::Path(_) => "zip_path",
            Self::Start => "zip_start",
            Self::Name => "team_name",
            Self::Taken(_) => "team_taken",
            Self::Io(_) => "zip_io",
        }
    }
}

/// Checks the name of a team, which becomes the name of a file in the folder of the league.
pub fn check_name(folder: &Path, name: &str) -> Result<(), UploadError> {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_".contains(letter);
    if !(1..=MAX_NAME).contains(&name.chars().count()) || !name.chars().all(is_plain) {
        return Err(UploadError::Name);
    }
    let others = EXTENSIONS.iter().filter(|ending| **ending != "zip").map(|ending| format!("{name}.{ending}"));
    match others.chain([name.to_owned()]).find(|other| folder.join(other).exists()) {
        Some(other) => Err(UploadError::Taken(other)),
        None => Ok(()),
    }
}

/// Beginning of the names of incomplete files, which the league ignores.
const INCOMPLETE: &str = ".upload-";

/// Deletes incomplete files that a killed service has left, if they are at least this old.
pub fn delete_incomplete(folder: &Path, least_age: Duration) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_incomplete = entry.file_name().as_encoded_bytes().starts_with(INCOMPLETE.as_bytes());
        if is_incomplete && entry.metadata()?.modified()?.elapsed().is_ok_and(|age| age >= least_age) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Writes a file that only this user can read, as a whole or not at all.
pub fn write(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let mut file = NamedTempFile::with_prefix_in(INCOMPLETE, folder)?;
    file.write_all(bytes)?;
    file.persist(folder.join(name)).map(|_| ()).map_err(|error| error.error)
}

/// A package that arrives in parts. It joins the league when it is complete.
pub struct Upload {
    file: NamedTempFile,
    size: usize,
}

impl Upload {
    /// Creates an empty file in the folder of a league.
    pub fn new(folder: &Path) -> io::Result<Self> {
        Ok(Self { file: NamedTempFile::with_prefix_in(INCOMPLETE, folder)?, size: 0 })
    }

    /// Appends the next part.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), UploadError> {
        self.size += bytes.len();
        if self.size > MAX_BYTES {
            return Err(UploadError::Large);
        }
        Ok(self.file.write_all(bytes)?)
    }

    /// Checks the package and stores it as the next version of a player.
    pub fn store(self, folder: &Path, name: &str) -> Result<(), UploadError> {
        check_name(folder, name)?;
        check(self.file.as_file())?;
        self.file.persist(folder.join(format!("{name}.zip"))).map_err(|error| error.error)?;
        Ok(())
    }
}

fn check(file: &fs::File) -> Result<(), UploadError> {
    let mut archive = ZipArchive::new(BufReader::new(file))?;
    if archive.len() > MAX_FILES {
        return Err(UploadError::LargeUnpacked);
    }
    let (mut left, mut has_start) = (MAX_UNPACKED, false);
    for index in 0..archive.len() {
        let file = archive.by_index(index)?;
        let path = file.enclosed_name().filter(|_| (file.is_file() || file.is_dir()) && !file.is_symlink());
        let path = path.ok_or_else(|| UploadError::Path(game::excerpt(file.name_raw())))?;
        has_start |= file.is_file() && path == Path::new(START);
        // The size in the archive may be wrong.
        let size = io::copy(&mut io::Read::take(file, left + 1), &mut io::sink()).map_err(ZipError::from)?;
        left -= size.min(left);
        if left == 0 {
            return Err(UploadError::LargeUnpacked);
        }
    }
    if has_start { Ok(()) } else { Err(UploadError::Start) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::package::tests::package;

    #[test]
    fn stores_only_complete_and_safe_packages() {
        let place = tempfile::tempdir().unwrap();
        let store = |bytes: &[u8]| {
            let mut upload = Upload::new(place.path())?;
            bytes.chunks(1 << 20).try_for_each(|part| upload.push(part))?;
            upload.store(place.path(), "team")
        };
        let refused = |bytes: &[u8]| store(bytes).unwrap_err().name();
        assert_eq!(refused(b"no archive"), "zip_broken");
        assert_eq!(refused(&package(&[("team/start.sh", 1)])), "zip_start");
        assert_eq!(refused(&package(&[("start.sh", 1), ("../other.zip", 1)])), "zip_path");
        let mut full = Upload { size: MAX_BYTES, ..Upload::new(place.path()).unwrap() };
        assert_eq!(full.push(b"1").unwrap_err().name(), "zip_large");
        drop(full);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
        let files: Vec<String> = (0..=MAX_FILES).map(|i| i.to_string()).collect();
        assert_eq!(refused(&package(&files.iter().map(|name| (name.as_str(), 0)).collect::<Vec<_>>())), "zip_large");
        let good = package(&[("start.sh", 5), ("lib/data", 3000)]);
        store(&good).unwrap();
        assert_eq!(fs::read(place.path().join("team.zip")).unwrap(), good);
        assert_eq!(refused(&good[..good.len() - 30]), "zip_broken");
        let mut damaged = good.clone();
        // The first bytes of the compressed data come after a header of 30 bytes and the name.
        damaged[40] ^= 0xff;
        assert_eq!(refused(&damaged), "zip_broken");

        let killed = Upload::new(place.path()).unwrap().file.keep().unwrap();
        delete_incomplete(place.path(), Duration::from_secs(60)).unwrap();
        assert!(killed.1.exists());
        delete_incomplete(place.path(), Duration::ZERO).unwrap();
        assert!(!killed.1.exists() && place.path().join("team.zip").exists());
    }

    #[test]
    fn team_name_must_be_free_file_name() {
        let place = tempfile::tempdir().unwrap();
        let check = |name: &str| check_name(place.path(), name);
        for name in ["alice", "Gruppe-7", "grün_2"] {
            assert!(check(name).is_ok(), "{name}");
        }
        for name in ["", "a/b", "..", ".hidden", "a b", &"x".repeat(41)] {
            assert!(matches!(check(name), Err(UploadError::Name)), "{name}");
        }
        for file in ["alice.zip", "bob.player", "carol"] {
            fs::write(place.path().join(file), "").unwrap();
        }
        assert!(check("alice").is_ok());
        assert!(matches!(check("bob"), Err(UploadError::Taken(file)) if file == "bob.player"));
        assert!(matches!(check("carol"), Err(UploadError::Taken(_))));
    }
}
