//! Workers: take jobs from the queue and play them.

mod jobs;
mod runs;

use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::PullConsumer;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;

use super::QueueError;
use super::connection::{Access, PATIENCE};
use super::games::PreparedPlan;
use super::names::RunName;
use super::server::{Connection, PAUSE, POLL, Queue};
use crate::defaults;
use crate::lock::lock;
use crate::scratch::Scratch;

/// The options of a worker.
#[derive(Clone, clap::Args)]
pub struct WorkArguments {
    #[command(flatten)]
    access: Access,
    /// Name of this worker [default: the name of the machine]
    #[arg(long)]
    name: Option<String>,
    /// Maximum number of threads in use [default: one per core]
    #[arg(short, long, value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: Option<u16>,
    /// Allow this program, as printed by `arena run --dry-run`; built-in players are always allowed
    #[arg(long, value_name = "PERMIT")]
    allow: Vec<String>,
    /// Exit after this many seconds without work [default: wait forever]
    #[arg(long, value_name = "SECONDS")]
    idle: Option<u32>,
}

/// A run that this worker works on.
struct Run {
    name: RunName,
    plan: PreparedPlan,
    patience: Duration,
    work: PullConsumer,
    /// Set when the run or the worker ends.
    over: AtomicBool,
    /// Set after a job has failed on this machine.
    is_given_up: AtomicBool,
    jobs: AtomicU64,
    lines: mpsc::UnboundedSender<String>,
    /// Files of the run; dropping this deletes them.
    _folder: Scratch,
}

impl Drop for Run {
    /// Reports the end of the run, after all its jobs.
    fn drop(&mut self) {
        let (name, pairs) = (&self.name.0, *self.jobs.get_mut());
        // The receiver may have ended.
        let unit = if pairs == 1 { "pair" } else { "pairs" };
        let _ = self.lines.send(format!("{name}: ended; {pairs} {unit} played here"));
    }
}

/// State shared by all tasks of a worker.
struct Shared {
    /// Name of the worker.
    name: String,
    /// The permits of programs that may be started here, see [`Entrant::permit`](crate::plan::Entrant::permit).
    allowed: HashSet<String>,
    /// Maximum number of threads in use.
    threads: usize,
    /// Idle time after which the worker exits; `None` to wait forever.
    idle: Option<Duration>,
    queue: Queue,
    runs: Mutex<BTreeMap<RunName, Arc<Run>>>,
    cores: Semaphore,
    /// Number of jobs in progress.
    busy: AtomicUsize,
    stop: AtomicBool,
    /// Time when the last work ended.
    worked: Mutex<Instant>,
    /// Lines for the user.
    lines: mpsc::UnboundedSender<String>,
}

impl WorkArguments {
    /// Plays games until `stop` is set or the idle time is over. Writes a line for each event.
    ///
    /// # Errors
    /// [`QueueError`] if no queue is named, the login is incomplete, or the queue is unreachable at the start; later
    /// the worker waits for it. A failed write is reported at the end.
    pub fn run(&self, stop: &AtomicBool, out: &mut impl Write) -> Result<(), QueueError> {
        self.access.addresses()?;
        let name = self.name.clone().unwrap_or_else(machine_name);
        let threads = defaults::concurrency(self.concurrency, 1);
        let mut write = |line: String| writeln!(out, "{}", game::printable(&line)).and_then(|()| out.flush());
        let mut written = write(format!("{name}: waiting for work at {}", self.access));
        // Jobs run in their own threads; this one only talks to the server.
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(QueueError::machine("start the client of the queue"))?;
        runtime.block_on(async {
            let Some(queue) = self.queue(&name, stop).await? else { return Ok::<_, QueueError>(()) };
            let (lines, mut received) = mpsc::unbounded_channel();
            let shared = Arc::new(Shared {
                name,
                allowed: self.allow.iter().cloned().collect(),
                threads,
                idle: self.idle(),
                queue,
                runs: Mutex::default(),
                cores: Semaphore::new(threads),
                busy: AtomicUsize::new(0),
                stop: AtomicBool::new(false),
                worked: Mutex::new(Instant::now()),
                lines,
            });
            let mut tasks = JoinSet::new();
            tasks.spawn(runs::watch(shared.clone()));
            for _ in 0..threads {
                tasks.spawn(jobs::play_all(shared.clone()));
            }
            let mut report = |line| {
                let line = write(line);
                written = std::mem::replace(&mut written, Ok(())).and(line);
            };
            while !(stop.load(Ordering::Relaxed) || shared.is_idle()) {
                tokio::select! {
                    Some(line) = received.recv() => report(line),
                    () = tokio::time::sleep(POLL) => {}
                }
            }
            shared.stop();
            tasks.join_all().await;
            shared.runs().clear();
            while let Ok(line) = received.try_recv() {
                report(line);
            }
            Ok(())
        })?;
        written.map_err(QueueError::machine("report"))
    }

    fn idle(&self) -> Option<Duration> {
        self.idle.map(|seconds| Duration::from_secs(seconds.into()))
    }

    /// Waits for the queue to exist; `None` if the worker is stopped first.
    async fn queue(&self, name: &str, stop: &AtomicBool) -> Result<Option<Queue>, QueueError> {
        let connection = tokio::select! {
            connection = Connection::open(&self.access, name, PATIENCE) => connection?,
            () = wait_until_set(stop) => return Ok(None),
        };
        // After its first answer, wait while the server is down.
        let (begun, mut was_there) = (Instant::now(), false);
        loop {
            match connection.find().await {
                Ok(Some(queue)) => return Ok(Some(queue)),
                Ok(None) => was_there = true,
                Err(error) if was_there && error.may_pass() => log::info!("{error}; trying again"),
                Err(error) => return Err(error),
            }
            let asked = Instant::now();
            while asked.elapsed() < PAUSE {
                if stop.load(Ordering::Relaxed) || self.idle().is_some_and(|idle| begun.elapsed() > idle) {
                    return Ok(None);
                }
                tokio::time::sleep(POLL).await;
            }
        }
    }
}

impl Shared {
    fn runs(&self) -> MutexGuard<'_, BTreeMap<RunName, Arc<Run>>> {
        lock(&self.runs)
    }

    fn is_idle(&self) -> bool {
        let worked = *lock(&self.worked);
        let is_busy = self.busy.load(Ordering::Relaxed) > 0;
        self.idle.is_some_and(|idle| !is_busy && worked.elapsed() > idle)
    }

    /// Awaits `work` and counts the worker as busy.
    async fn busy<T>(&self, work: impl Future<Output = T>) -> T {
        self.busy.fetch_add(1, Ordering::Relaxed);
        let done = work.await;
        *lock(&self.worked) = Instant::now();
        self.busy.fetch_sub(1, Ordering::Relaxed);
        done
    }

    fn should_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        for run in self.runs().values() {
            run.over.store(true, Ordering::Relaxed);
        }
    }

    fn report(&self, line: String) {
        // The receiver may have ended.
        let _ = self.lines.send(line);
    }

    /// Reports why a run is refused, also to its coordinator.
    async fn refuse(&self, run: &RunName, reason: String) {
        let notice = format!("the worker {} refuses the run: {reason}", self.name);
        // The coordinator may not be there.
        let _ = self.queue.client().publish(run.notices(), notice.into()).await;
        self.report(format!("{}: refused: {reason}", run.0));
    }

    /// Drops a run that has no jobs left.
    fn end(&self, run: &RunName) {
        if let Some(run) = self.runs().remove(run) {
            run.over.store(true, Ordering::Relaxed);
        }
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
        tokio::time::sleep(POLL).await;
    }
}
