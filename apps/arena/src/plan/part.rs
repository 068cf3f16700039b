//! Parts of a plan for independent machines, and their missing games.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use super::Job;
use super::format::PlanFile;
use super::{PlanError, jobs, number_of};
use crate::games::played::GameId;

/// One of several nearly equal parts of a plan; written `3/8`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// From 1.
    number: u32,
    parts: u32,
}

impl Part {
    /// Everything.
    pub const WHOLE: Self = Self { number: 1, parts: 1 };

    /// Returns the number of parts.
    pub const fn parts(self) -> u32 {
        self.parts
    }

    /// Returns the items of this part. Every item belongs to one part.
    pub fn of<T: Clone>(self, all: &[T]) -> Vec<T> {
        all.iter().skip(self.number as usize - 1).step_by(self.parts as usize).cloned().collect()
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.parts)
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let part = text.split_once('/').and_then(|(number, parts)| {
            let part = Self { number: number.parse().ok()?, parts: parts.parse().ok()? };
            (1..=part.parts).contains(&part.number).then_some(part)
        });
        part.ok_or_else(|| "expected K/N with K from 1 to N, for example 3/8".to_owned())
    }
}

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
    let incomplete = (1..=parts).map(|number| {
        let part = Part { number, parts };
        let jobs = part.of(&jobs);
        Missing { part, pairs: jobs.iter().filter(is_missing).count(), of: jobs.len() }
    });
    Ok(incomplete.filter(|missing| missing.pairs > 0).collect())
}
