//! Runs a job of a game: searches on a thread of the engines, or asks an external program on one of the other threads.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use game::Team;
use tokio::sync::mpsc;

use super::programs::ExternalProgram;
use super::state::ServiceState;
use crate::active::jobs::{EngineJob, JobReport, JobResult, RunningJob, Work};
use crate::active::unknown_program;
use crate::engine::SearchEngine;

/// The name and the team of an external program.
pub(super) type ProgramKey = (String, Team);

/// A report about a job, with the program that the job had borrowed. Boxed: an idle channel keeps memory for 32.
pub(super) type Reported = Box<(JobReport, Option<(ProgramKey, ExternalProgram)>)>;

/// Runs a job on a thread of a pool.
pub(super) struct JobRunner {
    pub reports: mpsc::UnboundedSender<Reported>,
    /// Set to finish with the current result; dropped to cancel.
    pub is_finishing: Weak<AtomicBool>,
    pub service: Arc<ServiceState>,
}

impl JobRunner {
    /// Searches.
    pub fn search(self, job: EngineJob, engine: &mut SearchEngine) {
        self.report_panic(job.number, || self.run_steps(RunningJob::new(job), engine));
    }

    /// Asks an external program for its move. Starts the program if it is not running or has seen other moves.
    pub fn ask(self, job: EngineJob, program: Option<ExternalProgram>) {
        self.report_panic(job.number, || self.answer(&job, program));
    }

    /// Reports a panic of the engine as an error, and resumes it so that the thread gets a new engine.
    pub fn report_panic(&self, number: u64, run: impl FnOnce()) {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(run)) {
            self.report(number, JobResult::Failed("internal error of the engine; see the log".to_owned()), None);
            resume_unwind(panic);
        }
    }

    fn run_steps(&self, mut job: RunningJob, engine: &mut SearchEngine) {
        while let Some(is_finishing) = self.is_finishing.upgrade() {
            if is_finishing.load(Ordering::Relaxed) {
                job.is_last_step = true;
            }
            let Some(report) = job.step(engine) else { continue };
            let is_done = report.is_done;
            self.send(report, None);
            if is_done {
                return;
            }
        }
    }

    fn answer(&self, job: &EngineJob, program: Option<ExternalProgram>) {
        let Work::Program { name, start, moves } = &job.work else { return };
        if self.is_finishing.strong_count() == 0 {
            return;
        }
        let team = job.position.color().team();
        let time = Duration::from_millis(self.service.settings.move_time);
        let started = match program.filter(|program| program.has_seen(start, moves)) {
            Some(program) => Ok(program),
            None => match self.service.programs.get(name) {
                Some(spec) => ExternalProgram::start(spec, team, *start, time),
                None => Err(unknown_program(name).to_string()),
            },
        };
        let chosen = started.and_then(|mut program| Ok((program.choose(moves)?, program)));
        match chosen {
            Ok((mv, program)) => self.report(job.number, JobResult::Move(mv), Some(((name.clone(), team), program))),
            Err(text) => self.report(job.number, JobResult::Failed(text), None),
        }
    }

    pub fn report(&self, number: u64, result: JobResult, program: Option<(ProgramKey, ExternalProgram)>) {
        if let JobResult::Failed(text) = &result {
            log::warn!("a program cannot go on: {text}");
        }
        self.send(JobReport { number, is_done: true, result }, program);
    }

    fn send(&self, report: JobReport, program: Option<(ProgramKey, ExternalProgram)>) {
        // The game may be gone.
        _ = self.reports.send(Box::new((report, program)));
    }
}
