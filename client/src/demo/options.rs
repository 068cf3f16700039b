//! Defaults and output of a demo.

use std::time::Duration;

use picture::{Canvas, Terminal};

/// Thinking time per move. A game takes ten seconds: about eighty moves, half of them instant moves of the opponent.
pub const DEFAULT_TIME: Duration = Duration::from_millis(250);

/// The opponent.
pub const DEFAULT_OPPONENT: &str = "heuristic";

/// An output of boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Output {
    /// Below each other, one per round.
    Rounds(Canvas),
    /// In place, one per move.
    Screen(Terminal),
}

impl Output {
    /// In place on standard output if that is a capable terminal, else below each other.
    pub fn of_stdout() -> Self {
        let terminal = Terminal::of_stdout();
        if terminal.is_screen() { Self::Screen(terminal) } else { Self::rounds(terminal) }
    }

    /// Below each other, even on a terminal. Leaves room for the empty line between two boards.
    pub fn rounds(terminal: Terminal) -> Self {
        let canvas = terminal.canvas();
        Self::Rounds(Canvas { rows: canvas.rows.saturating_sub(1), ..canvas })
    }
}
