//! The verdict on a game.

use game::{Color, Position, Team};
use serde::{Serialize, Serializer};

/// The verdict on a game. Its JSON is its [`name`](Self::name).
///
/// ```
/// use game::{Position, Rules, Team};
/// use record::{Fault, FaultKind, Game, Verdict};
///
/// let mut game = Game::new(Position::new(Rules::Classic, None)?);
/// assert_eq!(game.verdict(), Verdict::Unfinished);
/// game.fault = Some((Team::One, Fault::new(FaultKind::Resigned, "")));
/// assert_eq!(game.verdict(), Verdict::Won(Team::Two));
/// # Ok::<(), game::SetupError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Verdict {
    /// The record ends before the game.
    Unfinished,
    /// Both teams have the same points.
    Drawn,
    /// This team has won.
    Won(Team),
    /// This colour has won a game of four players.
    WonAlone(Color),
}

impl Verdict {
    /// Returns the verdict by the points of the last position.
    pub fn from_end(end: &Position) -> Self {
        if !end.is_over() {
            return Self::Unfinished;
        }
        if !end.rules().has_teams() {
            let leaders = end.leaders();
            let winner = leaders.iter().next().filter(|_| leaders.len() == 1);
            return winner.map_or(Self::Drawn, Self::WonAlone);
        }
        match end.margin(Team::One) {
            0 => Self::Drawn,
            1.. => Self::Won(Team::One),
            _ => Self::Won(Team::Two),
        }
    }

    /// Returns `unfinished`, `drawn`, or the name of the winning team or colour.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unfinished => "unfinished",
            Self::Drawn => "drawn",
            Self::Won(team) => team.name(),
            Self::WonAlone(color) => color.name(),
        }
    }
}

impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
