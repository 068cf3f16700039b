//! What all players of a process know that share a file.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use game::{ByColor, Placement, Position};

use super::file::{self, ExperienceError};
use super::lessons::{Lesson, Lessons, News};
use crate::model::image::{Image, Symmetries};

/// What all players know that share it.
///
/// ```
/// use game::{Piece, Position, Rules};
/// use player::experience::{Experience, Lesson};
///
/// let start = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// let experience = Experience::default();
/// let lesson = Lesson { games: 1, win: 0.25, simulations: 40_000.0 };
/// experience.learn([(start, "PENTO_W@0,6".parse()?, lesson)]);
/// // The empty board is an image of itself in eight ways, so that eight moves are as good as the one that was made.
/// let known = experience.recall(&start);
/// assert!(known.len() == 8 && known.contains(&("PENTO_W-RIGHT@11,0".parse()?, lesson)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Experience(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    /// Where it is kept, if it is.
    path: Option<PathBuf>,
    lessons: Mutex<Lessons>,
    /// What is not in the file yet. Whoever writes keeps it locked, while others go on to read the lessons.
    unwritten: Mutex<Vec<News>>,
}

impl PartialEq for Experience {
    /// Whether they are one and the same.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Experience {
    /// What a file holds, and where it will be kept; nothing if there is no such file yet. A file that has been damaged
    /// is renamed, which the log tells, and a new one begun.
    ///
    /// # Errors
    /// [`ExperienceError`] if the file cannot be read, or is not a file of experience.
    pub fn open(path: &Path) -> Result<Self, ExperienceError> {
        let lessons = Mutex::new(file::read(path)?);
        Ok(Self(Arc::new(Shared { path: Some(path.to_owned()), lessons, unwritten: Mutex::default() })))
    }

    /// The moves of a position that are known, with what is known of each.
    pub fn recall(&self, position: &Position) -> Vec<(Placement, Lesson)> {
        let lessons = locked(&self.0.lessons);
        if lessons.is_empty() {
            return Vec::new();
        }
        let Some((key, symmetries)) = key(position) else { return Vec::new() };
        let mut found = Vec::new();
        for &(placement, lesson) in lessons.of(&key) {
            for symmetry in &symmetries {
                let placement = symmetry.inverse().placement(placement);
                // Whatever a file says, it changes only what is thought of legal moves.
                let is_new = found.iter().all(|&(other, _)| other != placement);
                if is_new && position.check(placement.into()).is_ok() {
                    found.push((placement, lesson));
                }
            }
        }
        found
    }

    /// Learns what a game taught, but for what cannot be or is of a position that has no text, and writes it to the file;
    /// if that fails, the log says so, and what was learnt is written after the next game.
    pub fn learn(&self, news: impl IntoIterator<Item = (Position, Placement, Lesson)>) {
        let news = news.into_iter().filter_map(|(position, placement, lesson)| {
            let (key, symmetries) = key(&position).filter(|_| lesson.is_possible())?;
            let placement = symmetries.iter().map(|symmetry| symmetry.placement(placement)).min()?;
            Some((key, placement, lesson))
        });
        let mut unwritten = locked(&self.0.unwritten);
        unwritten.extend(news);
        if unwritten.is_empty() {
            return;
        }
        let Some(path) = &self.0.path else {
            locked(&self.0.lessons).add(unwritten.drain(..));
            return;
        };
        match file::update(path, &unwritten) {
            Ok(written) => {
                *locked(&self.0.lessons) = written;
                unwritten.clear();
            }
            Err(error) => log::warn!("what this game taught could not be written yet: {error}"),
        }
    }
}

/// What a lock protects, also after somebody has panicked who had it: each change is whole.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The text of the image that stands for a position, and what leads there.
fn key(position: &Position) -> Option<(String, Symmetries)> {
    let (_, symmetries) = Image::of(position)?;
    let mut setup = position.setup();
    setup.covered = ByColor::from_fn(|color| symmetries[0].cells(setup.covered[color]));
    let image = setup.position().ok()?;
    let text = image.to_string();
    // In a position that was set up pieces may be in hand, or cells covered, as no text of a position tells.
    (text.parse() == Ok(image)).then_some((text, symmetries))
}
