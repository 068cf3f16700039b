//! The experience file. Several processes share it, and it is complete at any moment.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;

use game::excerpt;
use thiserror::Error;
use web_time::{Duration, Instant};

use crate::input::read_limited;

use super::table::{ExperienceTable, ExperienceUpdate};

/// An error of an experience file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExperienceError {
    /// The file cannot be read or written.
    #[error("{path}: {reason}")]
    Io {
        /// Path of the file.
        path: String,
        /// Error of the system.
        reason: io::Error,
    },
    /// The file is not an experience file. It stays unchanged.
    #[error("{path} is not an experience file: it begins with `{beginning}`")]
    Foreign {
        /// Path of the file.
        path: String,
        /// First line.
        beginning: String,
    },
}

/// Beginning of the first line; a checksum of the other lines follows.
const HEADER: &str = "Blokus experience 1, checksum ";

/// Maximum size of an experience file in bytes.
const MAX_EXPERIENCE_BYTES: usize = 64 << 20;

/// Maximum time to wait for the lock of another process. Writing takes a few milliseconds.
const LOCK_TIMEOUT: Duration = Duration::from_secs(2);

/// Reads a file; a missing one is empty. A damaged file is renamed.
///
/// # Errors
/// [`ExperienceError`] if the file cannot be read or is not an experience file.
pub fn read(path: &Path) -> Result<ExperienceTable, ExperienceError> {
    match load(path)? {
        Ok(table) => Ok(table),
        // Another process may have replaced it.
        Err(_) => read_locked(path, &lock(path)?),
    }
}

/// Reads a file under its lock.
fn read_locked(path: &Path, _lock: &File) -> Result<ExperienceTable, ExperienceError> {
    load(path)?.or_else(|reason| {
        let backup = backup_path(path);
        fs::rename(path, &backup).map_err(io_error(path))?;
        log::warn!("{} is damaged ({reason}); renamed to {}", path.display(), backup.display());
        Ok(ExperienceTable::default())
    })
}

/// Reads a file, or returns its damage.
fn load(path: &Path) -> Result<Result<ExperienceTable, String>, ExperienceError> {
    let bytes = match read_limited(path, MAX_EXPERIENCE_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound && can_be_created(path) => {
            return Ok(Ok(ExperienceTable::default()));
        }
        Err(error) => return Err(io_error(path)(error)),
    };
    if bytes.is_empty() {
        return Ok(Ok(ExperienceTable::default()));
    }
    if !bytes.starts_with(HEADER.as_bytes()) && !HEADER.as_bytes().starts_with(&bytes) {
        let beginning = bytes.split(|&byte| byte == b'\n').next().map(excerpt).unwrap_or_default();
        return Err(ExperienceError::Foreign { path: path.display().to_string(), beginning });
    }
    Ok(parse(&bytes))
}

/// Returns `true` if the folder of a file exists.
fn can_be_created(path: &Path) -> bool {
    path.parent().is_none_or(|folder| folder.as_os_str().is_empty() || folder.is_dir())
}

/// Adds updates to a file under its lock, replaces the file, and returns its new contents.
///
/// # Errors
/// [`ExperienceError`] if the file cannot be read or replaced. It is unchanged then.
pub fn update(path: &Path, updates: &[ExperienceUpdate]) -> Result<ExperienceTable, ExperienceError> {
    let lock = lock(path)?;
    let mut table = read_locked(path, &lock)?;
    table.add(updates.iter().cloned());
    let draft = with_suffix(path, "draft");
    let replaced = write(&draft, &table).map_err(io_error(&draft));
    let replaced = replaced.and_then(|()| fs::rename(&draft, path).map_err(io_error(path)));
    // A full disk leaves a part of it.
    replaced.inspect_err(|_| _ = fs::remove_file(&draft))?;
    Ok(table)
}

/// Locks a file. The lock is released when it is dropped, or the process ends.
fn lock(path: &Path) -> Result<File, ExperienceError> {
    let path = with_suffix(path, "lock");
    // Windows does not lock a file opened for appending.
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(io_error(&path))?;
    wait_for(&file).map_err(io_error(&path))?;
    Ok(file)
}

fn write(path: &Path, table: &ExperienceTable) -> io::Result<()> {
    let text = table.to_text();
    let mut file = File::create(path)?;
    writeln!(file, "{HEADER}{:08x}", crc32fast::hash(text.as_bytes()))?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// Parses a file, or returns its damage.
fn parse(bytes: &[u8]) -> Result<ExperienceTable, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
    let (header, text) = text.split_once('\n').ok_or("it ends in the first line")?;
    let checksum = header.strip_prefix(HEADER).unwrap_or_default();
    let found = format!("{:08x}", crc32fast::hash(text.as_bytes()));
    if checksum != found {
        return Err(format!("its checksum is {found}, expected {}", excerpt(checksum)));
    }
    ExperienceTable::from_text(text).map_err(|line| format!("line {}", excerpt(&line)))
}

/// Waits for the lock.
fn wait_for(file: &File) -> io::Result<()> {
    let until = Instant::now() + LOCK_TIMEOUT;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if Instant::now() < until => thread::sleep(Duration::from_millis(5)),
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::new(io::ErrorKind::WouldBlock, "locked by another program"));
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(suffix);
    name.into()
}

/// Returns an unused name for a damaged file.
fn backup_path(path: &Path) -> PathBuf {
    (1..).map(|n| with_suffix(path, &format!("damaged-{n}"))).find(|path: &PathBuf| !path.exists()).unwrap_or_default()
}

fn io_error(path: &Path) -> impl FnOnce(io::Error) -> ExperienceError {
    let path = path.display().to_string();
    |reason| ExperienceError::Io { path, reason }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experience::MoveExperience;
    use game::{Piece, Position, Rules};
    use tempfile::tempdir;

    fn update_of(n: usize) -> ExperienceUpdate {
        let start = Position::new(Rules::Season2027, Some(Piece::PentoW)).unwrap();
        let placement = start.placements()[n];
        (start.to_string(), placement, MoveExperience { games: 1, win: 0.5, simulations: 10.0 })
    }

    #[test]
    fn parallel_updates_are_all_stored() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("games.experience");
        assert!(read(&path).unwrap().is_empty());
        thread::scope(|scope| {
            for thread in 0..4 {
                let path = &path;
                scope.spawn(move || (0..8).for_each(|n| drop(update(path, &[update_of(8 * thread + n)]).unwrap())));
            }
        });
        assert_eq!(read(&path).unwrap().of(&update_of(0).0).len(), 32);
    }

    #[test]
    fn damaged_file_is_renamed_and_foreign_one_kept() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("experience");
        update(&path, &[update_of(1), update_of(2)]).unwrap();
        let whole = fs::read(&path).unwrap();
        let mut flipped = whole.clone();
        flipped[whole.len() / 2] ^= 1;
        for (n, damaged) in
            [&whole[..whole.len() - 1], &whole[..HEADER.len()], &whole[..3], &flipped].into_iter().enumerate()
        {
            fs::write(&path, damaged).unwrap();
            assert!(read(&path).unwrap().is_empty());
            assert!(!path.exists());
            assert_eq!(fs::read(folder.path().join(format!("experience.damaged-{}", n + 1))).unwrap(), damaged);
        }
        fs::write(&path, "# weights").unwrap();
        let error = update(&path, &[update_of(1)]).unwrap_err();
        assert!(error.to_string().contains("`# weights`"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"# weights");
    }

    #[test]
    fn times_out_on_locked_file() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("experience");
        update(&path, &[update_of(1)]).unwrap();
        let lock = File::open(with_suffix(&path, "lock")).unwrap();
        lock.lock().unwrap();
        assert!(matches!(update(&path, &[update_of(2)]), Err(ExperienceError::Io { .. })));
        lock.unlock().unwrap();
        assert_eq!(update(&path, &[update_of(2)]).unwrap().of(&update_of(1).0).len(), 2);
    }
}
