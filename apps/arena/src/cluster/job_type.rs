//! Job types: the kinds of work that workers can do. Implement [`JobType`] to run other work over a queue. The queue's
//! logic (runs, redelivery, results, files, joining and leaving workers) is the same for all of them.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::names::TaskId;
use super::run::RunInfo;

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
    fn prepare(&self, info: &RunInfo, text: &str, folder: &Path, cores: usize) -> Result<PreparedRun, String>;
}

/// A run that this program works on.
pub struct PreparedRun {
    /// Description for people.
    pub description: String,
    /// Number of threads of a task.
    pub threads: usize,
    /// Creates an executor.
    pub executor: Box<dyn Fn() -> Executor + Send + Sync>,
}

/// Runs one task with its payload after another, and may keep state between them. Returns `None` if it was stopped
/// before the end, or the reason why this machine cannot run the task, now or later.
pub type Executor = Box<dyn FnMut(TaskId, &[u8], &AtomicBool) -> Result<Option<Done>, String> + Send>;

/// Decision of the coordinator about a result: [`ControlFlow::Break`] if no more results are needed, or an error if the
/// task must be repeated.
pub type Taken = Result<ControlFlow<()>, String>;
