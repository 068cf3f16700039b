//! A coordinator: publishes a run and collects its results. Also defines its command-line options.

mod gathering;

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::runtime::Runtime;

use gathering::{OnGame, PublishedRun};

use super::QueueError;
use super::connection::{CONNECT_TIMEOUT, QueueAccess, runtime};
use super::games::check_programs;
use super::names::RunName;
use super::run::RunInfo;
use super::server::{QueueConnection, RETRY_DELAY};
use crate::plan::{Job, Plan};
use crate::text::counted;

/// Header of a result: the name of the worker.
pub(super) const WORKER: &str = "Arena-Worker";

/// A coordinator: puts the jobs of a run into the queue and collects the results.
pub struct Coordinator {
    runtime: Runtime,
    run: PublishedRun,
}

impl Coordinator {
    /// Connects and uploads the files of a run; it is not published yet.
    fn open(access: &QueueAccess, plan: &Plan, key: &str, patience: Duration) -> Result<Self, QueueError> {
        check_programs(plan)?;
        let runtime = runtime()?;
        let run = runtime.block_on(async {
            let queue = QueueConnection::open(access, "arena run", CONNECT_TIMEOUT).await?.open_or_create().await?;
            let info = RunInfo::upload(plan, key, patience, &queue).await?;
            let (plan, name) = (plan.clone(), RunName::of_key(key));
            let (workers, remaining, to_publish) = Default::default();
            Ok::<_, QueueError>(PublishedRun { queue, plan, name, info, workers, remaining, to_publish })
        })?;
        Ok(Self { runtime, run })
    }

    /// Lets workers play `jobs`. Calls `on_game` with the number of the match and each game, in any order, until all
    /// are played or `on_game` breaks or fails.
    ///
    /// Returns early if `stop` is set. Workers continue, and the next call, also by another process, finds their
    /// results.
    ///
    /// # Errors
    /// [`QueueError`]; retries while the server is down; errors of `on_game`.
    pub fn gather(&mut self, jobs: &[Job], stop: &AtomicBool, on_game: &mut OnGame<'_>) -> Result<(), QueueError> {
        let Self { runtime, run } = self;
        run.remaining = jobs.iter().copied().collect();
        runtime.block_on(async {
            // Workers may send notices as soon as the run is published.
            let notices = run.notices().await?;
            persist(stop, || run.publish(jobs)).await?;
            run.collect(notices, stop, on_game).await
        })
    }

    /// Withdraws a run by its key. Uncollected results are lost. Does not wait for a server that is down.
    fn withdraw(access: &QueueAccess, key: &str) -> Result<(), QueueError> {
        let run = RunName::of_key(key);
        runtime()?.block_on(async {
            match QueueConnection::open(access, "arena", Duration::ZERO).await?.find().await? {
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
        let PublishedRun { queue, name, workers, .. } = &self.run;
        self.runtime.block_on(persist(stop, || queue.close(name)))?;
        if workers.is_empty() {
            return Ok(());
        }
        let done = |(name, &number): (&String, &u64)| format!("{name} {}", counted(number, "pair"));
        let workers: Vec<String> = workers.iter().map(done).collect();
        writeln!(out, "Workers: {}", game::printable(&workers.join(", "))).map_err(QueueError::io("report"))
    }
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
pub struct QueueArguments {
    #[command(flatten)]
    access: QueueAccess,
    /// With a queue: seconds of silence after which a worker counts as lost
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = cli::number(1..=u16::MAX))]
    patience: u16,
    /// Withdraw the run from the queue and delete its uncollected results
    #[arg(long, requires = "url")]
    withdraw: bool,
}

impl QueueArguments {
    /// Returns `true` if the work is done over a queue.
    pub fn is_given(&self) -> bool {
        self.access.url.is_some()
    }

    /// Opens a run. With `--withdraw`, withdraws it, reports that to `out` and returns `None`.
    ///
    /// # Errors
    /// [`QueueError`], also if no queue is named, the login is incomplete, or a contestant can only play on this
    /// machine.
    pub fn coordinator(&self, plan: &Plan, key: &str, out: &mut dyn Write) -> Result<Option<Coordinator>, QueueError> {
        if self.withdraw {
            Coordinator::withdraw(&self.access, key)?;
            writeln!(out, "Withdrawn.").map_err(QueueError::io("report"))?;
            return Ok(None);
        }
        let patience = Duration::from_secs(self.patience.into());
        Coordinator::open(&self.access, plan, key, patience).map(Some)
    }
}
