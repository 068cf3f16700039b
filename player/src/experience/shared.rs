//! Experience that the players of a process share.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use game::{Placement, Position, Setup};

use super::file::{self, ExperienceError};
use super::table::{ExperienceTable, ExperienceUpdate, MoveExperience};
use crate::model::image::{Image, Symmetries};

/// Experience that players share. Clones share their contents.
///
/// ```
/// use game::{Piece, Position, Rules};
/// use player::experience::{Experience, MoveExperience};
///
/// let start = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// let experience = Experience::default();
/// let result = MoveExperience { games: 1, win: 0.25, simulations: 40_000.0 };
/// experience.add([(start, "PENTO_W@0,6".parse()?, result)]);
/// // The empty board is symmetric, so eight moves are equivalent.
/// let known = experience.lookup(&start);
/// assert!(known.len() == 8 && known.contains(&("PENTO_W-RIGHT@11,0".parse()?, result)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Experience(Arc<SharedExperience>);

#[derive(Debug, Default)]
struct SharedExperience {
    /// File, if any.
    path: Option<PathBuf>,
    table: Mutex<ExperienceTable>,
    /// Updates not in the file yet. The lock is held while writing; the table stays readable.
    unwritten: Mutex<Vec<ExperienceUpdate>>,
}

impl PartialEq for Experience {
    /// Compares identity.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Experience {
    /// Opens a file; a missing one is empty and will be created. A damaged file is renamed and logged.
    ///
    /// # Errors
    /// [`ExperienceError`] if the file cannot be read, or is not an experience file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ExperienceError> {
        let path = path.as_ref();
        let table = Mutex::new(file::read(path)?);
        Ok(Self(Arc::new(SharedExperience { path: Some(path.to_owned()), table, unwritten: Mutex::default() })))
    }

    /// Returns the known moves of a position with their results.
    pub fn lookup(&self, position: &Position) -> Vec<(Placement, MoveExperience)> {
        let table = locked(&self.0.table);
        if table.is_empty() {
            return Vec::new();
        }
        let Some((key, symmetries)) = key(position) else { return Vec::new() };
        let mut found = Vec::new();
        for &(placement, result) in table.of(&key) {
            for symmetry in &symmetries {
                let placement = symmetry.inverse().placement(placement);
                // The file may contain illegal moves.
                let is_new = found.iter().all(|&(other, _)| other != placement);
                if is_new && position.check(placement.into()).is_ok() {
                    found.push((placement, result));
                }
            }
        }
        found
    }

    /// Adds results and writes them to the file. If that fails, they are logged and written after the next game.
    /// Invalid results, and positions without a text form, are ignored.
    pub fn add(&self, updates: impl IntoIterator<Item = (Position, Placement, MoveExperience)>) {
        let updates = updates.into_iter().filter_map(|(position, placement, result)| {
            let (key, symmetries) = key(&position).filter(|_| result.is_valid())?;
            let placement = symmetries.iter().map(|symmetry| symmetry.placement(placement)).min()?;
            Some((key, placement, result))
        });
        let mut unwritten = locked(&self.0.unwritten);
        unwritten.extend(updates);
        if unwritten.is_empty() {
            return;
        }
        let Some(path) = &self.0.path else {
            locked(&self.0.table).add(unwritten.drain(..));
            return;
        };
        match file::update(path, &unwritten) {
            Ok(written) => {
                *locked(&self.0.table) = written;
                unwritten.clear();
            }
            Err(error) => log::warn!("cannot write experience yet: {error}"),
        }
    }
}

/// Locks a mutex. Every change is complete, so a poisoned lock does no harm.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the text of the canonical image and its symmetries.
fn key(position: &Position) -> Option<(String, Symmetries)> {
    let (Image { covered, .. }, symmetries) = Image::of(position)?;
    let image = Setup { covered, ..position.setup() }.position().ok()?;
    let text = image.to_string();
    // The text does not describe every position that was set up.
    (text.parse() == Ok(image)).then_some((text, symmetries))
}
