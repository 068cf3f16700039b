//! The form of a new game.

use game::{Color, Piece, Rules};
use player::Level;

use super::words::Words;
use crate::new_game::NewGame;
use crate::session::{Seat, TimeControl};

/// The rules in the order of the form.
const RULE_SETS: [Rules; 3] = [Rules::Season2027, Rules::Season2021, Rules::Classic];

/// The clocks of the form.
const CLOCKS: [TimeControl; 5] = [
    TimeControl::None,
    TimeControl::Game { main: 5 * 60_000, increment: 0 },
    TimeControl::Game { main: 15 * 60_000, increment: 0 },
    TimeControl::Move { limit: 2_000 },
    TimeControl::Move { limit: 30_000 },
];

// The lines of the form.
const RULES: usize = 0;
const START_PIECE: usize = 1;
/// Blue, followed by the other colours.
const SEATS: usize = 2;
const CLOCK: usize = 6;
pub(super) const BEGIN: usize = 7;

/// The form of a new game.
#[derive(Clone)]
pub(super) struct Form {
    /// The selected line.
    pub line: usize,
    /// The chosen values by line; a start piece of 0 is drawn.
    values: [usize; BEGIN + 1],
    /// The possible players.
    players: Vec<Seat>,
}

impl Form {
    /// Creates a form: a person against the lowest level.
    pub fn new(programs: &[String]) -> Self {
        let levels = Level::ALL.map(|level| Seat::Level { level });
        let programs = programs.iter().map(|name| Seat::Program { name: name.clone() });
        let players = [Seat::Person].into_iter().chain(levels).chain(programs).collect();
        Self { line: 0, values: [0, 0, 0, 1, 0, 1, 0, 0], players }
    }

    /// Selects another line.
    pub fn step(&mut self, by: isize) {
        self.line = self.line.saturating_add_signed(by).min(BEGIN);
    }

    /// Changes the value of the selected line.
    pub fn change(&mut self, by: isize) {
        let count = match self.line {
            RULES => RULE_SETS.len(),
            START_PIECE => 1 + self.start_pieces().len(),
            CLOCK => CLOCKS.len(),
            BEGIN => 1,
            _ => self.players.len(),
        };
        let before = self.values[self.line];
        let after = (before as isize + by).rem_euclid(count as isize) as usize;
        self.values[self.line] = after;
        if self.line == RULES {
            self.values[START_PIECE] = 0;
        }
        if let Some(color) = self.line.checked_sub(SEATS).and_then(|n| Color::ALL.get(n)) {
            // One player mostly plays both colours of a team.
            let partner = &mut self.values[SEATS + color.partner() as usize];
            if *partner == before {
                *partner = after;
            }
        }
    }

    fn rules(&self) -> Rules {
        RULE_SETS[self.values[RULES]]
    }

    fn start_pieces(&self) -> Vec<Piece> {
        self.rules().start_pieces().iter().collect()
    }

    fn start_piece(&self) -> Option<Piece> {
        self.start_pieces().get(self.values[START_PIECE].checked_sub(1)?).copied()
    }

    fn seat(&self, color: Color) -> &Seat {
        &self.players[self.values[SEATS + color as usize]]
    }

    fn clock(&self) -> TimeControl {
        CLOCKS[self.values[CLOCK]]
    }

    /// Returns the label and the value of a line.
    pub fn text(&self, line: usize, words: &Words) -> (&'static str, String) {
        match line {
            RULES => (words.rules, self.rules().name().to_owned()),
            START_PIECE => {
                let none = if self.start_pieces().is_empty() { "–" } else { words.drawn };
                (words.start_piece, self.start_piece().map_or(none, Piece::name).to_owned())
            }
            CLOCK => {
                let value = match self.clock() {
                    TimeControl::None => words.no_clock.to_owned(),
                    TimeControl::Game { main, .. } => format!("{} {}", main / 60_000, words.minutes),
                    TimeControl::Move { limit } => format!("{} {}", limit / 1_000, words.seconds),
                };
                (words.clock, value)
            }
            BEGIN => (words.begin, String::new()),
            seat => {
                let color = Color::ALL[seat - SEATS];
                let name = seat_name(self.seat(color), words);
                let is_level = matches!(self.seat(color), Seat::Level { .. });
                (words.color(color), if is_level { format!("{name} / {}", Level::ALL.len()) } else { name })
            }
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

/// Returns the name of a team, or of a seat's player if the team has none. A level has its name in this language.
pub(super) fn player_name(team: &str, seat: &Seat, words: &Words) -> String {
    match team.parse() {
        Ok(level) => seat_name(&Seat::Level { level }, words),
        Err(_) if team.is_empty() => seat_name(seat, words),
        Err(_) => team.to_owned(),
    }
}

fn seat_name(seat: &Seat, words: &Words) -> String {
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
        for line in 0..=BEGIN {
            let words = Words::of_environment();
            let before = form.text(line, words);
            let values: Vec<_> = (0..60)
                .map(|_| {
                    form.change(1);
                    form.text(line, words)
                })
                .collect();
            assert!(values.contains(&before));
            form.step(1);
        }
        assert_eq!(form.line, BEGIN);
        form = Form::new(&[]);
        form.line = 3;
        assert!(form.text(3, Words::of_environment()).1.ends_with(" 1 / 9"));
        form.change(1);
        assert_eq!(form.values, [0, 0, 0, 2, 0, 2, 0, 0]);
    }
}
