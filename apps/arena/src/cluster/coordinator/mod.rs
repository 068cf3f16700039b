//! A coordinator: publishes a run and collects its results. Also defines its command-line options.

mod gathering;

use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::runtime::Runtime;

use gathering::Gathering;

use super::QueueError;
use super::connection::{Access, PATIENCE};
use super::names::RunName;
use super::run::{RunInfo, RunRequest};
use super::server::{Connection, POLL_INTERVAL, Queue, RETRY_DELAY};
use crate::plan::Job;
use crate::text::counted;

/// Header of a result: the name of the worker.
pub(super) const WORKER: &str = "Arena-Worker";

/// A coordinator: puts the jobs of a run into the queue and collects the results.
pub struct Coordinator {
    runtime: Runtime,
    run: PublishedRun,
    /// Number of jobs done by each worker.
    workers: BTreeMap<String, u64>,
}

/// Decision about a result: [`ControlFlow::Break`] if no more results are needed, or an error if the job must be
/// repeated.
pub(super) type Taken = Result<ControlFlow<()>, String>;

/// Callback for results, see [`Coordinator::gather`].
type OnResult<'a> = dyn FnMut(Job, &[u8]) -> Taken + 'a;

impl Coordinator {
    /// Connects and uploads the files of a run; it is not published yet. If a worker is silent for `patience`, another one
    /// gets its job.
    fn open(access: &Access, request: &RunRequest, patience: Duration) -> Result<Self, QueueError> {
        let runtime = runtime()?;
        let run = runtime.block_on(async {
            let queue = Connection::open(access, "arena run", PATIENCE).await?.open_or_create().await?;
            let info = request.upload(patience, &queue).await?;
            Ok::<_, QueueError>(PublishedRun { queue, run: request.run(), info })
        })?;
        Ok(Self { runtime, run, workers: BTreeMap::new() })
    }

    /// Puts `jobs` into the queue. Calls `on_result` with the first result of each, in any order, until all are
    /// done or `on_result` breaks or fails.
    ///
    /// Returns early if `stop` is set. Workers continue, and the next call, also by another process, finds their results.
    ///
    /// # Errors
    /// [`QueueError`]; retries while the server is down; errors of `on_result`.
    pub(super) fn gather<E: From<QueueError>>(
        &mut self,
        jobs: &[Job],
        stop: &AtomicBool,
        mut on_result: impl FnMut(Job, &[u8]) -> Result<Taken, E>,
    ) -> Result<(), E> {
        let mut failed = None;
        let mut on_result = |job, result: &[u8]| {
            on_result(job, result).unwrap_or_else(|error| {
                failed = Some(error);
                // The results stay in the queue.
                Ok(ControlFlow::Break(()))
            })
        };
        let Self { runtime, run, workers } = self;
        let remaining = jobs.iter().copied().collect();
        let mut gathering = Gathering { run, workers, remaining, to_publish: HashSet::new(), is_over: false };
        runtime.block_on(async {
            // Workers may send notices as soon as the run is published.
            let notices = gathering.notices().await?;
            persist(stop, || gathering.publish(jobs)).await?;
            gathering.collect(notices, stop, &mut on_result).await
        })?;
        failed.map_or(Ok(()), Err)
    }

    /// Withdraws a run by its key. Uncollected results are lost. Does not wait for a server that is down.
    fn withdraw(access: &Access, key: &str) -> Result<(), QueueError> {
        let run = RunName::of_key(key);
        runtime()?.block_on(async {
            match Connection::open(access, "arena", Duration::ZERO).await?.find().await? {
                Some(queue) => queue.close(&run).await,
                None => Ok(()),
            }
        })
    }

    /// Ends a run: withdraws it unless it was stopped, and writes the number of pairs played by each worker.
    ///
    /// # Errors
    /// [`QueueError`]; retries while the server is down.
    pub fn finish(&self, stop: &AtomicBool, out: &mut dyn Write) -> Result<(), QueueError> {
        let PublishedRun { queue, run, .. } = &self.run;
        self.runtime.block_on(persist(stop, || queue.close(run)))?;
        if self.workers.is_empty() {
            return Ok(());
        }
        let done = |(name, &number): (&String, &u64)| format!("{name} {}", counted(number, "pair"));
        let workers: Vec<String> = self.workers.iter().map(done).collect();
        writeln!(out, "Workers: {}", game::printable(&workers.join(", "))).map_err(QueueError::io("report"))
    }
}

fn runtime() -> Result<Runtime, QueueError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(QueueError::io("start the client of the queue"))
}

/// Repeats an action while the server is down; `None` if `stop` is set before it succeeds.
async fn persist<T>(
    stop: &AtomicBool,
    action: impl AsyncFn() -> Result<T, QueueError>,
) -> Result<Option<T>, QueueError> {
    while !stop.load(Ordering::Relaxed) {
        match action().await {
            Ok(done) => return Ok(Some(done)),
            Err(error) if error.is_transient() => log::warn!("{error}; trying again"),
            Err(error) => return Err(error),
        }
        tokio::time::sleep(RETRY_DELAY).await;
    }
    Ok(None)
}

/// The queue options of `arena run`.
#[derive(Clone, clap::Args)]
pub struct RequestArguments {
    #[command(flatten)]
    access: Access,
    /// With a queue: seconds of silence after which a worker counts as lost
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..))]
    patience: u16,
    /// Withdraw the run from the queue and delete its uncollected results
    #[arg(long, requires = "url")]
    withdraw: bool,
}

impl RequestArguments {
    /// Returns `true` if the work is done over a queue.
    pub fn is_given(&self) -> bool {
        self.access.url.is_some()
    }

    /// Opens a run. With `--withdraw`, withdraws it, reports that to `out` and returns `None`.
    ///
    /// # Errors
    /// [`QueueError`], also if no queue is named or the login is incomplete.
    pub fn coordinator(&self, request: &RunRequest, out: &mut dyn Write) -> Result<Option<Coordinator>, QueueError> {
        if self.withdraw {
            Coordinator::withdraw(&self.access, &request.info.key)?;
            writeln!(out, "Withdrawn.").map_err(QueueError::io("report"))?;
            return Ok(None);
        }
        let patience = Duration::from_secs(self.patience.into());
        Coordinator::open(&self.access, request, patience).map(Some)
    }
}

/// A run in its queue.
struct PublishedRun {
    queue: Queue,
    run: RunName,
    info: RunInfo,
}
