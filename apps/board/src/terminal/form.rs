//! The form of a new game.

use game::{Color, Piece, Rules};
use player::Level;

use super::words::Words;
use crate::new_game::NewGame;
use crate::session::{Seat, TimeControl};

/// The rules in the order of the form.
const RULES: [Rules; 3] = [Rules::Season2027, Rules::Season2021, Rules::Classic];

/// The clocks of the form.
const CLOCKS: [TimeControl; 5] = [
    TimeControl::None,
    TimeControl::Game { main: 5 * 60_000, increment: 0 },
    TimeControl::Game { main: 15 * 60_000, increment: 0 },
    TimeControl::Move { limit: 2_000 },
    TimeControl::Move { limit: 30_000 },
];

/// Subject of a line of the form.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Rules,
    StartPiece,
    Seat(Color),
    Clock,
    Begin,
}

impl Field {
    pub const ALL: [Self; 8] = [
        Self::Rules,
        Self::StartPiece,
        Self::Seat(Color::Blue),
        Self::Seat(Color::Yellow),
        Self::Seat(Color::Red),
        Self::Seat(Color::Green),
        Self::Clock,
        Self::Begin,
    ];
}

/// The form of a new game.
pub(super) struct Form {
    /// The selected line.
    pub line: usize,
    rules: usize,
    /// Index of the start piece; `None` for a random one.
    start_piece: Option<usize>,
    /// The possible players.
    players: Vec<Seat>,
    /// Index of the player of each colour.
    seats: [usize; 4],
    clock: usize,
}

impl Form {
    /// Creates a form: a person against a low level.
    pub fn new(programs: &[String]) -> Self {
        let levels = Level::ALL.map(|level| Seat::Level { level });
        let programs = programs.iter().map(|name| Seat::Program { name: name.clone() });
        Self {
            line: 0,
            rules: 0,
            start_piece: None,
            players: [Seat::Person].into_iter().chain(levels).chain(programs).collect(),
            seats: [0, 3, 0, 3],
            clock: 0,
        }
    }

    pub fn field(&self) -> Field {
        Field::ALL[self.line]
    }

    /// Selects another line.
    pub fn step(&mut self, by: isize) {
        self.line = self.line.saturating_add_signed(by).min(Field::ALL.len() - 1);
    }

    /// Changes the value of the selected line.
    pub fn change(&mut self, by: isize) {
        let turn = |value: usize, count: usize| (value as isize + by).rem_euclid(count as isize) as usize;
        match self.field() {
            Field::Rules => {
                self.rules = turn(self.rules, RULES.len());
                self.start_piece = None;
            }
            Field::StartPiece => {
                let count = self.start_pieces().len();
                let next = turn(self.start_piece.map_or(0, |piece| piece + 1), count + 1);
                self.start_piece = next.checked_sub(1);
            }
            Field::Seat(color) => {
                let before = self.seats[color as usize];
                let after = turn(before, self.players.len());
                // One player mostly plays both colours of a team.
                let partner = &mut self.seats[color.partner() as usize];
                if *partner == before {
                    *partner = after;
                }
                self.seats[color as usize] = after;
            }
            Field::Clock => self.clock = turn(self.clock, CLOCKS.len()),
            Field::Begin => {}
        }
    }

    fn start_pieces(&self) -> Vec<Piece> {
        RULES[self.rules].start_pieces().iter().collect()
    }

    fn seat(&self, color: Color) -> &Seat {
        &self.players[self.seats[color as usize]]
    }

    /// Returns the label and the value of a line.
    pub fn text(&self, field: Field, words: &Words) -> (&'static str, String) {
        match field {
            Field::Rules => (words.rules, RULES[self.rules].name().to_owned()),
            Field::StartPiece => {
                let piece = self.start_piece.and_then(|number| self.start_pieces().get(number).copied());
                let none = if self.start_pieces().is_empty() { "–" } else { words.drawn };
                (words.start_piece, piece.map_or(none, Piece::name).to_owned())
            }
            Field::Seat(color) => (words.color(color), seat_name(self.seat(color), words)),
            Field::Clock => {
                let value = match CLOCKS[self.clock] {
                    TimeControl::None => words.no_clock.to_owned(),
                    TimeControl::Game { main, .. } => format!("{} {}", main / 60_000, words.minutes),
                    TimeControl::Move { limit } => format!("{} {}", limit / 1_000, words.seconds),
                };
                (words.clock, value)
            }
            Field::Begin => (words.begin, String::new()),
        }
    }

    /// Returns the game as filled in.
    pub fn game(&self) -> NewGame {
        let piece = self.start_piece.and_then(|number| self.start_pieces().get(number).copied());
        NewGame {
            rules: Some(RULES[self.rules].name().to_owned()),
            start_piece: piece.map(|piece| piece.name().to_owned()),
            seats: Color::ALL.map(|color| self.seat(color).clone()),
            control: CLOCKS[self.clock],
            ..NewGame::default()
        }
    }
}

/// Returns the name of a player.
pub(super) fn seat_name(seat: &Seat, words: &Words) -> String {
    match seat {
        Seat::Person => words.person.to_owned(),
        Seat::Guest => words.guest.to_owned(),
        Seat::Level { level } => format!("{} {}", words.level, level.number()),
        Seat::Program { name } => name.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_line_cycles() {
        let mut form = Form::new(&["theirs".to_owned()]);
        for _ in Field::ALL {
            let words = Words::of_environment();
            let before = form.text(form.field(), words);
            let values: Vec<_> = (0..60)
                .map(|_| {
                    form.change(1);
                    form.text(form.field(), words)
                })
                .collect();
            assert!(values.contains(&before));
            form.step(1);
        }
        assert_eq!(form.line, Field::ALL.len() - 1);
        form.line = 3;
        let other = form.seats[Color::Blue as usize];
        form.seats = [other, 3, other, 3];
        form.change(1);
        assert_eq!(form.seats, [other, 4, other, 4]);
    }
}
