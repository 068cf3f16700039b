//! The engine in the browser: a queue of jobs, run in steps because nothing can interrupt a worker.

use std::collections::BTreeMap;

use board::active::jobs::{EngineCommand, JobReport, Priority, RunningJob};
use board::engine::SearchEngine;

/// Memory of the search in bytes, small enough for a phone.
const MEMORY: usize = 64 << 20;

/// An engine with a queue of jobs.
pub struct LocalEngine {
    engine: SearchEngine,
    jobs: BTreeMap<(Priority, u64), RunningJob>,
    /// The job of the engine's last search.
    last: Option<u64>,
}

impl Default for LocalEngine {
    fn default() -> Self {
        Self { engine: SearchEngine::new(MEMORY), jobs: BTreeMap::new(), last: None }
    }
}

impl LocalEngine {
    /// Returns `true` if there is a job to run.
    pub fn is_busy(&self) -> bool {
        !self.jobs.is_empty()
    }

    /// Takes commands. Returns the milliseconds to wait before the next [step](Self::step), or `None` if there is
    /// nothing to do.
    pub fn take(&mut self, commands: Vec<EngineCommand>) -> Option<u64> {
        for command in commands {
            match command {
                EngineCommand::Start(job) => {
                    self.jobs.insert((job.priority, job.number), RunningJob::new(*job));
                }
                EngineCommand::Finish(number) => {
                    let job = self.jobs.iter_mut().find(|((_, other), _)| *other == number);
                    job.into_iter().for_each(|(_, job)| job.finish());
                }
                EngineCommand::Cancel(number) => self.jobs.retain(|(_, other), _| *other != number),
            }
        }
        let (_, job) = self.jobs.first_key_value()?;
        Some(if job.has_started() { 0 } else { job.job().delay })
    }

    /// Runs the first job for less than half a second, or until a lower level has chosen its move.
    pub fn step(&mut self) -> Option<JobReport> {
        let mut entry = self.jobs.first_entry()?;
        let number = entry.get().job().number;
        if self.last.replace(number).is_some_and(|last| last != number) {
            // The engine has searched something else meanwhile.
            entry.get_mut().restart();
        }
        let report = entry.get_mut().step(&mut self.engine);
        if report.as_ref().is_some_and(|report| report.is_done) {
            entry.remove();
        }
        report
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use board::active::jobs::{EngineJob, JobResult, Work};
    use game::{Position, Rules};
    use player::Level;

    fn start(number: u64, priority: Priority, work: Work) -> EngineCommand {
        let position = Position::new(Rules::Classic, None).unwrap();
        EngineCommand::Start(Box::new(EngineJob { number, priority, delay: number, position, work }))
    }

    #[test]
    fn jobs_run_by_priority_and_stop_when_cancelled() {
        let mut engine = LocalEngine::default();
        assert_eq!(engine.step(), None);
        let search = Work::Search { time: 3_600_000 };
        assert_eq!(engine.take(vec![start(1, Priority::Analysis, search)]), Some(1));
        assert_eq!(engine.step(), None);
        let level = Work::Level { level: Level::new(1).unwrap() };
        assert_eq!(engine.take(vec![start(2, Priority::Answer, level)]), Some(2));
        let report = engine.step().unwrap();
        assert!(report.number == 2 && report.is_done && matches!(report.result, JobResult::Move(_)));
        assert_eq!(engine.step(), None);
        assert_eq!(engine.take(vec![EngineCommand::Finish(1)]), Some(0));
        assert_eq!(engine.step().map(|report| (report.number, report.is_done)), Some((1, true)));
        engine.take(vec![start(3, Priority::Hint, Work::Hint { time: 3_600_000 })]);
        assert_eq!(engine.take(vec![EngineCommand::Cancel(3)]), None);
        assert!(!engine.is_busy());
    }
}
