//! A file of lessons that several processes share, and that is whole at any moment.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;

use game::excerpt;
use thiserror::Error;
use web_time::{Duration, Instant};

use super::lessons::{Lessons, News};
use crate::input::read_file;

/// Why a file of experience cannot be used.
#[derive(Debug, Error)]
pub enum ExperienceError {
    /// It cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// The reason of the system.
        source: io::Error,
    },
    /// It is something else, and stays as it is.
    #[error("{path} is no file of experience: it begins with `{beginning}`")]
    Foreign {
        /// The file.
        path: String,
        /// How it begins.
        beginning: String,
    },
}

/// What a file begins with; a checksum of all that follows the first line comes after it.
const HEADER: &str = "Blokus experience 1, checksum ";

/// How long to wait for other processes that are writing; to write takes some milliseconds.
const PATIENCE: Duration = Duration::from_secs(2);

/// What a file holds, nothing if there is none. One that has been damaged is put aside.
///
/// # Errors
/// [`ExperienceError`] if it cannot be read or is something else.
pub fn read(path: &Path) -> Result<Lessons, ExperienceError> {
    match load(path)? {
        Ok(lessons) => Ok(lessons),
        // Another process may be replacing it by a good one.
        Err(_) => read_locked(path, &lock(path)?),
    }
}

/// The same for whoever has the file's lock, so that nobody else puts it aside or replaces it meanwhile.
fn read_locked(path: &Path, _lock: &File) -> Result<Lessons, ExperienceError> {
    load(path)?.or_else(|reason| {
        let aside = aside(path);
        fs::rename(path, &aside).map_err(io_error(path))?;
        log::warn!("{} has been damaged ({reason}); it is now {}", path.display(), aside.display());
        Ok(Lessons::default())
    })
}

/// What a file holds, or in what way it has been damaged.
fn load(path: &Path) -> Result<Result<Lessons, String>, ExperienceError> {
    let bytes = match read_file(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound && may_be_made(path) => {
            return Ok(Ok(Lessons::default()));
        }
        Err(error) => return Err(io_error(path)(error)),
    };
    if bytes.is_empty() {
        return Ok(Ok(Lessons::default()));
    }
    if !bytes.starts_with(HEADER.as_bytes()) && !HEADER.as_bytes().starts_with(&bytes) {
        let beginning = bytes.split(|&byte| byte == b'\n').next().map(excerpt).unwrap_or_default();
        return Err(ExperienceError::Foreign { path: path.display().to_string(), beginning });
    }
    Ok(parse(&bytes))
}

/// Whether there is the folder for a file.
fn may_be_made(path: &Path) -> bool {
    path.parent().is_none_or(|folder| folder.as_os_str().is_empty() || folder.is_dir())
}

/// Adds what was learnt to what a file holds by now, and returns both together. Only one process at a time does that,
/// and the file is replaced by a new one as a whole.
///
/// # Errors
/// [`ExperienceError`] if the file cannot be read or replaced; then it is as it was.
pub fn update(path: &Path, news: &[News]) -> Result<Lessons, ExperienceError> {
    let lock = lock(path)?;
    let mut lessons = read_locked(path, &lock)?;
    lessons.add(news.iter().cloned());
    let draft = with_suffix(path, "draft");
    write(&draft, &lessons).map_err(io_error(&draft))?;
    fs::rename(&draft, path).map_err(io_error(path))?;
    Ok(lessons)
}

/// The lock of a file, for one process at a time. It is released when it is dropped, even if this process is killed.
fn lock(path: &Path) -> Result<File, ExperienceError> {
    let path = with_suffix(path, "lock");
    // Windows does not lock a file that is open for appending alone.
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(io_error(&path))?;
    wait_for(&file).map_err(io_error(&path))?;
    Ok(file)
}

fn write(path: &Path, lessons: &Lessons) -> io::Result<()> {
    let text = lessons.to_text();
    let mut file = File::create(path)?;
    writeln!(file, "{HEADER}{:08x}", crc32fast::hash(text.as_bytes()))?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// What the bytes of a file say, or why they are not what was written.
fn parse(bytes: &[u8]) -> Result<Lessons, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
    let (header, text) = text.split_once('\n').ok_or("it ends in its first line")?;
    let checksum = header.strip_prefix(HEADER).unwrap_or_default();
    let found = format!("{:08x}", crc32fast::hash(text.as_bytes()));
    if checksum != found {
        return Err(format!("its checksum is {found} and not {}", excerpt(checksum)));
    }
    Lessons::from_text(text).map_err(|line| format!("line {}", excerpt(&line)))
}

/// Locks a file as soon as no other process has it locked.
fn wait_for(file: &File) -> io::Result<()> {
    let until = Instant::now() + PATIENCE;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if Instant::now() < until => thread::sleep(Duration::from_millis(5)),
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::new(io::ErrorKind::WouldBlock, "another program keeps it locked"));
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

/// A name for a damaged file that no other has.
fn aside(path: &Path) -> PathBuf {
    (1..).map(|n| with_suffix(path, &format!("damaged-{n}"))).find(|aside| !aside.exists()).unwrap_or_default()
}

fn io_error(path: &Path) -> impl FnOnce(io::Error) -> ExperienceError {
    let path = path.display().to_string();
    |source| ExperienceError::Io { path, source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experience::lessons::Lesson;
    use game::{Piece, Position, Rules};
    use tempfile::tempdir;

    fn news(n: usize) -> News {
        let start = Position::new(Rules::Season2027, Some(Piece::PentoW)).unwrap();
        let placement = crate::model::distinct_moves(&start)[n];
        (start.to_string(), placement, Lesson { games: 1, win: 0.5, simulations: 10.0 })
    }

    #[test]
    fn what_several_write_at_the_same_time_is_all_there() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("games.experience");
        assert!(read(&path).unwrap().is_empty());
        thread::scope(|scope| {
            for thread in 0..4 {
                let path = &path;
                scope.spawn(move || (0..8).for_each(|n| drop(update(path, &[news(8 * thread + n)]).unwrap())));
            }
        });
        assert_eq!(read(&path).unwrap().of(&news(0).0).len(), 32);
    }

    #[test]
    fn a_damaged_file_is_put_aside_and_a_foreign_one_left_alone() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("experience");
        update(&path, &[news(1), news(2)]).unwrap();
        let whole = fs::read(&path).unwrap();
        let mut turned = whole.clone();
        turned[whole.len() / 2] ^= 1;
        for (n, damaged) in
            [&whole[..whole.len() - 1], &whole[..HEADER.len()], &whole[..3], &turned].into_iter().enumerate()
        {
            fs::write(&path, damaged).unwrap();
            assert!(read(&path).unwrap().is_empty());
            assert!(!path.exists());
            assert_eq!(fs::read(folder.path().join(format!("experience.damaged-{}", n + 1))).unwrap(), damaged);
        }
        fs::write(&path, "# weights").unwrap();
        let error = update(&path, &[news(1)]).unwrap_err();
        assert!(error.to_string().contains("`# weights`"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"# weights");
    }

    #[test]
    fn one_that_keeps_the_file_locked_is_not_waited_for_without_end() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("experience");
        update(&path, &[news(1)]).unwrap();
        let lock = File::open(with_suffix(&path, "lock")).unwrap();
        lock.lock().unwrap();
        assert!(matches!(update(&path, &[news(2)]), Err(ExperienceError::Io { .. })));
        lock.unlock().unwrap();
        assert_eq!(update(&path, &[news(2)]).unwrap().of(&news(1).0).len(), 2);
    }
}
