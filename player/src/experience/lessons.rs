//! What is known of moves, as a table and as text.

use std::collections::HashMap;
use std::fmt::Write;

use game::{Placement, Position};

/// A position as it is kept, a move in it, and what a game taught of it.
pub type News = (String, Placement, Lesson);

/// What the games taught in which a move was made.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Lesson {
    /// How many games there were.
    pub games: u32,
    /// How probable it was in the rest of them that the team which had made the move would win, on average; 0 to 1.
    pub win: f32,
    /// How many simulations there were in all searches that chose the move.
    pub simulations: f32,
}

impl Lesson {
    /// What both taught together.
    fn and(self, other: Self) -> Self {
        let games = self.games.saturating_add(other.games);
        let part = f64::from(other.games) / f64::from(games.max(1));
        Self {
            games,
            win: self.win + (other.win - self.win) * part as f32,
            // An infinite sum could be written, and the file would count as damaged when it is read.
            simulations: (self.simulations + other.simulations).min(f32::MAX),
        }
    }

    /// Whether a game can teach that: what cannot be is not in a file.
    pub(super) fn is_possible(&self) -> bool {
        self.games > 0 && (0.0..=1.0).contains(&self.win) && self.simulations.is_finite() && self.simulations >= 0.0
    }
}

/// What is known of the moves of positions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Lessons {
    positions: HashMap<String, Moves>,
    /// The number of the last position that was met.
    met: u64,
}

/// The moves of one position.
#[derive(Clone, PartialEq, Debug, Default)]
struct Moves {
    moves: Vec<(Placement, Lesson)>,
    /// When it was met last; a higher number is later.
    met: u64,
}

impl Lessons {
    /// How many positions are kept at most, those met last: some 4 MB.
    pub const MOST: usize = 20_000;

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// What is known of the moves of a position.
    pub fn of(&self, position: &str) -> &[(Placement, Lesson)] {
        self.positions.get(position).map_or(&[], |known| &known.moves)
    }

    /// Adds what was learnt, and drops what has not been met for longest if it is too much.
    pub fn add(&mut self, news: impl IntoIterator<Item = News>) {
        for (position, placement, lesson) in news {
            self.met += 1;
            let known = self.positions.entry(position).or_default();
            known.met = self.met;
            match known.moves.iter_mut().find(|(other, _)| *other == placement) {
                Some((_, old)) => *old = old.and(lesson),
                None => known.moves.push((placement, lesson)),
            }
        }
        if self.positions.len() > Self::MOST {
            let mut times: Vec<u64> = self.positions.values().map(|known| known.met).collect();
            let (_, &mut first, _) = times.select_nth_unstable(self.positions.len() - Self::MOST);
            self.positions.retain(|_, known| known.met >= first);
        }
    }

    /// A line for each move, those of the position that was met last at the end.
    pub fn to_text(&self) -> String {
        let mut positions: Vec<_> = self.positions.iter().collect();
        positions.sort_unstable_by_key(|(_, known)| known.met);
        let mut text = String::new();
        for (position, known) in positions {
            for (placement, Lesson { games, win, simulations }) in &known.moves {
                // Writing to a string never fails.
                let _ = writeln!(text, "{position}\t{placement}\t{games}\t{win}\t{simulations}");
            }
        }
        text
    }

    /// What a text says that was [written](Self::to_text).
    ///
    /// # Errors
    /// The first line that cannot be read.
    pub fn from_text(text: &str) -> Result<Self, String> {
        let mut lessons = Self::default();
        for line in text.lines() {
            lessons.add([news(line).ok_or_else(|| line.to_owned())?]);
        }
        Ok(lessons)
    }
}

/// What a line says.
fn news(line: &str) -> Option<News> {
    let mut fields = line.split('\t');
    let position = fields.next().filter(|text| text.parse::<Position>().is_ok())?;
    let placement = fields.next()?.parse().ok()?;
    let lesson = Lesson {
        games: fields.next()?.parse().ok()?,
        win: fields.next()?.parse().ok()?,
        simulations: fields.next()?.parse().ok()?,
    };
    (fields.next().is_none() && lesson.is_possible()).then(|| (position.to_owned(), placement, lesson))
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Piece, Rules};

    fn mono(x: usize) -> Placement {
        format!("MONO@{x},0").parse().unwrap()
    }

    fn lesson(games: u32, win: f32) -> Lesson {
        Lesson { games, win, simulations: 1000.0 * games as f32 }
    }

    #[test]
    fn games_count_alike() {
        let mut lessons = Lessons::default();
        lessons.add([("a".to_owned(), mono(1), lesson(1, 0.25))]);
        lessons.add([("a".to_owned(), mono(1), lesson(3, 0.75)), ("a".to_owned(), mono(2), lesson(1, 0.5))]);
        assert_eq!(lessons.of("a"), [(mono(1), lesson(4, 0.625)), (mono(2), lesson(1, 0.5))]);
        assert!(lessons.of("b").is_empty() && !lessons.is_empty());
    }

    #[test]
    fn sums_can_be_written_and_read() {
        let most = Lesson { games: u32::MAX, win: 1.0, simulations: f32::MAX };
        let mut lessons = Lessons::default();
        let start = Position::new(Rules::Season2027, Some(Piece::PentoW)).unwrap().to_string();
        lessons.add([(start.clone(), mono(1), most), (start.clone(), mono(1), most)]);
        assert_eq!(lessons.of(&start), [(mono(1), most)]);
        assert_eq!(Lessons::from_text(&lessons.to_text()).unwrap().of(&start), [(mono(1), most)]);
    }

    #[test]
    fn what_was_not_met_for_longest_goes_first() {
        let mut lessons = Lessons::default();
        let key = |n: usize| n.to_string();
        lessons.add((0..Lessons::MOST).map(|n| (key(n), mono(1), lesson(1, 0.5))));
        lessons.add([(key(0), mono(2), lesson(1, 0.5)), ("new".to_owned(), mono(1), lesson(1, 0.5))]);
        assert_eq!(lessons.positions.len(), Lessons::MOST);
        assert_eq!([key(0), key(1), key(2), "new".to_owned()].map(|key| lessons.of(&key).len()), [2, 0, 1, 1]);
    }

    #[test]
    fn text_is_read_as_it_was_written_and_nothing_else() {
        let start = |piece| Position::new(Rules::Season2027, Some(piece)).unwrap().to_string();
        let mut lessons = Lessons::default();
        for (n, piece) in [Piece::PentoW, Piece::PentoL, Piece::PentoI, Piece::PentoW].into_iter().enumerate() {
            lessons.add([(start(piece), mono(n), lesson(2, 0.1 * n as f32))]);
        }
        let text = lessons.to_text();
        assert_eq!(text.lines().count(), 4);
        let again = Lessons::from_text(&text).unwrap();
        assert_eq!(again.to_text(), text);
        for piece in [Piece::PentoW, Piece::PentoL] {
            assert_eq!(again.of(&start(piece)), lessons.of(&start(piece)));
        }
        let line = text.lines().next().unwrap();
        let damaged = [
            line.replace("PENTO", "PENT"),
            line.replace("MONO@", "MONO@99"),
            format!("{line}\t1"),
            line.rsplit_once('\t').unwrap().0.to_owned(),
            [&start(Piece::PentoW), "MONO@0,0", "1", "1.5", "10"].join("\t"),
            [&start(Piece::PentoW), "MONO@0,0", "1", "NaN", "10"].join("\t"),
            [&start(Piece::PentoW), "MONO@0,0", "0", "0.5", "inf"].join("\t"),
        ];
        for damaged in damaged {
            assert_eq!(Lessons::from_text(&format!("{line}\n{damaged}\n")), Err(damaged));
        }
    }
}
