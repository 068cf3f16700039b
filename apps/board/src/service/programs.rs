//! Programs of others that play: engines with the Go Text Protocol and clients of the contest, as the arena starts
//! them.
//!
//! Which there are, the service is told at its start. A seat only names one of them.

use std::collections::BTreeMap;
use std::time::Duration;

use arena::engines::{Budget, Contestant, GameStart, Spec};
use game::{Move, Position, Team};

/// Programs by name.
pub(super) type Programs = BTreeMap<String, Spec>;

/// How long a program may think before it is taken to hang.
const PATIENCE: Duration = Duration::from_secs(120);

/// A program that plays a game.
pub(super) struct Playing {
    contestant: Box<dyn Contestant>,
    start: Position,
    /// The moves that it was told of.
    told: Vec<Move>,
}

impl Playing {
    /// Starts a program for the colours of a team. `time` is what it is told to use for a move.
    pub fn begin(spec: &Spec, team: Team, start: Position, time: Duration) -> Result<Self, String> {
        let mut contestant = spec.contestant(Budget { time: Some(time), nodes: None });
        let game = GameStart { position: start, team, seed: rand::random() };
        contestant.begin(&game).map_err(|error| error.to_string())?;
        Ok(Self { contestant, start, told: Vec::new() })
    }

    /// Whether these moves from this start follow on what the program was told.
    pub fn knows(&self, start: &Position, moves: &[Move]) -> bool {
        self.start == *start && moves.starts_with(&self.told)
    }

    /// Its move after these, which [follow](Self::knows) on what it was told.
    pub fn choose(&mut self, moves: &[Move]) -> Result<Move, String> {
        let mut position = self.told.iter().fold(self.start, |position, &mv| position.after(mv));
        for &mv in &moves[self.told.len()..] {
            self.contestant.note(&position, mv, false).map_err(|fault| fault.to_string())?;
            position.play(mv);
            self.told.push(mv);
        }
        let mv = self.contestant.choose(&position, PATIENCE).map_err(|fault| fault.to_string())?.mv;
        position.check(mv).map_err(|refusal| format!("{mv}: {refusal}"))?;
        self.contestant.note(&position, mv, true).map_err(|fault| fault.to_string())?;
        self.told.push(mv);
        Ok(mv)
    }
}
