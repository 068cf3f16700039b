//! The opening book: moves of the first rounds, found by long searches.
//!
//! Each position stands for all its images under the [symmetries](game::Symmetry) of the board. A file stores the moves
//! that lead to a position. The lookup uses the covered cells, so the order of moves does not matter.

use std::collections::HashMap;

use game::{Color, Move, Piece, Placement, Position, Rules, Symmetry};
use thiserror::Error;

use super::image::Image;
use super::weights_file::{Array, Origin, WeightsError, WeightsFile};

/// The built-in book.
pub(super) const BUILT_IN: &[u8] = include_bytes!("weights/book.weights");

/// The best move of a book position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BookMove {
    /// Best move.
    pub placement: Placement,
    /// Win probability of the team to move.
    pub win: f32,
    /// Expected final margin of the team to move.
    pub margin: f32,
    /// Number of simulations of the search.
    pub simulations: f32,
    /// Share of the simulations that visited this move.
    pub share: f32,
}

/// A position of a book, as a sequence of moves, with its best move.
#[derive(Clone, PartialEq, Debug)]
pub struct BookLine {
    /// Empty board.
    pub start: Position,
    /// Placements from there on, one by each colour in turn.
    pub placements: Vec<Placement>,
    /// Best move after them.
    pub best: BookMove,
}

/// An opening book: positions with their best moves.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Book {
    lines: Vec<BookLine>,
    /// Line numbers by position.
    numbers: HashMap<Image, usize>,
    /// Largest number of placements before a best move.
    deepest: usize,
}

/// A line of a book that is illegal or longer than two rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("line {} of the book is illegal or too long", .number + 1)]
#[non_exhaustive]
pub struct IllegalLine {
    /// Number of the line, from 0.
    pub number: usize,
}

/// Columns of a row after the placements: the best move and its evaluation.
const BEST_MOVE_COLUMNS: usize = 5;

/// Maximum number of placements of a line including the best move: two rounds.
const MAX_PLACEMENTS: usize = 8;

impl BookLine {
    /// Returns the position after the placements.
    pub fn position(&self) -> Position {
        self.placements.iter().fold(self.start, |position, &placement| position.after(Move::Place(placement)))
    }
}

impl Book {
    /// Kind of its weights files.
    pub const KIND: &str = "book";

    /// Creates a book. If several lines lead to images of one position, the last one counts.
    ///
    /// # Errors
    /// The first [`IllegalLine`].
    pub fn new(lines: impl IntoIterator<Item = BookLine>) -> Result<Self, IllegalLine> {
        let mut book = Self::default();
        for (number, line) in lines.into_iter().enumerate() {
            let mut position = line.start;
            let is_legal = line.placements.len() < MAX_PLACEMENTS
                && position.turn() == 0
                && line.placements.iter().all(|&placement| position.try_play(placement.into()).is_ok())
                && position.check(line.best.placement.into()).is_ok();
            let (Some((image, _)), true) = (Image::of(&position), is_legal) else {
                return Err(IllegalLine { number });
            };
            book.deepest = book.deepest.max(line.placements.len());
            match book.numbers.get(&image) {
                Some(&known) => book.lines[known] = line,
                None => {
                    book.numbers.insert(image, book.lines.len());
                    book.lines.push(line);
                }
            }
        }
        Ok(book)
    }

    /// Returns all lines.
    pub fn lines(&self) -> &[BookLine] {
        &self.lines
    }

    /// Finds the best move of a position or one of its images.
    ///
    /// ```
    /// use game::{Position, Rules, Symmetry};
    /// use player::model::{Book, BookLine, BookMove};
    ///
    /// let start = Position::new(Rules::Season2021, Rules::Season2021.start_pieces().iter().next())?;
    /// let [first, then] = ["PENTO_L@0,0".parse()?, "PENTO_L-MIRROR@18,16".parse()?];
    /// let best = BookMove { placement: then, win: 0.5, margin: 0.0, simulations: 1e6, share: 0.9 };
    /// let book = Book::new([BookLine { start, placements: vec![first], best }]).expect("legal moves");
    /// for symmetry in Symmetry::ALL {
    ///     let image = start.after(symmetry.placement(first).into());
    ///     assert_eq!(book.find(&image).map(|found| found.placement), Some(symmetry.placement(then)));
    /// }
    /// assert_eq!(book.find(&start), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find(&self, position: &Position) -> Option<BookMove> {
        if self.lines.is_empty() || usize::from(position.turn()) > self.deepest {
            return None;
        }
        let (image, symmetries) = Image::of(position)?;
        let line = &self.lines[*self.numbers.get(&image)?];
        let (_, of_line) = Image::of(&line.position())?;
        let placement = symmetries[0].inverse().placement(of_line[0].placement(line.best.placement));
        // Images of a symmetric position can differ in more than the covered cells, but the move must be legal.
        position.check(Move::Place(placement)).is_ok().then_some(BookMove { placement, ..line.best })
    }

    /// Creates a file: an array of lines per number of placements. A row contains the start piece, the placements, the
    /// best move and its evaluation; pieces and placements are integers.
    pub fn to_file(&self, origin: Origin) -> WeightsFile {
        let mut arrays = Vec::new();
        for &rules in Rules::ALL {
            for placements in 0..=self.deepest {
                let is_here = |line: &&BookLine| line.start.rules() == rules && line.placements.len() == placements;
                let rows: Vec<Vec<f32>> = self.lines.iter().filter(is_here).map(row).collect();
                if !rows.is_empty() {
                    let shape = [rows.len(), 1 + placements + BEST_MOVE_COLUMNS];
                    arrays.push(Array::new(format!("{rules}.{placements}"), &shape, rows.concat()));
                }
            }
        }
        WeightsFile { kind: Self::KIND.to_owned(), origin, arrays }
    }

    /// Reads a book from a file.
    ///
    /// # Errors
    /// [`WeightsError`] if an array is unknown, or contains an illegal line.
    pub fn from_file(file: WeightsFile) -> Result<Self, WeightsError> {
        let mut lines = Vec::new();
        for array in &file.arrays {
            let name = array.name();
            let parsed = name.split_once('.').and_then(|(rules, placements)| {
                let placements = placements.parse::<usize>().ok().filter(|&count| count < MAX_PLACEMENTS)?;
                Some((rules.parse::<Rules>().ok()?, placements))
            });
            let (rules, placements) = parsed.ok_or_else(|| WeightsError::UnknownArray(name.to_owned()))?;
            let width = 1 + placements + BEST_MOVE_COLUMNS;
            if array.shape().len() != 2 || array.shape()[1] != width {
                let (found, expected) = (array.to_string(), format!("f32[lines, {width}]"));
                return Err(WeightsError::Shape { name: name.to_owned(), found, expected });
            }
            for (number, row) in array.numbers().chunks_exact(width).enumerate() {
                let wrong = || WeightsError::Line { name: name.to_owned(), number };
                let line = line(rules, row).ok_or_else(wrong)?;
                Self::new([line.clone()]).map_err(|_| wrong())?;
                lines.push(line);
            }
        }
        Ok(Self::new(lines).expect("each line is legal"))
    }
}

/// Converts a line to a row of its array.
fn row(line: &BookLine) -> Vec<f32> {
    let BookMove { placement, win, margin, simulations, share } = line.best;
    let piece = line.start.start_piece().map_or(0, |piece| 1 + piece as usize);
    let placements = line.placements.iter().chain([&placement]).map(|placement| placement.index());
    let whole = [piece].into_iter().chain(placements).map(|number| number as f32);
    whole.chain([win, margin, simulations, share]).collect()
}

/// Converts a row to a line, if it is valid.
fn line(rules: Rules, row: &[f32]) -> Option<BookLine> {
    let whole = |number: f32| (number >= 0.0 && number.fract() == 0.0).then_some(number as usize);
    let placement = |&number: &f32| Placement::from_index(whole(number)?);
    let (&piece, row) = row.split_first()?;
    let (row, &[win, margin, simulations, share]) = row.split_last_chunk()?;
    let start_piece = match whole(piece)? {
        0 => None,
        number => Some(*Piece::ALL.get(number - 1)?),
    };
    let (best, placements) = row.split_last()?;
    if !(0.0..=1.0).contains(&win) {
        return None;
    }
    let best = BookMove { placement: placement(best)?, win, margin, simulations, share };
    let placements = placements.iter().map(placement).collect::<Option<_>>()?;
    Some(BookLine { start: Position::new(rules, start_piece).ok()?, placements, best })
}

/// Returns the first of a placement's images under the symmetries of a position, which stands for all of them.
///
/// ```
/// use game::{Piece, Position, Rules};
/// use player::model::representative;
///
/// let start = Position::new(Rules::Season2027, Some(Piece::PentoX))?;
/// let mut placements = start.placements();
/// assert_eq!(placements.len(), 68);
/// placements.retain(|&placement| representative(&start, placement) == placement);
/// assert_eq!(placements.len(), 9);
/// # Ok::<(), game::SetupError>(())
/// ```
pub fn representative(position: &Position, placement: Placement) -> Placement {
    let covered = |symmetry: Symmetry| Color::ALL.map(|color| symmetry.cells(position.board().covered(color)));
    let same = position.rules().symmetries().filter(|&symmetry| covered(symmetry) == covered(Symmetry::ALL[0]));
    same.map(|symmetry| symmetry.placement(placement)).min().unwrap_or(placement)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start() -> Position {
        Position::new(Rules::Season2027, Some(Piece::PentoW)).expect("a start piece")
    }

    /// Creates a book with lines of 0 to `plies - 1` placements of one game.
    fn book(plies: usize) -> Book {
        let mut placements = Vec::new();
        let mut lines = Vec::new();
        let mut position = start();
        for ply in 0..plies {
            let placement = position.placements()[7 * ply];
            let best = BookMove { placement, win: 0.25, margin: -3.0, simulations: 1e6, share: 0.5 };
            lines.push(BookLine { start: start(), placements: placements.clone(), best });
            placements.push(placement);
            position.play(placement.into());
        }
        Book::new(lines).expect("legal moves")
    }

    #[test]
    fn written_book_is_read_back() {
        let first = |&rules: &Rules| {
            let start = Position::new(rules, rules.start_pieces().iter().next()).expect("a start piece");
            let placement = start.placements()[0];
            let best = BookMove { placement, win: 0.5, margin: 1.0, simulations: 1e6, share: 0.5 };
            BookLine { start, placements: Vec::new(), best }
        };
        // The order of a file: by rules.
        let lines = Rules::ALL.iter().map(first).collect::<Vec<_>>();
        let book = Book::new(lines).expect("legal moves");
        assert_eq!(Book::from_file(book.to_file(Origin::default())), Ok(book));
    }

    #[test]
    fn written_lines_are_read_back() {
        let book = book(6);
        assert_eq!(book.lines().len(), 6);
        assert_eq!(Book::from_file(book.to_file(Origin::default())).as_ref(), Ok(&book));
    }

    #[test]
    fn every_image_has_a_legal_move() {
        let book = book(6);
        for line in book.lines() {
            for symmetry in Symmetry::ALL {
                let play =
                    |position: Position, &placement: &Placement| position.after(symmetry.placement(placement).into());
                let image = line.placements.iter().fold(line.start, play);
                let found = book.find(&image).expect("a known position");
                assert_eq!(image.check(found.placement.into()), Ok(()));
                assert_eq!(BookMove { placement: line.best.placement, ..found }, line.best);
            }
        }
        let other = Position::new(Rules::Season2027, Some(Piece::PentoY)).expect("a start piece");
        assert_eq!(book.find(&other), None);
        let mut setup = start().setup();
        setup.in_play.remove(Color::Red);
        assert_eq!(setup.position().ok().and_then(|position| book.find(&position)), None);
    }

    #[test]
    fn names_illegal_lines() {
        let book = book(3);
        let mut file = book.to_file(Origin::default());
        let last = file.arrays.pop().expect("three arrays");
        let mut numbers = last.numbers().to_vec();
        // Repeat the first placement.
        numbers[2] = numbers[1];
        file.arrays.push(Array::new(last.name(), last.shape(), numbers));
        let error = Book::from_file(file).unwrap_err();
        assert_eq!(error, WeightsError::Line { name: "2027.2".to_owned(), number: 0 });
        for (name, shape) in [("2027", [1, 6]), ("2030.0", [1, 6]), ("2027.9", [1, 15])] {
            let array = Array::new(name, &shape, vec![0.0; shape.iter().product()]);
            let file = WeightsFile { kind: Book::KIND.to_owned(), origin: Origin::default(), arrays: vec![array] };
            assert_eq!(Book::from_file(file), Err(WeightsError::UnknownArray(name.to_owned())));
        }
        let array = Array::new("2027.1", &[1, 6], vec![0.0; 6]);
        let file = WeightsFile { kind: Book::KIND.to_owned(), origin: Origin::default(), arrays: vec![array] };
        assert!(matches!(Book::from_file(file), Err(WeightsError::Shape { .. })));
    }
}
