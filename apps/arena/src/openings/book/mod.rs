//! Opening books made by long searches.
//!
//! A [`BookFolder`] stores one file per searched position, so a stopped program loses at most the search in progress,
//! and several processes may share a folder. [`BookRequest::missing`] chooses the positions: the best moves from every
//! start, plus lines with one other likely move.

mod folder;
mod line;
mod searched;

pub use folder::{BookFolder, Claim};
pub use line::OpeningLine;
pub use searched::{Alternative, Searched};

use game::Position;

/// Selection of the positions of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookRequest {
    /// Maximum number of first placements.
    pub plies: usize,
    /// Number of alternatives followed in each position besides the best move, most likely first.
    pub others: usize,
}

impl BookRequest {
    /// Returns the positions still to be searched, as far as the results in `known` determine them. Shorter lines come
    /// first, because more games reach them and later positions depend on them.
    ///
    /// At most one move of a line is not the best: an opponent without the book soon leaves the best moves, and after
    /// that a position rarely occurs again.
    pub fn missing<E>(
        &self,
        starts: &[Position],
        mut known: impl FnMut(&OpeningLine) -> Result<Option<Searched>, E>,
    ) -> Result<Vec<OpeningLine>, E> {
        let mut missing = Vec::new();
        // `true` marks lines with a move that is not the best.
        let mut open: Vec<(OpeningLine, bool)> = starts.iter().map(|&start| (OpeningLine::of(start), false)).collect();
        for _ in 0..self.plies {
            let mut next = Vec::new();
            for (line, has_strayed) in open {
                let Some(searched) = known(&line)? else {
                    missing.push(line);
                    continue;
                };
                let followed = if has_strayed { 1 } else { 1 + self.others };
                let lines = searched.next().take(followed).enumerate();
                next.extend(lines.map(|(number, line)| (line, has_strayed || number > 0)));
            }
            open = next;
        }
        Ok(missing)
    }
}
