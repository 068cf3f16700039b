//! Workers: take tasks from the queue and run them.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_nats::HeaderMap;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::kv::{Entry, Operation};
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use tempfile::TempDir;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::{JoinSet, spawn_blocking};

use super::connection::PATIENCE;
use super::coordinator::{FILE, PAYLOAD, WORKER, payload_name};
use super::files::{self, write_program};
use super::job_type::{Done, Executor, JobType, PreparedRun};
use super::run::RunInfo;
use super::server::{Connection, Put, Queue, RunName, task_of};
use super::task::TaskId;
use super::{Access, QueueError};

/// Time to wait for a task before polling for new runs.
const WAIT: Duration = Duration::from_secs(2);

/// Delay before a failed request is retried.
const PAUSE: Duration = Duration::from_secs(1);

/// Interval at which the worker checks for cancellation.
const POLL: Duration = Duration::from_millis(50);

/// A worker: takes tasks from the queue and runs them.
#[derive(Clone)]
pub struct Worker {
    /// The queue.
    pub access: Access,
    /// Name of the worker.
    pub name: String,
    /// Maximum number of threads in use.
    pub cores: usize,
    /// Supported job types.
    pub job_types: Vec<Arc<dyn JobType>>,
    /// Idle time after which the worker exits; `None` to wait forever.
    pub idle: Option<Duration>,
}

/// Notification about a worker's activity.
#[derive(Clone, PartialEq, Debug)]
pub enum WorkerEvent {
    /// It starts to work on a run.
    Begun {
        /// The name of the run.
        run: String,
        /// Description of the run.
        what: String,
    },
    /// It does not work on a run.
    Refused {
        /// The name of the run.
        run: String,
        /// Why.
        reason: String,
    },
    /// It stopped working on a run, because the run ended or the worker stops.
    Over {
        /// The name of the run.
        run: String,
        /// Number of tasks done.
        tasks: u64,
    },
}

impl fmt::Display for WorkerEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Begun { run, what } => write!(f, "{run}: {what}"),
            Self::Refused { run, reason } => write!(f, "{run}: refused: {reason}"),
            Self::Over { run, tasks } => write!(f, "{run}: ended, {tasks} of its tasks were done here"),
        }
    }
}

/// A run that this worker works on.
struct Run {
    name: RunName,
    task: Arc<dyn PreparedRun>,
    patience: Duration,
    work: PullConsumer,
    /// Set when nothing more is to be done.
    over: AtomicBool,
    /// Whether this machine has shown that it cannot do it.
    is_given_up: AtomicBool,
    tasks: AtomicU64,
    events: mpsc::UnboundedSender<WorkerEvent>,
    /// Its files, which are deleted with it.
    _folder: TempDir,
}

impl Drop for Run {
    /// All tasks of the run have ended by now.
    fn drop(&mut self) {
        let event = WorkerEvent::Over { run: self.name.as_str().to_owned(), tasks: *self.tasks.get_mut() };
        // Nobody may be listening any more.
        let _ = self.events.send(event);
    }
}

/// What all tasks of a worker know.
struct Shared {
    queue: Queue,
    name: String,
    runs: Mutex<BTreeMap<RunName, Arc<Run>>>,
    cores: Semaphore,
    most_cores: usize,
    /// Number of tasks in progress.
    busy: AtomicUsize,
    stop: AtomicBool,
    /// When there was work last.
    worked: Mutex<Instant>,
    events: mpsc::UnboundedSender<WorkerEvent>,
}

impl Worker {
    /// Works on all runs until `stop` is set or the idle time is over, and reports events.
    ///
    /// # Errors
    /// [`QueueError`] if the queue is unreachable at the start; later the worker waits for it.
    pub fn work(&self, stop: &AtomicBool, mut on_event: impl FnMut(WorkerEvent)) -> Result<(), QueueError> {
        // Items have threads of their own; this one only talks to the server.
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(QueueError::machine("do several things at once"))?;
        runtime.block_on(async {
            let Some(queue) = self.queue(stop).await? else { return Ok(()) };
            let (events, mut heard) = mpsc::unbounded_channel();
            let shared = Arc::new(Shared {
                queue,
                name: self.name.clone(),
                runs: Mutex::default(),
                cores: Semaphore::new(self.cores.max(1)),
                most_cores: self.cores.max(1),
                busy: AtomicUsize::new(0),
                stop: AtomicBool::new(false),
                worked: Mutex::new(Instant::now()),
                events,
            });
            let mut tasks = JoinSet::new();
            tasks.spawn(watch_runs(shared.clone(), self.clone()));
            for _ in 0..self.cores.max(1) {
                tasks.spawn(run_tasks(shared.clone()));
            }
            while !(stop.load(Ordering::Relaxed) || shared.is_idle(self.idle)) {
                tokio::select! {
                    Some(event) = heard.recv() => on_event(event),
                    () = tokio::time::sleep(POLL) => {}
                }
            }
            shared.stop();
            tasks.join_all().await;
            shared.runs().clear();
            while let Ok(event) = heard.try_recv() {
                on_event(event);
            }
            Ok(())
        })
    }

    /// Waits for the queue to exist; `None` if the worker stops before.
    async fn queue(&self, stop: &AtomicBool) -> Result<Option<Queue>, QueueError> {
        let connection = tokio::select! {
            connection = Connection::open(&self.access, &self.name, PATIENCE) => connection?,
            () = is_set(stop) => return Ok(None),
        };
        // A server that has answered once is waited for.
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
                if stop.load(Ordering::Relaxed) || self.idle.is_some_and(|idle| begun.elapsed() > idle) {
                    return Ok(None);
                }
                tokio::time::sleep(POLL).await;
            }
        }
    }

    /// The same, and writes what happens, a line for each event; whether that could be done.
    ///
    /// # Errors
    /// Fails as [`Worker::work`] does.
    pub fn run_and_report(&self, stop: &AtomicBool, out: &mut impl Write) -> Result<io::Result<()>, QueueError> {
        let mut written = writeln!(out, "{}: waiting for work at {}", self.name, self.access);
        self.work(stop, |event| {
            let line = writeln!(out, "{}", game::printable(&event.to_string())).and_then(|()| out.flush());
            written = std::mem::replace(&mut written, Ok(())).and(line);
        })?;
        Ok(written)
    }

    /// Prepares a run, or returns why this worker refuses it.
    async fn prepare(
        &self,
        shared: &Shared,
        name: &RunName,
        info: &RunInfo,
    ) -> Result<Result<Run, String>, QueueError> {
        let Some(kind) = self.job_types.iter().find(|kind| kind.name() == info.kind()).cloned() else {
            let known: Vec<&str> = self.job_types.iter().map(|kind| kind.name()).collect();
            let kind = game::excerpt(info.kind());
            return Ok(Err(format!("unknown job type `{kind}`; this program knows {}", known.join(", "))));
        };
        let folder = TempDir::with_prefix("arena-").map_err(QueueError::machine("make a folder for files"))?;
        let text = fetch(info, &*kind, &shared.queue, folder.path()).await?;
        let (owned, cores) = (info.clone(), self.cores);
        let prepared = spawn_blocking(move || {
            let task = kind.prepare(&owned, &text, folder.path(), cores);
            task.map(|task| (task, folder))
        });
        let (task, folder) = match prepared.await.map_err(|error| QueueError::unusable("a run", error))? {
            Ok(prepared) => prepared,
            Err(reason) => return Ok(Err(reason)),
        };
        Ok(Ok(Run {
            work: shared.queue.work(name).await?,
            name: name.clone(),
            task,
            patience: info.patience(),
            over: AtomicBool::new(false),
            is_given_up: AtomicBool::new(false),
            tasks: AtomicU64::new(0),
            events: shared.events.clone(),
            _folder: folder,
        }))
    }
}

impl Shared {
    fn runs(&self) -> std::sync::MutexGuard<'_, BTreeMap<RunName, Arc<Run>>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_idle(&self, idle: Option<Duration>) -> bool {
        let worked = *self.worked.lock().unwrap_or_else(PoisonError::into_inner);
        let is_busy = self.busy.load(Ordering::Relaxed) > 0;
        idle.is_some_and(|idle| !is_busy && worked.elapsed() > idle)
    }

    fn has_work(&self) {
        *self.worked.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
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

    fn tell(&self, event: WorkerEvent) {
        // Nobody listens to the last words.
        let _ = self.events.send(event);
    }

    /// Reports why a run is refused, also to its coordinator.
    async fn refuse(&self, run: &RunName, reason: String) {
        let notice = format!("the worker {} refuses the run: {reason}", self.name);
        // The coordinator may not be there.
        let _ = self.queue.client.publish(run.notices(), notice.into()).await;
        self.tell(WorkerEvent::Refused { run: run.as_str().to_owned(), reason });
    }

    /// Drops a run that has no tasks left.
    fn end(&self, run: &RunName) {
        if let Some(run) = self.runs().remove(run) {
            run.over.store(true, Ordering::Relaxed);
        }
    }
}

/// Waits until `stop` is set.
async fn is_set(stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        tokio::time::sleep(POLL).await;
    }
}

/// Fetches the text of a run, and its files into `folder`.
async fn fetch(info: &RunInfo, kind: &dyn JobType, queue: &Queue, folder: &Path) -> Result<String, QueueError> {
    let text = String::from_utf8(queue.file(info.text()).await?);
    let text = text.map_err(|error| QueueError::unusable("a run", error))?;
    for name in kind.files(&text).map_err(|error| QueueError::unusable("a run", error))? {
        // Rejects names that are not plain file names of the queue, such as paths.
        let bytes = queue.file(&name).await?;
        write_program(&folder.join(&name), &bytes).map_err(QueueError::machine("store a file of a run"))?;
    }
    Ok(text)
}

/// Follows published and withdrawn runs.
async fn watch_runs(shared: Arc<Shared>, worker: Worker) {
    // Rejected runs are checked again only after a change.
    let mut refused: HashMap<RunName, Vec<u8>> = HashMap::new();
    while !shared.should_stop() {
        let connects = shared.queue.connects();
        match shared.queue.runs.watch_with_history(">").await {
            Ok(mut entries) => {
                while !shared.should_stop() && shared.queue.connects() == connects {
                    match tokio::time::timeout(POLL, entries.next()).await {
                        Err(_) => {}
                        Ok(Some(Ok(entry))) => consider(&shared, &worker, &entry, &mut refused).await,
                        Ok(Some(Err(error))) => {
                            log::info!("runs: {error}");
                            break;
                        }
                        Ok(None) => break,
                    }
                }
            }
            Err(error) => log::info!("runs: {error}"),
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn consider(shared: &Shared, worker: &Worker, entry: &Entry, refused: &mut HashMap<RunName, Vec<u8>>) {
    let name = RunName::of_entry(&entry.key);
    if entry.operation != Operation::Put {
        refused.remove(&name);
        shared.end(&name);
        return;
    }
    let is_known = shared.runs().contains_key(&name) || refused.get(&name).is_some_and(|value| *value == entry.value);
    if is_known {
        return;
    }
    shared.busy.fetch_add(1, Ordering::Relaxed);
    let prepared = prepare_run(shared, worker, &name, &entry.value).await;
    shared.has_work();
    shared.busy.fetch_sub(1, Ordering::Relaxed);
    match prepared {
        None => {}
        Some(Ok(run)) => {
            shared.tell(WorkerEvent::Begun { run: name.as_str().to_owned(), what: run.task.description() });
            shared.runs().insert(name, Arc::new(run));
        }
        Some(Err(reason)) => {
            shared.refuse(&name, reason).await;
            refused.insert(name, entry.value.to_vec());
        }
    }
}

/// Prepares a run or logs why this worker rejects it. Returns `None` if the run was withdrawn meanwhile.
async fn prepare_run(shared: &Shared, worker: &Worker, name: &RunName, info: &[u8]) -> Option<Result<Run, String>> {
    loop {
        let prepared = match RunInfo::read(info) {
            Ok(info) => worker.prepare(shared, name, &info).await,
            Err(error) => Err(error),
        };
        match prepared {
            Err(error) if error.may_pass() && !shared.should_stop() => {
                log::info!("{error}; trying again");
                tokio::time::sleep(PAUSE).await;
                if let Ok(None) = shared.queue.runs.get(name.as_str()).await {
                    return None;
                }
            }
            Err(error) => return Some(Err(error.to_string())),
            Ok(prepared) => return Some(prepared),
        }
    }
}

/// Runs one task after another.
async fn run_tasks(shared: Arc<Shared>) {
    let mut executors: HashMap<RunName, Box<dyn Executor>> = HashMap::new();
    while !shared.should_stop() {
        let runs: Vec<Arc<Run>> = shared.runs().values().cloned().collect();
        let open: Vec<Arc<Run>> = runs.into_iter().filter(|run| !run.is_given_up.load(Ordering::Relaxed)).collect();
        executors.retain(|name, _| open.iter().any(|run| run.name == *name));
        if open.is_empty() {
            tokio::time::sleep(POLL).await;
        }
        for run in &open {
            let threads = run.task.threads().min(shared.most_cores);
            let Ok(_permit) = shared.cores.acquire_many(threads as u32).await else { return };
            if let Some(message) = take(run, WAIT / open.len() as u32).await {
                shared.busy.fetch_add(1, Ordering::Relaxed);
                let executor = executors.remove(&run.name).unwrap_or_else(|| run.task.clone().executor());
                let executor = run_task(&shared, run, &message, executor).await;
                executors.extend(executor.map(|executor| (run.name.clone(), executor)));
                shared.has_work();
                shared.busy.fetch_sub(1, Ordering::Relaxed);
                break;
            }
        }
    }
}

/// Takes a task of a run; `None` if there is none within `wait`.
async fn take(run: &Run, wait: Duration) -> Option<Message> {
    let take = async {
        let mut batch = run.work.batch().max_messages(1).expires(wait).messages().await.ok()?;
        batch.next().await?.ok()
    };
    let message = tokio::time::timeout(wait + PAUSE, take).await.ok().flatten();
    if message.is_none() {
        // The server may have refused at once.
        tokio::time::sleep(POLL).await;
    }
    message
}

/// Runs a task, unless another worker has finished it. Returns the executor for the next task, unless it has failed.
async fn run_task(
    shared: &Shared,
    run: &Arc<Run>,
    message: &Message,
    mut executor: Box<dyn Executor>,
) -> Option<Box<dyn Executor>> {
    let Some(task) = task_of(&message.subject) else {
        answer(message, AckKind::Term).await;
        return Some(executor);
    };
    let is_repeated = message.info().is_ok_and(|info| info.delivered > 1);
    // If the query fails, the task is run once more.
    if is_repeated && shared.queue.has_result(&run.name, task).await.unwrap_or(false) {
        answer(message, AckKind::Ack).await;
        return Some(executor);
    }
    let (here, payload) = (run.clone(), message.payload.clone());
    let mut working = spawn_blocking(move || {
        let done = executor.perform(task, &payload, &here.over);
        (executor, done)
    });
    let done = loop {
        tokio::select! {
            done = &mut working => break done,
            () = tokio::time::sleep(run.patience / 3) => answer(message, AckKind::Progress).await,
        }
    };
    match done.map_err(|error| error.to_string()) {
        Ok((executor, Ok(Some(done)))) => {
            if deliver(shared, run, task, message, done).await {
                run.tasks.fetch_add(1, Ordering::Relaxed);
            }
            Some(executor)
        }
        Ok((executor, Ok(None))) => {
            // It was stopped; another may begin at once.
            answer(message, AckKind::Nak(None)).await;
            Some(executor)
        }
        Ok((_, Err(reason))) | Err(reason) => {
            answer(message, AckKind::Nak(None)).await;
            if !run.is_given_up.swap(true, Ordering::Relaxed) {
                shared.refuse(&run.name, reason).await;
            }
            None
        }
    }
}

/// Hands a result in, however often that has to be tried; whether it counts.
async fn deliver(shared: &Shared, run: &Run, task: TaskId, message: &Message, done: Done) -> bool {
    loop {
        match send_result(shared, run, task, message, &done).await {
            Ok(put) => {
                answer(message, AckKind::Ack).await;
                return put == Put::New;
            }
            Err(_) if run.over.load(Ordering::Relaxed) => return false,
            Err(error) => log::info!("{error}; trying again"),
        }
        tokio::time::sleep(PAUSE).await;
        answer(message, AckKind::Progress).await;
    }
}

/// The file goes first, so that it is there when the result is.
async fn send_result(
    shared: &Shared,
    run: &Run,
    task: TaskId,
    message: &Message,
    done: &Done,
) -> Result<Put, QueueError> {
    let mut headers = HeaderMap::new();
    // A header is one line.
    headers.insert(WORKER, game::printable(&shared.name).to_string());
    if let Some(name) = payload_name(&message.payload) {
        headers.insert(PAYLOAD, name);
    }
    if let Some(file) = &done.file {
        let name = files::name("", file);
        shared.queue.put_file(&name, file).await?;
        headers.insert(FILE, name);
    }
    shared.queue.put_result(&run.name, task, headers, done.result.clone()).await
}

/// Answers the server about a task. If the answer is lost, another worker gets the task and finds the result.
async fn answer(message: &Message, kind: AckKind) {
    if let Err(error) = message.ack_with(kind).await {
        log::info!("{}: {error}", message.subject);
    }
}
