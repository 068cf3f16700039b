//! Files for results that take long.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;

/// A file that is written when long work is done, but that can be written is known before. Without a result a file that
/// was there stays as it is, and one that was not is not left behind.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("result");
/// drop(cli::Output::new(&path)?);
/// assert!(!path.exists(), "nothing came of it");
/// cli::Output::new(&path)?.write("a result")?;
/// cli::Output::new(&path)?.append(" and more")?;
/// assert_eq!(std::fs::read(&path)?, b"a result and more");
/// assert!(cli::Output::new(folder.path()).is_err());
/// # Ok::<(), anyhow::Error>(())
/// ```
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    /// Whether there was none before, and nothing has been written yet.
    is_empty: bool,
}

impl Output {
    /// The file at a path.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(path: &Path) -> anyhow::Result<Self> {
        let is_empty = !path.exists();
        OpenOptions::new().create(true).append(true).open(path).with_context(|| cannot_write(path))?;
        Ok(Self { path: path.to_owned(), is_empty })
    }

    /// Replaces what is in the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(mut self, contents: impl AsRef<[u8]>) -> anyhow::Result<()> {
        self.is_empty = false;
        fs::write(&self.path, contents).with_context(|| cannot_write(&self.path))
    }

    /// Adds to what is in the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(mut self, contents: impl AsRef<[u8]>) -> anyhow::Result<()> {
        self.is_empty = false;
        let file = OpenOptions::new().append(true).create(true).open(&self.path);
        let written = file.and_then(|mut file| file.write_all(contents.as_ref()));
        written.with_context(|| cannot_write(&self.path))
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if self.is_empty {
            // Whoever has taken it away meanwhile had a reason.
            drop(fs::remove_file(&self.path));
        }
    }
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}
