//! A contestant that loses its game if it cannot start.

use std::time::Duration;

use game::{Move, Position};
use record::{Fault, FaultKind};

use super::{Answer, Contestant, GameEnd, GameStart, StartError};

/// Turns the [`StartError`] of another contestant into a fault at its first move.
pub(super) struct Tolerant {
    inner: Box<dyn Contestant>,
    /// Why it could not start.
    failure: Option<String>,
}

impl Tolerant {
    pub(super) fn new(inner: Box<dyn Contestant>) -> Self {
        Self { inner, failure: None }
    }
}

impl Contestant for Tolerant {
    fn begin(&mut self, game: &GameStart) -> Result<(), StartError> {
        self.failure = self.inner.begin(game).err().map(|error| error.reason);
        Ok(())
    }

    fn note(&mut self, before: &Position, mv: Move, own: bool) -> Result<(), Fault> {
        if self.failure.is_some() { Ok(()) } else { self.inner.note(before, mv, own) }
    }

    fn choose(&mut self, position: &Position, patience: Duration) -> Result<Answer, Fault> {
        match &self.failure {
            Some(reason) => Err(Fault::new(FaultKind::Left, reason.clone())),
            None => self.inner.choose(position, patience),
        }
    }

    fn is_timed(&self) -> bool {
        self.inner.is_timed()
    }

    fn end(&mut self, end: &GameEnd) {
        if self.failure.is_none() {
            self.inner.end(end);
        }
    }
}
