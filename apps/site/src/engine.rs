//! The engine in the browser: a queue of jobs, run in steps because nothing can interrupt a worker.

use std::collections::BTreeMap;

use board::active::jobs::{EngineCommand, Priority, RunningJob};
use board::engine::SearchEngine;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::{json, read};

/// Memory of the search in bytes, small enough for a phone.
pub(crate) const MEMORY: usize = 64 << 20;

/// An engine with a queue of jobs.
#[wasm_bindgen(js_name = Engine)]
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

#[wasm_bindgen(js_class = Engine)]
impl LocalEngine {
    /// Creates an engine without jobs.
    #[wasm_bindgen(constructor)]
    pub fn new() -> LocalEngine {
        Self::default()
    }

    /// Returns `true` if there is a job to run.
    pub fn is_busy(&self) -> bool {
        !self.jobs.is_empty()
    }

    /// Takes [`EngineCommand`]s as JSON. Returns the milliseconds to wait before the next [step](Self::step), or
    /// nothing if there is no job.
    ///
    /// # Errors
    /// If the commands cannot be read.
    pub fn take(&mut self, commands: &str) -> Result<Option<f64>, String> {
        for command in read::<Vec<EngineCommand>>(commands)? {
            match command {
                EngineCommand::Start(job) => {
                    self.jobs.insert((job.priority, job.number), RunningJob::new(*job));
                }
                EngineCommand::Finish(number) => {
                    let job = self.jobs.iter_mut().find(|((_, other), _)| *other == number);
                    job.into_iter().for_each(|(_, job)| job.is_last_step = true);
                }
                EngineCommand::Cancel(number) => self.jobs.retain(|(_, other), _| *other != number),
            }
        }
        let delay = |job: &RunningJob| if job.has_started() { 0.0 } else { job.job.delay as f64 };
        Ok(self.jobs.values().next().map(delay))
    }

    /// Runs the first job for less than half a second, or until a lower level has chosen its move. Returns its report
    /// as JSON, if there is one.
    pub fn step(&mut self) -> Option<String> {
        let mut entry = self.jobs.first_entry()?;
        let number = entry.get().job.number;
        if self.last.replace(number).is_some_and(|last| last != number) {
            // The engine has searched something else meanwhile.
            entry.get_mut().restart();
        }
        let report = entry.get_mut().step(&mut self.engine);
        if report.as_ref().is_some_and(|report| report.is_done) {
            entry.remove();
        }
        report.map(|report| json(&report))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use board::active::jobs::{EngineJob, JobReport, JobResult, Work};
    use game::{Position, Rules};
    use player::Level;

    fn start(number: u64, priority: Priority, work: Work) -> EngineCommand {
        let position = Position::new(Rules::Classic, None).unwrap();
        EngineCommand::Start(Box::new(EngineJob { number, priority, delay: number, position, work }))
    }

    fn take(engine: &mut LocalEngine, command: EngineCommand) -> Option<f64> {
        engine.take(&json(&[command])).unwrap()
    }

    fn step(engine: &mut LocalEngine) -> Option<JobReport> {
        engine.step().map(|report| serde_json::from_str(&report).unwrap())
    }

    #[test]
    fn jobs_run_by_priority_and_stop_when_cancelled() {
        let mut engine = LocalEngine::default();
        assert_eq!(step(&mut engine), None);
        let search = Work::Search { time: 3_600_000 };
        assert_eq!(take(&mut engine, start(1, Priority::Analysis, search)), Some(1.0));
        assert_eq!(step(&mut engine), None);
        let level = Work::Level { level: Level::new(1).unwrap() };
        assert_eq!(take(&mut engine, start(2, Priority::Answer, level)), Some(2.0));
        let report = step(&mut engine).unwrap();
        assert!(report.number == 2 && report.is_done && matches!(report.result, JobResult::Move(_)));
        assert_eq!(step(&mut engine), None);
        assert_eq!(take(&mut engine, EngineCommand::Finish(1)), Some(0.0));
        assert_eq!(step(&mut engine).map(|report| (report.number, report.is_done)), Some((1, true)));
        take(&mut engine, start(3, Priority::Hint, Work::Hint { time: 3_600_000 }));
        assert_eq!(take(&mut engine, EngineCommand::Cancel(3)), None);
        assert!(!engine.is_busy());
    }
}
