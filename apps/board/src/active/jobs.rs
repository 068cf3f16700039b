//! Jobs of the engine: a game creates them, a host runs them and passes the reports back.
//!
//! In the browser jobs and reports travel between two workers as JSON.

use std::time::Duration;

use game::{Move, Position};
use player::Level;
use serde::{Deserialize, Serialize};

use crate::engine::{EngineSearch, SearchEngine};
use crate::session::{Insight, encoding};

/// A job of the engine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EngineJob {
    /// Unique within a game.
    pub number: u64,
    /// Which job runs first.
    pub priority: Priority,
    /// Milliseconds to wait before the job starts.
    pub delay: u64,
    /// The position to search.
    pub position: Position,
    /// The kind of work.
    #[serde(flatten)]
    pub work: Work,
}

/// The order of jobs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// A program's move against a person.
    Answer,
    /// A hint that a person asked for.
    Hint,
    /// A program's move in a game between programs.
    Watched,
    /// A part of an analysis.
    Analysis,
}

/// The kind of work.
#[expect(clippy::large_enum_variant, reason = "jobs are in boxes")]
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Work {
    /// Choose a move as one of the lower levels.
    Level {
        /// The level.
        #[serde(with = "encoding::level")]
        level: Level,
    },
    /// Search the position.
    Search {
        /// Milliseconds.
        time: u64,
    },
    /// Search the position and its candidates.
    Hint {
        /// Milliseconds.
        time: u64,
    },
    /// Ask an external program for a move.
    Program {
        /// The program's name.
        name: String,
        /// The position at the start of the game.
        start: Position,
        /// The moves since then.
        moves: Vec<Move>,
    },
}

/// A report about an [`EngineJob`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JobReport {
    /// The job.
    pub number: u64,
    /// `true` if this is the last report about the job.
    pub is_done: bool,
    /// The current result.
    #[serde(flatten)]
    pub result: JobResult,
}

/// The result of an [`EngineJob`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobResult {
    /// A move.
    Move(Move),
    /// The result of a search.
    Insight(Insight),
    /// The engine failed.
    Failed(String),
}

/// A command for the host's engine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EngineCommand {
    /// Start a job.
    Start(Box<EngineJob>),
    /// End a job at once and report its result.
    Finish(u64),
    /// Drop a job.
    Cancel(u64),
}

/// A running job.
pub struct RunningJob {
    /// The job.
    pub job: EngineJob,
    search: Option<EngineSearch>,
    insight: Option<Insight>,
    /// `true` if the next step is the last one.
    pub is_last_step: bool,
}

impl RunningJob {
    /// Prepares a job.
    pub fn new(job: EngineJob) -> Self {
        Self { job, search: None, insight: None, is_last_step: false }
    }

    /// Returns `true` if a search has begun.
    pub fn has_started(&self) -> bool {
        self.search.is_some()
    }

    /// Starts the search from scratch, because the engine has run another one. Keeps the last insight.
    pub fn restart(&mut self) {
        self.search = None;
    }

    /// Runs the job for less than half a second, or until a lower level has chosen its move. Only hints are reported
    /// before they are done.
    pub fn step(&mut self, engine: &mut SearchEngine) -> Option<JobReport> {
        let position = &self.job.position;
        let (time, is_hint) = match &self.job.work {
            Work::Level { level } => return Some(self.report(JobResult::Move(engine.move_of_level(*level, position)))),
            Work::Program { name, .. } => {
                return Some(self.report(JobResult::Failed(format!("there is no program `{name}`"))));
            }
            Work::Search { time } => (*time, false),
            Work::Hint { time } => (*time, true),
        };
        if let (true, Some(insight)) = (self.is_last_step, &self.insight) {
            return Some(self.report(JobResult::Insight(insight.clone())));
        }
        let duration = Duration::from_millis(time);
        let start = if is_hint { SearchEngine::start_hint } else { SearchEngine::start_search };
        let search = self.search.get_or_insert_with(|| start(engine, position, duration));
        let mut insight = engine.step(search);
        if search.is_done {
            insight.time = time;
        }
        if search.is_done || self.is_last_step {
            return Some(self.report(JobResult::Insight(insight)));
        }
        self.insight = Some(insight.clone());
        let result = JobResult::Insight(insight);
        is_hint.then_some(JobReport { number: self.job.number, is_done: false, result })
    }

    fn report(&self, result: JobResult) -> JobReport {
        JobReport { number: self.job.number, is_done: true, result }
    }
}
