//! Files to read and to write.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

/// Reads a file of at most `max_bytes` bytes.
///
/// ```
/// let read = cli::read_limited("/dev/zero".as_ref(), 1 << 20);
/// # if cfg!(unix) {
/// assert_eq!(read.unwrap_err().to_string(), "the file has more than 1048576 bytes");
/// # }
/// ```
///
/// # Errors
/// If the file cannot be read, and [`ErrorKind::FileTooLarge`] for a longer one.
pub fn read_limited(path: &Path, max_bytes: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(max_bytes as u64 + 1).read_to_end(&mut bytes)?;
    let too_large = || io::Error::new(ErrorKind::FileTooLarge, format!("the file has more than {max_bytes} bytes"));
    if bytes.len() > max_bytes { Err(too_large()) } else { Ok(bytes) }
}

/// A result file of long work. It is checked for write access first and written at the end. Without a result, an
/// existing file stays as it was and a new one is removed.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("result");
/// let output = cli::OutputFile::new(&path, &[])?;
/// assert!(!path.exists(), "nothing has come of it yet");
/// output.write("a result")?;
/// assert_eq!(std::fs::read(&path)?, b"a result");
/// assert!(cli::OutputFile::new(folder.path(), &[]).is_err());
/// assert!(cli::OutputFile::new(&path, &[path.clone()]).is_err(), "the file is an input");
/// std::fs::write(&path, b"SQLite format 3\0")?;
/// assert!(cli::OutputFile::new(&path, &[]).is_err(), "the file is a database");
/// # Ok::<(), anyhow::Error>(())
/// ```
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
}

impl OutputFile {
    /// Creates the file at a path, but not in place of a database or an input.
    ///
    /// # Errors
    /// If it cannot be written, or is a database or an input.
    pub fn new(path: &Path, inputs: &[PathBuf]) -> anyhow::Result<Self> {
        check_output(path, inputs)?;
        // Also a link that leads nowhere must stay.
        let is_new = fs::symlink_metadata(path).is_err();
        OpenOptions::new().create(true).append(true).open(path).with_context(|| cannot_write(path))?;
        if is_new {
            fs::remove_file(path).with_context(|| cannot_write(path))?;
        }
        Ok(Self { path: path.to_owned() })
    }

    /// Replaces the content of the file; atomically if the folder accepts a new file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(self, contents: impl AsRef<[u8]>) -> anyhow::Result<()> {
        self.replace(contents.as_ref()).with_context(|| cannot_write(&self.path))
    }

    fn replace(&self, contents: &[u8]) -> io::Result<()> {
        // Writes directly to links and special files.
        if fs::symlink_metadata(&self.path).is_ok_and(|known| !known.is_file()) {
            return fs::write(&self.path, contents);
        }
        let mut draft = self.path.clone().into_os_string();
        draft.push(format!(".{}.new", std::process::id()));
        let Ok(mut file) = File::create_new(&draft) else { return fs::write(&self.path, contents) };
        let replaced = file.write_all(contents).and_then(|()| fs::rename(&draft, &self.path));
        if replaced.is_err() {
            // Keeps the old content if the disk is full.
            drop(fs::remove_file(&draft));
        }
        replaced
    }
}

/// Refuses an output that would replace a database or an input of the command.
///
/// # Errors
/// If it would.
pub fn check_output(path: &Path, inputs: &[PathBuf]) -> anyhow::Result<()> {
    ensure!(!is_database(path).unwrap_or(false), "{} is a database; choose another file", path.display());
    // A new file has no canonical path.
    let known = path.canonicalize().ok();
    let is_input = known.is_some() && inputs.iter().any(|input| input.canonicalize().ok() == known);
    ensure!(!is_input, "{} is an input of this command; choose another file", path.display());
    Ok(())
}

/// Returns `true` if a regular file begins like an SQLite database.
///
/// # Errors
/// If it cannot be read.
pub fn is_database(path: &Path) -> io::Result<bool> {
    const MAGIC: &[u8] = b"SQLite format 3\0";
    // Reading from a pipe could block.
    if !fs::metadata(path)?.is_file() {
        return Ok(false);
    }
    let mut start = Vec::new();
    File::open(path)?.take(MAGIC.len() as u64).read_to_end(&mut start)?;
    Ok(start == MAGIC)
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn link_that_leads_nowhere_stays() {
        let folder = tempfile::tempdir().unwrap();
        let (link, target) = (folder.path().join("link"), folder.path().join("target"));
        std::os::unix::fs::symlink(&target, &link).unwrap();
        let output = OutputFile::new(&link, &[]).unwrap();
        assert!(link.is_symlink());
        output.write("a result").unwrap();
        assert!(link.is_symlink() && fs::read(target).unwrap() == b"a result");
    }
}
