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
    /// The chosen values by line; a start piece of 0 is a random one.
    values: [usize; 8],
    /// The possible players.
    players: Vec<Seat>,
}

impl Form {
    /// Creates a form: a person against a low level.
    pub fn new(programs: &[String]) -> Self {
        let levels = Level::ALL.map(|level| Seat::Level { level });
        let programs = programs.iter().map(|name| Seat::Program { name: name.clone() });
        let players = [Seat::Person].into_iter().chain(levels).chain(programs).collect();
        Self { line: 0, values: [0, 0, 0, 3, 0, 3, 0, 0], players }
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
        let field = self.field();
        let count = match field {
            Field::Rules => RULES.len(),
            Field::StartPiece => 1 + self.start_pieces().len(),
            Field::Seat(_) => self.players.len(),
            Field::Clock => CLOCKS.len(),
            Field::Begin => 1,
        };
        let before = self.value(field);
        let after = (before as isize + by).rem_euclid(count as isize) as usize;
        self.values[self.line] = after;
        match field {
            Field::Rules => self.values[line_of(Field::StartPiece)] = 0,
            // One player mostly plays both colours of a team.
            Field::Seat(color) if self.value(Field::Seat(color.partner())) == before => {
                self.values[line_of(Field::Seat(color.partner()))] = after;
            }
            _ => {}
        }
    }

    fn value(&self, field: Field) -> usize {
        self.values[line_of(field)]
    }

    fn rules(&self) -> Rules {
        RULES[self.value(Field::Rules)]
    }

    fn start_pieces(&self) -> Vec<Piece> {
        self.rules().start_pieces().iter().collect()
    }

    fn start_piece(&self) -> Option<Piece> {
        self.start_pieces().get(self.value(Field::StartPiece).checked_sub(1)?).copied()
    }

    fn seat(&self, color: Color) -> &Seat {
        &self.players[self.value(Field::Seat(color))]
    }

    fn clock(&self) -> TimeControl {
        CLOCKS[self.value(Field::Clock)]
    }

    /// Returns the label and the value of a line.
    pub fn text(&self, field: Field, words: &Words) -> (&'static str, String) {
        match field {
            Field::Rules => (words.rules, self.rules().name().to_owned()),
            Field::StartPiece => {
                let none = if self.start_pieces().is_empty() { "–" } else { words.drawn };
                (words.start_piece, self.start_piece().map_or(none, Piece::name).to_owned())
            }
            Field::Seat(color) => (words.color(color), seat_name(self.seat(color), words)),
            Field::Clock => {
                let value = match self.clock() {
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
        NewGame {
            rules: Some(self.rules()),
            start_piece: self.start_piece(),
            seats: Color::ALL.map(|color| self.seat(color).clone()),
            control: self.clock(),
            ..NewGame::default()
        }
    }
}

/// Returns the line of a field.
fn line_of(field: Field) -> usize {
    Field::ALL.iter().position(|&other| other == field).unwrap_or(0)
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
        form = Form::new(&[]);
        form.line = 3;
        form.change(1);
        assert_eq!(form.values, [0, 0, 0, 4, 0, 4, 0, 0]);
    }
}
