//! The options of `client demo`.

use std::time::Duration;

use clap::Args;
use clap::builder::PossibleValuesParser;
use picture::{Canvas, Terminal};
use protocol::Season;

use super::{LogArguments, PlayerArguments, values};

/// Default thinking time per move. A game takes ten seconds: about eighty moves, half of them instant moves of the
/// opponent.
pub(super) const DEFAULT_TIME: Duration = Duration::from_millis(250);

/// Default opponent.
pub(super) const DEFAULT_OPPONENT: &str = "heuristic";

/// Maximum time per move of a demo in milliseconds: an hour.
const MAX_MS: u64 = 3_600_000;

/// The options of `client demo`.
#[derive(Clone, Debug, Args)]
pub struct DemoArguments {
    /// Thinking time per move of both players in milliseconds
    #[arg(long, value_name = "MS", default_value_t = DEFAULT_TIME.as_millis() as u64)]
    #[arg(value_parser = cli::number(1..=MAX_MS))]
    pub time: u64,

    /// Minimum time per position on a terminal in milliseconds [default: half of --time]
    #[arg(long, value_name = "MS", value_parser = cli::number(0..=MAX_MS))]
    pub delay: Option<u64>,

    /// Opponent
    #[arg(long, value_name = "NAME", default_value = DEFAULT_OPPONENT)]
    #[arg(value_parser = PossibleValuesParser::new(::player::PLAYER_NAMES))]
    pub opponent: String,

    /// Season with the rules and the protocol
    #[arg(long, default_value_t = Season::default(), value_parser = values::season)]
    pub season: Season,

    /// Also show the letters of the colours on a coloured board
    #[arg(long)]
    pub letters: bool,

    /// The player.
    #[command(flatten)]
    pub player: PlayerArguments,

    /// The log.
    #[command(flatten)]
    pub log: LogArguments,
}

impl DemoArguments {
    /// Returns the thinking time per move.
    pub fn time(&self) -> Duration {
        Duration::from_millis(self.time)
    }

    /// Returns the minimum time that a position stays on a screen.
    pub fn delay(&self) -> Duration {
        Duration::from_millis(self.delay.unwrap_or(self.time / 2))
    }

    /// Returns the output of the boards.
    pub fn output(&self) -> BoardOutput {
        if self.is_logged() { BoardOutput::rounds(Terminal::of_stdout()) } else { BoardOutput::of_stdout() }
    }

    /// Returns `true` if there is a log. Its lines would disturb a picture that is drawn in place.
    pub(super) fn is_logged(&self) -> bool {
        self.log.verbose > 0 || self.log.log_file.is_some()
    }
}

/// An output of boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoardOutput {
    /// Below each other, one per round.
    Rounds(Canvas),
    /// In place, one per move.
    Screen(Terminal),
}

impl BoardOutput {
    /// Returns `Screen` if standard output is a capable terminal, else `Rounds`.
    pub fn of_stdout() -> Self {
        let terminal = Terminal::of_stdout();
        if terminal.is_screen() { Self::Screen(terminal) } else { Self::rounds(terminal) }
    }

    /// Returns `Rounds`, with room for the empty line between two boards.
    pub fn rounds(terminal: Terminal) -> Self {
        let canvas = terminal.canvas();
        Self::Rounds(Canvas { rows: canvas.rows.saturating_sub(1), ..canvas })
    }
}
