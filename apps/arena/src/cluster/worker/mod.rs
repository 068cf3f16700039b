//! Workers: take jobs from the queue and play them.

mod jobs;
mod runs;

use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use async_nats::jetstream::consumer::PullConsumer;
use futures_util::future::join_all;
use tempfile::TempDir;
use tokio::sync::{Semaphore, mpsc};

use super::QueueError;
use super::connection::{CONNECT_TIMEOUT, QueueAccess, runtime};
use super::names::RunName;
use super::server::{POLL_INTERVAL, Queue, QueueConnection, RETRY_DELAY};
use crate::defaults;
use crate::plan::Plan;
use crate::text::counted;

/// The options of a worker.
#[derive(Clone, clap::Args)]
pub struct WorkArguments {
    #[command(flatten)]
    access: QueueAccess,
    /// Name of this worker [default: the name of the machine]
    #[arg(long)]
    name: Option<String>,
    /// Maximum number of threads in use [default: one per core]
    #[arg(short, long, value_parser = cli::number(1..=u16::MAX))]
    concurrency: Option<u16>,
    /// Allow this program, as printed by `arena run --dry-run`; built-in players are always allowed
    #[arg(long, value_name = "PERMIT", value_parser = parse_permit)]
    allow: Vec<String>,
}

fn parse_permit(text: &str) -> Result<String, &'static str> {
    let is_permit = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_permit {
        Ok(text.to_ascii_lowercase())
    } else {
        Err("expected the 64 digits that `arena run --dry-run` prints")
    }
}

/// A run that this worker works on.
struct JoinedRun {
    name: RunName,
    plan: Plan,
    patience: Duration,
    job_consumer: PullConsumer,
    /// Set when the run or the worker ends.
    is_over: AtomicBool,
    /// Set after a job has failed on this machine.
    has_failed_here: AtomicBool,
    played_pairs: AtomicU64,
    lines: mpsc::UnboundedSender<String>,
    /// Files of the run; dropping this deletes them.
    _folder: TempDir,
}

impl Drop for JoinedRun {
    /// Reports the end of the run, after all its jobs.
    fn drop(&mut self) {
        let (name, pairs) = (&self.name.0, *self.played_pairs.get_mut());
        let line = format!("{name}: ended; {} played here", counted(pairs, "pair"));
        // The receiver may have ended.
        let _ = self.lines.send(line);
    }
}

/// State shared by all tasks of a worker.
struct WorkerState {
    /// Name of the worker.
    name: String,
    /// The permits of programs that may be started here, see [`Entrant::permit`](crate::plan::Entrant::permit).
    allowed: HashSet<String>,
    /// Maximum number of threads in use.
    threads: usize,
    queue: Queue,
    runs: RefCell<BTreeMap<RunName, Arc<JoinedRun>>>,
    cores: Semaphore,
    /// Lines for the user.
    lines: mpsc::UnboundedSender<String>,
}

impl WorkArguments {
    /// Plays games until `stop` is set. Writes a line for each event.
    ///
    /// # Errors
    /// [`QueueError`] if no queue is named, the login is incomplete, or the queue is unreachable at the start; later
    /// the worker waits for it. A failed write is reported at the end.
    pub fn run(&self, stop: &AtomicBool, out: &mut impl Write) -> Result<(), QueueError> {
        // Reports bad addresses before connecting.
        self.access.addresses()?;
        let name = self.name.clone().unwrap_or_else(machine_name);
        let threads = defaults::concurrency(self.concurrency, 1);
        let mut write = |line: String| writeln!(out, "{}", game::printable(&line)).and_then(|()| out.flush());
        let mut written = write(format!("{name}: waiting for work at {}", self.access));
        let runtime = runtime()?;
        let Some(queue) = runtime.block_on(self.queue(&name, stop))? else { return Ok(()) };
        let (lines, mut received) = mpsc::unbounded_channel();
        let allowed = self.allow.iter().cloned().collect();
        let (runs, cores) = (RefCell::default(), Semaphore::new(threads));
        let shared = WorkerState { name, allowed, threads, queue, runs, cores, lines };
        thread::scope(|scope| {
            // Jobs run in their own threads; this one only talks to the server.
            scope.spawn(move || {
                runtime.block_on(async {
                    let jobs = join_all((0..threads).map(|_| jobs::play_all(&shared, stop)));
                    let end = async {
                        wait_until_set(stop).await;
                        shared.runs.borrow().values().for_each(|run| run.is_over.store(true, Ordering::Relaxed));
                    };
                    tokio::join!(runs::watch(&shared, stop), jobs, end);
                });
            });
            // A reader that pauses stops only this thread. The channel closes when the work is done.
            while let Some(line) = received.blocking_recv() {
                if written.is_ok() {
                    written = write(line);
                }
            }
        });
        written.map_err(QueueError::io("write the report"))
    }

    /// Waits for the queue to exist; `None` if the worker is stopped first.
    async fn queue(&self, name: &str, stop: &AtomicBool) -> Result<Option<Queue>, QueueError> {
        let connection = tokio::select! {
            connection = QueueConnection::open(&self.access, name, CONNECT_TIMEOUT) => connection?,
            () = wait_until_set(stop) => return Ok(None),
        };
        // Once the server has answered, wait out its failures.
        let mut has_answered = false;
        loop {
            match connection.find().await {
                Ok(Some(queue)) => return Ok(Some(queue)),
                Ok(None) => has_answered = true,
                Err(error) if has_answered && error.is_transient() => log::info!("{error}; trying again"),
                Err(error) => return Err(error),
            }
            tokio::select! {
                () = tokio::time::sleep(RETRY_DELAY) => {}
                () = wait_until_set(stop) => return Ok(None),
            }
        }
    }
}

impl WorkerState {
    fn report(&self, line: String) {
        // The receiver may have ended.
        let _ = self.lines.send(line);
    }

    /// Reports why the worker rejects or gives up a run, also to its coordinator.
    async fn reject(&self, run: &RunName, reason: String) {
        let notice = format!("the worker {} rejects the run: {reason}", self.name);
        // The coordinator may not be running.
        let _ = self.queue.client().publish(run.notice_subject(), notice.into()).await;
        self.report(format!("{}: rejected: {reason}", run.0));
    }
}

/// Returns the name of this machine, if known.
fn machine_name() -> String {
    let named = ["HOSTNAME", "COMPUTERNAME"].iter().find_map(|name| std::env::var(name).ok());
    let name = named.or_else(|| std::fs::read_to_string("/etc/hostname").ok().map(|name| name.trim().to_owned()));
    name.filter(|name| !name.is_empty()).unwrap_or_else(|| format!("process-{}", std::process::id()))
}

/// Waits until `stop` is set.
async fn wait_until_set(stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}
