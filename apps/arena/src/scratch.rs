//! Temporary folders. Those of killed programs are deleted by the next one.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::Duration;

use tempfile::TempDir;

/// Beginning of the names of the folders.
const PREFIX: &str = "arena-scratch-";

/// Minimum age of an abandoned folder: a younger one may not be locked yet.
const MIN_AGE: Duration = Duration::from_secs(60);

/// A temporary folder that is deleted with this value.
pub(crate) struct Scratch {
    folder: TempDir,
    /// The folder, locked until this process ends.
    _lock: Option<File>,
}

impl Scratch {
    /// Creates a folder, and deletes abandoned ones.
    pub(crate) fn new() -> io::Result<Self> {
        delete_abandoned(&std::env::temp_dir(), MIN_AGE);
        let folder = TempDir::with_prefix(PREFIX)?;
        let lock = lock(folder.path());
        Ok(Self { folder, _lock: lock })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Locks a folder; `None` if another process has locked it, or if the system cannot lock folders.
fn lock(folder: &Path) -> Option<File> {
    File::open(folder).ok().filter(|folder| folder.try_lock().is_ok())
}

/// Deletes those folders of a place that no process has locked. Folders of other users stay.
fn delete_abandoned(place: &Path, least_age: Duration) {
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_scratch = entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes());
        let modified = || entry.metadata().and_then(|data| data.modified()).ok();
        if is_scratch
            && modified().is_some_and(|time| time.elapsed().is_ok_and(|age| age >= least_age))
            && let Some(_lock) = lock(&path)
            && let Err(error) = fs::remove_dir_all(&path)
        {
            log::info!("cannot delete {}: {error}", path.display());
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn deletes_only_abandoned_folders() {
        let place = tempfile::tempdir().unwrap();
        let make = |name: String| {
            let path = place.path().join(name);
            fs::create_dir(&path).unwrap();
            fs::write(path.join("file"), "").unwrap();
            path
        };
        let [abandoned, used] = ["1", "2"].map(|name| make(format!("{PREFIX}{name}")));
        let other = make("other".to_owned());
        let _lock = lock(&used).unwrap();
        delete_abandoned(place.path(), MIN_AGE);
        assert!(abandoned.exists());
        delete_abandoned(place.path(), Duration::ZERO);
        assert!(!abandoned.exists() && used.exists() && other.exists());
        let own = Scratch::new().unwrap();
        assert!(own.path().exists() && lock(own.path()).is_none());
    }
}
