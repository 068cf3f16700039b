//! Records of a plan's games in a database, so that a stopped plan resumes.

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::database::{Store, StoreError, StoredGame};
use crate::games::played::{GameId, PlayedGame};
use crate::matches::live::Live;
use crate::matches::{MatchError, play_jobs};
use crate::plan::{Job, Part, Plan};
use crate::ratings::Tally;

/// The results of a plan, or of a part of it, while its games are played.
#[derive(Debug)]
pub struct Records {
    plan: Plan,
    part: Part,
    store: Store,
    /// Key of the plan, see [`Plan::key`]; a single match has none.
    key: Option<String>,
    /// The numbers of the matches in the database. A match is added with its first game.
    ids: BTreeMap<u32, i64>,
    tallies: BTreeMap<u32, Tally>,
    finished: HashSet<(u32, GameId)>,
}

/// Maximum number of warnings about a contestant that leaves games of a match: often it leaves all of them.
const MAX_WARNINGS: u64 = 3;

impl Records {
    /// Creates the records of a new plan.
    pub fn new(plan: Plan, store: Store) -> Self {
        let (ids, tallies, finished) = Default::default();
        Self { plan, part: Part::WHOLE, store, key: None, ids, tallies, finished }
    }

    /// Opens the records of a match that resumes.
    pub fn of_match(store: Store, id: i64) -> Result<Self, StoreError> {
        let plan = store.plan(id)?;
        let mut records = Self::new(plan, store);
        records.read(0, id)?;
        Ok(records)
    }

    /// Opens the records of a part of a plan with this [key](Plan::key), with its games in the database if there are
    /// any.
    pub fn of_plan(plan: Plan, key: String, part: Part, mut store: Store) -> Result<Self, StoreError> {
        let matches = store.resume_run(&key, &plan)?;
        let mut records = Self { part, key: Some(key), ..Self::new(plan, store) };
        for (number, id) in matches {
            // Only in a database that something else has changed.
            if number >= records.plan.matches() {
                return Err(StoreError::Missing { what: "match of the plan with the number", id: number.into() });
            }
            records.read(number, id)?;
        }
        Ok(records)
    }

    fn read(&mut self, number: u32, id: i64) -> Result<(), StoreError> {
        let tally = self.tallies.entry(number).or_default();
        for StoredGame { record, .. } in self.store.games(id)? {
            tally.add(&record);
            self.finished.insert((number, record.id()));
        }
        self.ids.insert(number, id);
        Ok(())
    }

    /// Returns `true` if the records are of a plan, and not of a single match.
    pub fn are_of_plan(&self) -> bool {
        self.key.is_some()
    }

    /// Returns the plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns the numbers in the database of the matches that have games.
    pub fn ids(&self) -> impl Iterator<Item = i64> {
        self.ids.values().copied()
    }

    /// Returns the result of a match so far, by its number in the plan.
    pub fn tally(&self, number: u32) -> Tally {
        self.tallies.get(&number).cloned().unwrap_or_default()
    }

    /// Returns the results of matches with games, by their numbers in the plan.
    pub fn tallies(&self) -> &BTreeMap<u32, Tally> {
        &self.tallies
    }

    /// Returns the number of games counted.
    pub fn count(&self) -> u64 {
        self.tallies.values().map(Tally::count).sum()
    }

    /// Returns the number of games in the whole part.
    pub fn games(&self) -> u64 {
        match self.part {
            Part::WHOLE => self.plan.games(),
            _ => 2 * self.jobs().len() as u64,
        }
    }

    /// Returns all known pairs of the part, finished ones included.
    fn jobs(&self) -> Vec<Job> {
        self.part.of(&self.plan.jobs(&self.tallies))
    }

    /// Returns the unfinished pairs of the part that can be played next; none if the plan's test is decided (a part
    /// alone decides nothing). Afterwards another round may follow.
    pub fn remaining_jobs(&self) -> Vec<Job> {
        if self.is_decided() {
            return Vec::new();
        }
        let is_there = |job: &Job| job.games().iter().all(|&game| self.finished.contains(&(job.number, game)));
        self.jobs().into_iter().filter(|job| !is_there(job)).collect()
    }

    fn is_decided(&self) -> bool {
        let sprt = self.plan.sprt.filter(|_| self.part == Part::WHOLE);
        sprt.is_some_and(|sprt| self.tallies.get(&0).is_some_and(|tally| sprt.is_decided(&tally.pairs)))
    }

    /// Counts and keeps a game of a match, unless it is there already. Breaks if no more are needed.
    pub fn take(&mut self, number: u32, game: &PlayedGame) -> Result<ControlFlow<()>, StoreError> {
        if !self.finished.contains(&(number, game.id())) {
            self.keep(number, game)?;
            self.finished.insert((number, game.id()));
            let tally = self.tallies.entry(number).or_default();
            tally.add(game);
            if let Some((side, fault)) = &game.fault
                && tally.sides[*side as usize].faults(fault.kind) <= MAX_WARNINGS
            {
                log::warn!("game {} of pair {}: {}", 1 + u8::from(game.id().is_swapped), game.pair, game.verdict());
            }
        }
        Ok(if self.is_decided() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn keep(&mut self, number: u32, game: &PlayedGame) -> Result<(), StoreError> {
        let id = match self.ids.get(&number) {
            Some(&id) => id,
            None => self.store.add_match(self.key.as_deref(), &self.plan, self.part, number)?,
        };
        self.ids.insert(number, id);
        self.store.add_game(id, game).map(|_| ())
    }

    /// Plays the missing games on this machine, `concurrency` at a time, shows them in `live`, and calls `on_game`
    /// after each game is stored. Returns early when `stop` is set; games in progress are lost then. Finished games are
    /// stored in any case.
    pub fn play(
        &mut self,
        live: Option<&Live>,
        concurrency: usize,
        stop: &AtomicBool,
        mut on_game: impl FnMut(&Self),
    ) -> Result<(), MatchError> {
        let plan = self.plan.clone();
        loop {
            let (jobs, finished) = (self.remaining_jobs(), self.finished.clone());
            if jobs.is_empty() || stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            let is_finished = |number, id| finished.contains(&(number, id));
            let plan_of = |number| plan.match_plan(number);
            play_jobs(&plan_of, &jobs, &is_finished, live, concurrency, stop, |number, game| {
                let flow = self.take(number, &game)?;
                on_game(self);
                Ok(flow)
            })?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ratings::{Sprt, SprtState};

    #[test]
    fn decided_test_ends_match() {
        let sprt = Sprt { elo0: -400.0, elo1: -300.0, alpha: 0.05, beta: 0.05 };
        let sides = ["heuristic", "random"].map(|text| text.parse().unwrap());
        let plan = Plan { sprt: Some(sprt), pairs: 1000, ..Plan::of_two(sides) };
        let folder = tempfile::tempdir().unwrap();
        let mut records = Records::new(plan, Store::open(&folder.path().join("arena.sqlite")).unwrap());
        records.play(None, 1, &AtomicBool::new(false), |_| {}).unwrap();
        assert_eq!(sprt.state(&records.tally(0).pairs), SprtState::H1);
        assert!(records.count() < 200 && records.remaining_jobs().is_empty(), "{} games", records.count());
    }
}
