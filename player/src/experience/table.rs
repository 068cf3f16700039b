//! The experience table and its text form.

use std::collections::HashMap;
use std::fmt::Write;

use game::{Placement, Position};

/// An update: the key of a position, a move, and its result.
pub type ExperienceUpdate = (String, Placement, MoveExperience);

/// Results of the games with a move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveExperience {
    /// Number of games.
    pub games: u32,
    /// Mean win probability in the rest of these games of the team that played the move, 0 to 1.
    pub win: f32,
    /// Number of simulations of the searches that chose the move.
    pub simulations: f32,
}

impl MoveExperience {
    /// Merges two results.
    fn merged(self, other: Self) -> Self {
        let games = self.games.saturating_add(other.games);
        let part = f64::from(other.games) / f64::from(games.max(1));
        Self {
            games,
            win: self.win + (other.win - self.win) * part as f32,
            // An infinite sum would make the file unreadable.
            simulations: (self.simulations + other.simulations).min(f32::MAX),
        }
    }

    /// Returns `true` if the numbers are in range.
    pub(super) fn is_valid(&self) -> bool {
        self.games > 0 && (0.0..=1.0).contains(&self.win) && self.simulations.is_finite() && self.simulations >= 0.0
    }
}

/// Experience by position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ExperienceTable {
    positions: HashMap<String, Moves>,
    /// Number of updates.
    updated: u64,
}

/// Moves of one position.
#[derive(Clone, PartialEq, Debug, Default)]
struct Moves {
    moves: Vec<(Placement, MoveExperience)>,
    /// Number of the latest update.
    updated: u64,
}

impl ExperienceTable {
    /// Maximum number of positions, the most recently updated ones; about 4 MB.
    pub const MAX_POSITIONS: usize = 20_000;

    /// Returns `true` if the table is empty.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Returns the moves of a position with their results.
    pub fn of(&self, position: &str) -> &[(Placement, MoveExperience)] {
        self.positions.get(position).map_or(&[], |known| &known.moves)
    }

    /// Adds updates, and removes the positions updated longest ago if there are too many.
    pub fn add(&mut self, updates: impl IntoIterator<Item = ExperienceUpdate>) {
        for (position, placement, result) in updates {
            self.updated += 1;
            let known = self.positions.entry(position).or_default();
            known.updated = self.updated;
            match known.moves.iter_mut().find(|(other, _)| *other == placement) {
                Some((_, old)) => *old = old.merged(result),
                None => known.moves.push((placement, result)),
            }
        }
        if self.positions.len() > Self::MAX_POSITIONS {
            let mut times: Vec<u64> = self.positions.values().map(|known| known.updated).collect();
            let (_, &mut first, _) = times.select_nth_unstable(self.positions.len() - Self::MAX_POSITIONS);
            self.positions.retain(|_, known| known.updated >= first);
        }
    }

    /// Writes a line for each move; the most recently updated position comes last.
    pub fn to_text(&self) -> String {
        let mut positions: Vec<_> = self.positions.iter().collect();
        positions.sort_unstable_by_key(|(_, known)| known.updated);
        let mut text = String::new();
        for (position, known) in positions {
            for (placement, MoveExperience { games, win, simulations }) in &known.moves {
                // Writing to a string never fails.
                let _ = writeln!(text, "{position}\t{placement}\t{games}\t{win}\t{simulations}");
            }
        }
        text
    }

    /// Parses a [text](Self::to_text).
    ///
    /// # Errors
    /// The first invalid line.
    pub fn from_text(text: &str) -> Result<Self, String> {
        let mut table = Self::default();
        for line in text.lines() {
            table.add([update(line).ok_or_else(|| line.to_owned())?]);
        }
        Ok(table)
    }
}

/// Parses a line.
fn update(line: &str) -> Option<ExperienceUpdate> {
    let mut fields = line.split('\t');
    let position = fields.next().filter(|text| text.parse::<Position>().is_ok())?;
    let placement = fields.next()?.parse().ok()?;
    let result = MoveExperience {
        games: fields.next()?.parse().ok()?,
        win: fields.next()?.parse().ok()?,
        simulations: fields.next()?.parse().ok()?,
    };
    (fields.next().is_none() && result.is_valid()).then(|| (position.to_owned(), placement, result))
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Piece, Rules};

    fn mono(x: usize) -> Placement {
        format!("MONO@{x},0").parse().unwrap()
    }

    fn result(games: u32, win: f32) -> MoveExperience {
        MoveExperience { games, win, simulations: 1000.0 * games as f32 }
    }

    #[test]
    fn results_are_merged_by_games() {
        let mut table = ExperienceTable::default();
        table.add([("a".to_owned(), mono(1), result(1, 0.25))]);
        table.add([("a".to_owned(), mono(1), result(3, 0.75)), ("a".to_owned(), mono(2), result(1, 0.5))]);
        assert_eq!(table.of("a"), [(mono(1), result(4, 0.625)), (mono(2), result(1, 0.5))]);
        assert!(table.of("b").is_empty() && !table.is_empty());
    }

    #[test]
    fn largest_sums_can_be_read_back() {
        let most = MoveExperience { games: u32::MAX, win: 1.0, simulations: f32::MAX };
        let mut table = ExperienceTable::default();
        let start = Position::new(Rules::Season2027, Some(Piece::PentoW)).unwrap().to_string();
        table.add([(start.clone(), mono(1), most), (start.clone(), mono(1), most)]);
        assert_eq!(table.of(&start), [(mono(1), most)]);
        assert_eq!(ExperienceTable::from_text(&table.to_text()).unwrap().of(&start), [(mono(1), most)]);
    }

    #[test]
    fn oldest_positions_are_removed_first() {
        let mut table = ExperienceTable::default();
        let key = |n: usize| n.to_string();
        table.add((0..ExperienceTable::MAX_POSITIONS).map(|n| (key(n), mono(1), result(1, 0.5))));
        table.add([(key(0), mono(2), result(1, 0.5)), ("new".to_owned(), mono(1), result(1, 0.5))]);
        assert_eq!(table.positions.len(), ExperienceTable::MAX_POSITIONS);
        assert_eq!([key(0), key(1), key(2), "new".to_owned()].map(|key| table.of(&key).len()), [2, 0, 1, 1]);
    }

    #[test]
    fn written_text_is_read_back_and_damage_rejected() {
        let start = |piece| Position::new(Rules::Season2027, Some(piece)).unwrap().to_string();
        let mut table = ExperienceTable::default();
        for (n, piece) in [Piece::PentoW, Piece::PentoL, Piece::PentoI, Piece::PentoW].into_iter().enumerate() {
            table.add([(start(piece), mono(n), result(2, 0.1 * n as f32))]);
        }
        let text = table.to_text();
        assert_eq!(text.lines().count(), 4);
        let again = ExperienceTable::from_text(&text).unwrap();
        assert_eq!(again.to_text(), text);
        for piece in [Piece::PentoW, Piece::PentoL] {
            assert_eq!(again.of(&start(piece)), table.of(&start(piece)));
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
            assert_eq!(ExperienceTable::from_text(&format!("{line}\n{damaged}\n")), Err(damaged));
        }
    }
}
