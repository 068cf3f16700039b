//! A folder of searches for a book.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use player::model::Book;

use super::line::OpeningLine;
use super::searched::Searched;
use crate::files::find_text;

/// A folder of finished searches, `NAME.json` each.
#[derive(Clone, Debug)]
pub struct BookFolder(PathBuf);

/// Exclusive right to search a position, across processes. It ends with the process at the latest.
#[derive(Debug)]
pub struct Claim {
    lock: PathBuf,
    file: File,
}

impl BookFolder {
    /// Opens the folder at a path; creates it if necessary.
    pub fn make(path: &Path) -> io::Result<Self> {
        fs::create_dir_all(path).map_err(|error| io_error(path, error))?;
        Ok(Self::open(path))
    }

    /// Opens the folder at a path.
    pub fn open(path: &Path) -> Self {
        Self(path.to_owned())
    }

    /// Returns the result of a position's search, if there is one.
    pub fn find(&self, line: &OpeningLine) -> io::Result<Option<Searched>> {
        read(&self.0.join(line.name()).with_extension("json"))
    }

    /// Returns all results, sorted by name.
    pub fn all(&self) -> io::Result<Vec<Searched>> {
        let failed = |error| io_error(&self.0, error);
        let entries = fs::read_dir(&self.0).and_then(Iterator::collect::<io::Result<Vec<_>>>).map_err(failed)?;
        let mut paths: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        paths.sort();
        Ok(paths.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    }

    /// Makes a book of all searches. Also returns the minimum and maximum of their simulations.
    pub fn book(&self) -> io::Result<(Book, [u64; 2])> {
        let searched = self.all()?;
        let failed = |problem| io::Error::other(format!("{} {problem}", self.0.display()));
        let simulations = || searched.iter().map(|searched| searched.simulations);
        let (Some(least), Some(most)) = (simulations().min(), simulations().max()) else {
            return Err(failed("has no searches"));
        };
        let lines: Option<Vec<_>> = searched.iter().map(Searched::book_line).collect();
        let book = lines.and_then(|lines| Book::new(lines).ok());
        Ok((book.ok_or_else(|| failed("has a search with illegal moves"))?, [least, most]))
    }

    /// Claims a position; `None` if another process has claimed it.
    pub fn claim(&self, line: &OpeningLine) -> io::Result<Option<Claim>> {
        let lock = self.0.join(line.name()).with_extension("lock");
        let file = File::create(&lock).map_err(|error| io_error(&lock, error))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Claim { lock, file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(io_error(&lock, error)),
        }
    }

    /// Stores a result atomically.
    pub fn keep(&self, claim: Claim, searched: &Searched) -> io::Result<()> {
        let (draft, path) = (claim.lock.with_extension("draft"), claim.lock.with_extension("json"));
        let text = serde_json::to_string_pretty(searched).expect("texts and numbers");
        fs::write(&draft, text).map_err(|error| io_error(&draft, error))?;
        fs::rename(&draft, &path).map_err(|error| io_error(&path, error))?;
        // A process that still has the lock file open finds the result.
        drop(fs::remove_file(&claim.lock));
        drop(claim.file);
        Ok(())
    }
}

fn read(path: &Path) -> io::Result<Option<Searched>> {
    let Some(text) = find_text(path).map_err(|error| io_error(path, error))? else { return Ok(None) };
    let foreign = |error| io::Error::other(format!("{} is not the result of a book search: {error}", path.display()));
    serde_json::from_str(&text).map(Some).map_err(foreign)
}

fn io_error(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{} cannot be used: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use game::{Piece, Position, Rules};

    use super::*;

    #[test]
    fn claims_positions_once_and_stores_results() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = BookFolder::make(&temporary.path().join("book")).unwrap();
        let line = OpeningLine::of(Position::new(Rules::Season2027, Some(Piece::PentoX)).unwrap());
        let claim = folder.claim(&line).unwrap().expect("nobody has it");
        assert!(folder.claim(&line).unwrap().is_none());
        drop(claim);
        let claim = folder.claim(&line).unwrap().expect("it was given up");
        assert_eq!(folder.find(&line).unwrap(), None);
        let searched = Searched::search(&line, 30, 4 << 20).unwrap();
        folder.keep(claim, &searched).unwrap();
        assert_eq!(folder.find(&line).unwrap().as_ref(), Some(&searched));
        assert_eq!(folder.all().unwrap(), [searched]);
    }
}
