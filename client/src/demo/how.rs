//! How a game is shown.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use picture::{Canvas, Terminal};
use protocol::Season;

/// Thinking time per move. A game has about eighty moves, half of them those of an opponent that
/// takes no time, so that it takes ten seconds.
pub const DEFAULT_TIME: Duration = Duration::from_millis(250);

/// The player on the other side.
pub const DEFAULT_OPPONENT: &str = "heuristic";

/// How to show a game.
#[derive(Clone, Debug)]
pub struct Show {
    /// Thinking time per move of both players.
    pub time: Duration,
    /// How long each position is shown at least where one takes the place of the other.
    pub delay: Duration,
    /// The name of the player on the other side.
    pub opponent: String,
    /// The season whose rules and protocol are used.
    pub season: Season,
    /// Seed of the start piece and of the opponent's random numbers.
    pub seed: u64,
    /// Whether the board has letters where it has colours.
    pub letters: bool,
    /// How the boards are shown.
    pub output: Output,
    /// Ends the game as soon as it is true, with the terminal in order.
    pub stop: Arc<AtomicBool>,
}

/// How boards are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Output {
    /// One after each round, below the one before.
    Rounds(Canvas),
    /// One after each move, in place of the one before.
    Screen(Terminal),
}

impl Output {
    /// As it suits standard output: in place where that is a terminal that can do it.
    pub fn of_stdout() -> Self {
        let terminal = Terminal::of_stdout();
        if terminal.is_screen() { Self::Screen(terminal) } else { Self::rounds(terminal) }
    }

    /// On standard output, but one board below the other even if that is a terminal.
    pub fn rounds_on_stdout() -> Self {
        Self::rounds(Terminal::of_stdout())
    }

    /// With room for the empty line between two boards.
    fn rounds(terminal: Terminal) -> Self {
        let canvas = terminal.canvas();
        Self::Rounds(Canvas { rows: canvas.rows.saturating_sub(1), ..canvas })
    }
}

impl Show {
    /// As it suits standard output, with so little time that the game takes ten seconds.
    pub fn on_stdout() -> Self {
        Self {
            time: DEFAULT_TIME,
            delay: DEFAULT_TIME / 2,
            opponent: DEFAULT_OPPONENT.to_owned(),
            season: Season::default(),
            seed: rand::random(),
            letters: false,
            output: Output::of_stdout(),
            stop: Arc::default(),
        }
    }
}
