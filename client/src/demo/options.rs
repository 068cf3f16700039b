//! The options of a demo.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use picture::{Canvas, Terminal};
use protocol::Season;

/// Thinking time per move. A game takes ten seconds: about eighty moves, half of them instant moves of the opponent.
pub const DEFAULT_TIME: Duration = Duration::from_millis(250);

/// The player on the other side.
pub const DEFAULT_OPPONENT: &str = "heuristic";

/// The options of a demo.
#[derive(Clone, Debug)]
pub struct DemoOptions {
    /// Thinking time per move of both players.
    pub time: Duration,
    /// Minimum time that a position stays on a screen.
    pub delay: Duration,
    /// The name of the player on the other side.
    pub opponent: String,
    /// The season whose rules and protocol are used.
    pub season: Season,
    /// Seed of the start piece and of the opponent's random numbers.
    pub seed: u64,
    /// `true` if the coloured board also shows letters.
    pub letters: bool,
    /// Output of the boards.
    pub output: Output,
    /// Ends the game as soon as it is true and restores the terminal.
    pub stop: Arc<AtomicBool>,
}

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
