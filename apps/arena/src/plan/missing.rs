//! What is missing of a plan that was played in parts.

use std::collections::HashSet;

use super::file::PlanFile;
use super::{Part, PlanError, jobs, number_of};
use crate::games::played::GameId;
use crate::matches::Job;

/// A part of which something is missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Missing {
    /// The part.
    pub part: Part,
    /// How many of its pairs of games are not there, or not both of their games.
    pub pairs: usize,
    /// How many pairs it has.
    pub of: usize,
}

/// The parts of which something is missing, if there are the `finished` games of the plan with this text, each with the
/// number of its match. Contestants that the plan names need not be there.
///
/// # Errors
/// [`PlanError`] if the text is not a plan.
///
/// ```
/// use std::collections::HashSet;
/// use arena::plan::{Missing, missing};
///
/// let plan = "games = 4\n[[contestant]]\nplayer = 'a'\n[[contestant]]\nplayer = 'b'";
/// let finished = HashSet::from([(0, (1, false)), (0, (1, true))]);
/// assert_eq!(missing(plan, 2, &finished)?, [Missing { part: "1/2".parse()?, pairs: 1, of: 1 }]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn missing(text: &str, parts: u32, finished: &HashSet<(u32, GameId)>) -> Result<Vec<Missing>, PlanError> {
    let file = PlanFile::read(text)?;
    let numbers: Vec<u32> = (0..number_of(0, file.contestant.len() as u32)).collect();
    let jobs = jobs(&numbers, file.games / 2);
    let is_missing =
        |&Job { number, pair }: &Job| [false, true].iter().any(|&second| !finished.contains(&(number, (pair, second))));
    let incomplete = Part::all(parts).map(|part| {
        let jobs = part.of(&jobs);
        Missing { part, pairs: jobs.iter().filter(|job| is_missing(job)).count(), of: jobs.len() }
    });
    Ok(incomplete.filter(|missing| missing.pairs > 0).collect())
}
