//! Time controls and clocks.

use game::Team;
use serde::{Deserialize, Serialize};

/// A time control. All times are milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum TimeControl {
    /// No limit.
    #[default]
    None,
    /// A limit for all moves of a team, and an increment after each move (Fischer).
    Game {
        /// At the start.
        main: u64,
        /// After each move.
        increment: u64,
    },
    /// A limit for each move, as in the contest.
    Move {
        /// For one move.
        limit: u64,
    },
}

/// The remaining times of both teams. The caller measures the turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    control: TimeControl,
    /// Remaining time for the game by team, unused for other controls.
    remaining: [u64; 2],
    /// Duration of the current turn before it was interrupted.
    before: u64,
}

impl Clock {
    /// Creates the clock at the start of a game.
    pub fn new(control: TimeControl) -> Self {
        let remaining = if let TimeControl::Game { main, .. } = control { main } else { 0 };
        Self { control, remaining: [remaining; 2], before: 0 }
    }

    /// Returns the time of a team for the current turn; `None` without a limit.
    fn limit(&self, team: Team) -> Option<u64> {
        match self.control {
            TimeControl::None => None,
            TimeControl::Game { .. } => Some(self.remaining[team as usize]),
            TimeControl::Move { limit } => Some(limit),
        }
    }

    /// Returns the remaining time of a team whose turn has lasted `used` since its start or resumption; `None` without
    /// a limit.
    pub fn remaining(&self, team: Team, used: u64) -> Option<u64> {
        self.limit(team).map(|limit| limit.saturating_sub(self.before.saturating_add(used)))
    }

    /// Returns `true` if a turn that has lasted `used` since its start or resumption is too long.
    pub fn is_over(&self, team: Team, used: u64) -> bool {
        self.limit(team).is_some_and(|limit| self.before.saturating_add(used) > limit)
    }

    /// Ends a turn that has lasted `used` since its start or resumption. Returns `false` and changes nothing if that is
    /// too long.
    pub fn end_turn(&mut self, team: Team, used: u64) -> bool {
        if self.is_over(team, used) {
            return false;
        }
        if let TimeControl::Game { increment, .. } = self.control {
            let remaining = &mut self.remaining[team as usize];
            *remaining = remaining.saturating_sub(self.before.saturating_add(used)).saturating_add(increment);
        }
        self.before = 0;
        true
    }

    /// Interrupts a turn that has lasted `used` since its start or resumption.
    pub fn interrupt(&mut self, used: u64) {
        self.before = self.before.saturating_add(used);
    }

    /// Restarts a turn after moves were taken back.
    pub fn restart_turn(&mut self) {
        self.before = 0;
    }
}
