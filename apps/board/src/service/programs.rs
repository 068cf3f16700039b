//! External programs that play: GTP engines and contest clients, started as the arena starts them.

use std::time::Duration;

use arena::engines::{Budget, Contestant, GameStart, Spec};
use game::{Move, Position, Team};

/// Time after which a program counts as hanging.
const MOVE_TIMEOUT: Duration = Duration::from_secs(120);

/// A running program that plays for a team.
pub(super) struct ExternalProgram {
    contestant: Box<dyn Contestant>,
    start: Position,
    /// The moves that the program has seen.
    seen: Vec<Move>,
}

impl ExternalProgram {
    /// Starts a program. `time` is its time for a move.
    pub fn start(spec: &Spec, team: Team, start: Position, time: Duration) -> Result<Self, String> {
        let mut contestant = spec.contestant(Budget { time: Some(time), nodes: None });
        let game = GameStart { position: start, team, seed: rand::random() };
        contestant.begin(&game).map_err(|error| error.to_string())?;
        Ok(Self { contestant, start, seen: Vec::new() })
    }

    /// Returns `true` if the program has seen the first of these moves and no others.
    pub fn has_seen(&self, start: &Position, moves: &[Move]) -> bool {
        self.start == *start && moves.starts_with(&self.seen)
    }

    /// Returns the program's move after `moves`, which [begin with](Self::has_seen) the seen ones.
    pub fn choose(&mut self, moves: &[Move]) -> Result<Move, String> {
        let mut position = self.seen.iter().fold(self.start, |position, &mv| position.after(mv));
        for &mv in &moves[self.seen.len()..] {
            self.contestant.note(&position, mv, false).map_err(|fault| fault.to_string())?;
            position.play(mv);
            self.seen.push(mv);
        }
        let mv = self.contestant.choose(&position, MOVE_TIMEOUT).map_err(|fault| fault.to_string())?.0.mv;
        position.check(mv).map_err(|reason| format!("{mv}: {reason}"))?;
        self.contestant.note(&position, mv, true).map_err(|fault| fault.to_string())?;
        self.seen.push(mv);
        Ok(mv)
    }
}
