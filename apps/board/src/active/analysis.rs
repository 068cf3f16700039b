//! The analysis of the moves that lead to the current position.

use std::collections::VecDeque;

use game::Position;
use serde::Serialize;

use crate::session::{Insight, Recheck, Session, rechecks};

/// A recheck searches each of its two positions for this multiple of the time.
const RECHECK_FACTOR: u64 = 2;

/// The progress of an analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct AnalysisProgress {
    /// Number of searched positions and rechecked moves.
    pub done: usize,
    /// Number of all of them.
    pub total: usize,
}

/// An analysis: a search of each position, then a recheck of each move that looks bad.
#[derive(Clone, Debug)]
pub(super) struct Analysis {
    /// Milliseconds for each position.
    time: u64,
    positions: VecDeque<Position>,
    /// `None` until all positions are searched.
    rechecks: Option<VecDeque<Recheck>>,
    /// The insight into the engine's choice of the first recheck.
    best: Option<Insight>,
    pub progress: AnalysisProgress,
}

impl Analysis {
    /// Starts an analysis that skips positions with a search of at least `time` milliseconds.
    pub fn new(session: &Session, time: u64) -> Self {
        let positions = session.plies().into_iter().map(|(_, before, _)| before).chain([*session.position()]);
        let is_known = |position: &Position| session.insight(position).is_some_and(|insight| insight.time >= time);
        let positions: VecDeque<Position> =
            positions.filter(|position| !position.is_over() && !is_known(position)).collect();
        let progress = AnalysisProgress { done: 0, total: positions.len() };
        let mut analysis = Self { time, positions, rechecks: None, best: None, progress };
        analysis.add_rechecks(session);
        analysis
    }

    /// Returns the next position to search and the milliseconds for it; `None` if the analysis is done.
    pub fn next(&self) -> Option<(Position, u64)> {
        if let Some(&position) = self.positions.front() {
            return Some((position, self.time));
        }
        let recheck = self.rechecks.as_ref()?.front()?;
        let mv = if self.best.is_none() { recheck.best } else { recheck.played };
        Some((recheck.position.after(mv), self.time.saturating_mul(RECHECK_FACTOR)))
    }

    /// Takes the insight into the [next](Self::next) position. Returns the position whose insight in the session
    /// changed.
    pub fn take(&mut self, insight: Insight, session: &mut Session) -> Option<Position> {
        let mut changed = None;
        if let Some(position) = self.positions.pop_front() {
            session.add_insight(&position, insight);
            self.progress.done += 1;
            changed = Some(position);
        } else if let Some(best) = self.best.take() {
            if let Some(recheck) = self.rechecks.as_mut().and_then(VecDeque::pop_front) {
                recheck.add_to(session, &best, &insight);
                self.progress.done += 1;
                changed = Some(recheck.position);
            }
        } else {
            self.best = Some(insight);
        }
        self.add_rechecks(session);
        changed
    }

    fn add_rechecks(&mut self, session: &Session) {
        if self.positions.is_empty() && self.rechecks.is_none() {
            let rechecks = rechecks(session);
            self.progress.total += rechecks.len();
            self.rechecks = Some(rechecks.into());
        }
    }
}
