//! Missing games of a plan that was played in parts.

use std::collections::HashSet;

use super::format::PlanFile;
use super::{Part, PlanError, jobs, number_of};
use crate::games::played::GameId;
use crate::matches::Job;

/// An incomplete part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Missing {
    /// The part.
    pub part: Part,
    /// Number of incomplete pairs.
    pub pairs: usize,
    /// Number of pairs.
    pub of: usize,
}

/// Returns the incomplete parts of the plan with this text. `finished` lists the finished games with their match
/// numbers. The plan's contestants need not exist.
pub fn missing(text: &str, parts: u32, finished: &HashSet<(u32, GameId)>) -> Result<Vec<Missing>, PlanError> {
    let file = PlanFile::read(text)?;
    let numbers: Vec<u32> = (0..number_of(0, file.contestant.len() as u32)).collect();
    let jobs = jobs(&numbers, file.games / 2);
    let is_missing = |job: &&Job| job.games().iter().any(|&game| !finished.contains(&(job.number, game)));
    let incomplete = Part::all(parts).map(|part| {
        let jobs = part.of(&jobs);
        Missing { part, pairs: jobs.iter().filter(is_missing).count(), of: jobs.len() }
    });
    Ok(incomplete.filter(|missing| missing.pairs > 0).collect())
}
