//! Job types: the kinds of work that workers can do. Implement [`JobType`] to run other work over a queue. The queue's
//! logic (runs, redelivery, results, files, joining and leaving workers) is the same for all of them.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::run::RunInfo;

/// A unit of work of a run. If its worker disappears, another one repeats it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TaskId {
    /// Group for common deletion: the match of a game, or the iteration of a tuning.
    pub group: u64,
    /// Number in the group: the pair of games, or the seed of self-play.
    pub number: u64,
}

/// The result of a task.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Done {
    /// The result, some kilobytes at most.
    pub result: Vec<u8>,
    /// A file of any size.
    pub file: Option<Vec<u8>>,
}

/// A kind of work, as workers know it.
pub trait JobType: Send + Sync {
    /// Name of the job type in the queue.
    fn name(&self) -> &'static str;

    /// Returns the files that the text of a run names.
    ///
    /// # Errors
    /// The reason why the text is invalid.
    fn files(&self, _text: &str) -> Result<Vec<String>, String> {
        Ok(Vec::new())
    }

    /// Prepares a run with this text on this worker, for `cores` tasks at a time. `folder` contains its files and
    /// exists as long as the prepared run.
    ///
    /// # Errors
    /// The reason why this worker refuses it: other results, or no permission.
    fn prepare(&self, info: &RunInfo, text: &str, folder: &Path, cores: usize) -> Result<Arc<dyn PreparedRun>, String>;
}

/// A run that this program works on.
pub trait PreparedRun: Send + Sync {
    /// Returns a description for people.
    fn description(&self) -> String;

    /// Returns the number of threads of a task.
    fn threads(&self) -> usize {
        1
    }

    /// Creates an executor.
    fn executor(self: Arc<Self>) -> Box<dyn Executor>;
}

/// Runs one task after another and may keep state between them.
pub trait Executor: Send {
    /// Runs a task with its `payload`. Returns `None` if `stop` was set before the end.
    ///
    /// # Errors
    /// The reason why this machine cannot run it, now or later.
    fn perform(&mut self, task: TaskId, payload: &[u8], stop: &AtomicBool) -> Result<Option<Done>, String>;
}

/// Decision of the coordinator about a result: [`ControlFlow::Break`] if no more results are needed, or an error if the
/// task must be repeated.
pub type Taken = Result<ControlFlow<()>, String>;
