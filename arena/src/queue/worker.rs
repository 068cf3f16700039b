//! Playing what is on offer.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::kv::{Entry, Operation};
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use tempfile::TempDir;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::{JoinSet, spawn_blocking};

use super::offer::Offer;
use super::server::{Put, Queue, RunName, job_of};
use super::wire::PairResult;
use super::{Access, QueueError};
use crate::matches::{Job, Table};
use crate::plan::{Plan, Scale};

/// How long it is waited for work before it is looked for other plans.
const WAIT: Duration = Duration::from_secs(2);

/// After so long it is tried again what the server did not do.
const PAUSE: Duration = Duration::from_secs(1);

/// How often it is looked whether the worker should stop.
const POLL: Duration = Duration::from_millis(50);

/// Whoever plays plans that others offer.
#[derive(Clone, Debug)]
pub struct Worker {
    /// The queue.
    pub access: Access,
    /// What the worker is called.
    pub name: String,
    /// How many threads may play at the same time; each game takes as many as its players use.
    pub cores: usize,
    /// The permits of programs that may be started here, see [`Entrant::permit`](crate::plan::Entrant::permit).
    pub allowed: HashSet<String>,
    /// End after so long without work; `None` to wait for ever.
    pub idle: Option<Duration>,
}

/// What a worker does.
#[derive(Clone, PartialEq, Debug)]
pub enum WorkerEvent {
    /// It begins to play a plan.
    Begun {
        /// The name of the run.
        run: String,
        /// Between whom.
        contestants: Vec<String>,
        /// How much longer times are than in the plan; `None` if they are not.
        factor: Option<f64>,
    },
    /// It does not play a plan.
    Refused {
        /// The name of the run.
        run: String,
        /// Why.
        reason: String,
    },
    /// It plays a plan no longer, because there is nothing left of it or the worker stops.
    Over {
        /// The name of the run.
        run: String,
        /// How many pairs it has played.
        pairs: u64,
    },
}

impl fmt::Display for WorkerEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Begun { run, contestants, factor } => {
                write!(f, "{run}: playing {}", contestants.join(" - "))?;
                factor.map_or(Ok(()), |factor| write!(f, "; times are {factor:.2} times as long as in the plan"))
            }
            Self::Refused { run, reason } => write!(f, "{run}: not played here: {reason}"),
            Self::Over { run, pairs } => write!(f, "{run}: ended, {pairs} pairs of games were played here"),
        }
    }
}

/// A plan that is played here.
struct Run {
    name: RunName,
    plan: Plan,
    scale: Scale,
    patience: Duration,
    work: PullConsumer,
    /// Set when nothing more is to be played.
    over: AtomicBool,
    /// Whether this machine has shown that it cannot play the plan.
    is_given_up: AtomicBool,
    pairs: AtomicU64,
    events: mpsc::UnboundedSender<WorkerEvent>,
    /// The plan's files, which are deleted with it.
    _folder: TempDir,
}

impl Drop for Run {
    /// By now all pairs that were being played have ended.
    fn drop(&mut self) {
        let event = WorkerEvent::Over { run: self.name.as_str().to_owned(), pairs: *self.pairs.get_mut() };
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
    /// How many pairs are being played.
    playing: AtomicUsize,
    stop: AtomicBool,
    /// When there was work last.
    worked: Mutex<Instant>,
    events: mpsc::UnboundedSender<WorkerEvent>,
}

impl Worker {
    /// Plays whatever is on offer until `stop` is set, or nothing was for a time, and tells what happens.
    ///
    /// # Errors
    /// [`QueueError`] if the queue cannot be reached at the beginning; later it is waited for.
    pub fn work(&self, stop: &AtomicBool, mut on_event: impl FnMut(WorkerEvent)) -> Result<(), QueueError> {
        // Games have threads of their own; this one only talks to the server.
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(QueueError::machine("do several things at once"))?;
        runtime.block_on(async {
            let (events, mut heard) = mpsc::unbounded_channel();
            let shared = Arc::new(Shared {
                queue: Queue::open(&self.access, &self.name).await?,
                name: self.name.clone(),
                runs: Mutex::default(),
                cores: Semaphore::new(self.cores.max(1)),
                most_cores: self.cores.max(1),
                playing: AtomicUsize::new(0),
                stop: AtomicBool::new(false),
                worked: Mutex::new(Instant::now()),
                events,
            });
            let mut tasks = JoinSet::new();
            tasks.spawn(look_out(shared.clone(), self.clone()));
            for _ in 0..self.cores.max(1) {
                tasks.spawn(play(shared.clone()));
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

    /// Makes everything ready to play a plan; the reason if it is not to be played here.
    async fn prepare(&self, shared: &Shared, name: &RunName, offer: &Offer) -> Result<Result<Run, String>, QueueError> {
        let folder = TempDir::with_prefix("arena-").map_err(QueueError::machine("make a folder for files"))?;
        let plan = offer.plan(&shared.queue, folder.path()).await?;
        for entrant in &plan.contestants {
            if let Some(permit) = entrant.permit()?.filter(|permit| !self.allowed.contains(permit)) {
                let (name, player) = (game::excerpt(&entrant.name), game::excerpt(&entrant.player));
                return Ok(Err(format!("{name} is a program, `{player}`, which is allowed by `--allow {permit}`")));
            }
        }
        let (offer, cores) = (offer.clone(), self.cores);
        let measured = spawn_blocking(move || {
            let other = offer.other_fingerprint(&plan)?;
            let scale = if other.is_some() { Scale::NONE } else { Scale::here(&plan, cores) };
            Ok::<_, QueueError>((offer, plan, other, scale))
        });
        let (offer, plan, other, scale) = measured.await.map_err(|error| QueueError::unusable("a plan", error))??;
        if let Some(own) = other {
            let wanted = offer.fingerprint();
            return Ok(Err(format!(
                "this program has the fingerprint {own}, the plan needs {wanted}: use the version that has offered it"
            )));
        }
        Ok(Ok(Run {
            work: shared.queue.work(name).await?,
            name: name.clone(),
            plan: scale.plan(&plan),
            scale,
            patience: offer.patience(),
            over: AtomicBool::new(false),
            is_given_up: AtomicBool::new(false),
            pairs: AtomicU64::new(0),
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
        let is_playing = self.playing.load(Ordering::Relaxed) > 0;
        idle.is_some_and(|idle| !is_playing && worked.elapsed() > idle)
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

    /// Says why a run is not played here, also to its coordinator.
    async fn refuse(&self, run: &RunName, reason: String) {
        let notice = format!("the worker {} does not play: {reason}", self.name);
        // The coordinator may not be there.
        let _ = self.queue.client.publish(run.notices(), notice.into()).await;
        self.tell(WorkerEvent::Refused { run: run.as_str().to_owned(), reason });
    }

    /// Forgets a run of which there is nothing left.
    fn end(&self, run: &RunName) {
        if let Some(run) = self.runs().remove(run) {
            run.over.store(true, Ordering::Relaxed);
        }
    }
}

/// Follows what is offered and withdrawn.
async fn look_out(shared: Arc<Shared>, worker: Worker) {
    // What has been refused is not looked at again, unless it changes.
    let mut refused: HashMap<RunName, Vec<u8>> = HashMap::new();
    while !shared.should_stop() {
        let connects = shared.queue.connects();
        match shared.queue.offers.watch_with_history(">").await {
            Ok(mut offers) => {
                while !shared.should_stop() && shared.queue.connects() == connects {
                    match tokio::time::timeout(POLL, offers.next()).await {
                        Err(_) => {}
                        Ok(Some(Ok(entry))) => consider(&shared, &worker, &entry, &mut refused).await,
                        Ok(Some(Err(error))) => {
                            log::info!("offers: {error}");
                            break;
                        }
                        Ok(None) => break,
                    }
                }
            }
            Err(error) => log::info!("offers: {error}"),
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn consider(shared: &Shared, worker: &Worker, entry: &Entry, refused: &mut HashMap<RunName, Vec<u8>>) {
    let name = RunName::of_offer(&entry.key);
    if entry.operation != Operation::Put {
        refused.remove(&name);
        shared.end(&name);
        return;
    }
    let is_known = shared.runs().contains_key(&name) || refused.get(&name).is_some_and(|value| *value == entry.value);
    if is_known {
        return;
    }
    let prepared = loop {
        let prepared = match Offer::read(&entry.value) {
            Ok(offer) => worker.prepare(shared, &name, &offer).await,
            Err(error) => Err(error),
        };
        match prepared {
            Err(error) if error.may_pass() && !shared.should_stop() => {
                log::info!("{error}; trying again");
                tokio::time::sleep(PAUSE).await;
                // It may have been withdrawn meanwhile.
                if let Ok(None) = shared.queue.offers.get(name.as_str()).await {
                    return;
                }
            }
            Err(error) => break Err(error.to_string()),
            Ok(prepared) => break prepared,
        }
    };
    match prepared {
        Ok(run) => {
            let factor = (run.scale != Scale::NONE).then_some(run.scale.factor());
            let contestants = run.plan.contestants.iter().map(|entrant| entrant.name.clone()).collect();
            shared.tell(WorkerEvent::Begun { run: name.as_str().to_owned(), contestants, factor });
            shared.has_work();
            shared.runs().insert(name, Arc::new(run));
        }
        Err(reason) => {
            shared.refuse(&name, reason).await;
            refused.insert(name, entry.value.to_vec());
        }
    }
}

/// Plays one pair of games after the other.
async fn play(shared: Arc<Shared>) {
    let mut tables: HashMap<RunName, Table> = HashMap::new();
    while !shared.should_stop() {
        let runs: Vec<Arc<Run>> = shared.runs().values().cloned().collect();
        let open: Vec<Arc<Run>> = runs.into_iter().filter(|run| !run.is_given_up.load(Ordering::Relaxed)).collect();
        tables.retain(|name, _| open.iter().any(|run| run.name == *name));
        if open.is_empty() {
            tokio::time::sleep(POLL).await;
        }
        for run in &open {
            let threads = run.plan.threads().min(shared.most_cores);
            let Ok(_permit) = shared.cores.acquire_many(threads as u32).await else { return };
            if let Some(message) = take(run, WAIT / open.len() as u32).await {
                shared.playing.fetch_add(1, Ordering::Relaxed);
                let table = tables.remove(&run.name).unwrap_or_default();
                let table = play_pair(&shared, run, &message, table).await;
                tables.extend(table.map(|table| (run.name.clone(), table)));
                shared.has_work();
                shared.playing.fetch_sub(1, Ordering::Relaxed);
                break;
            }
        }
    }
}

/// Takes a pair of a run; `None` if there is none for some time.
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

/// Plays a pair, unless somebody else has played it meanwhile. The contestants stay for the next one, unless they have
/// failed.
async fn play_pair(shared: &Shared, run: &Arc<Run>, message: &Message, mut table: Table) -> Option<Table> {
    let known = job_of(&message.subject).filter(|job| job.number < run.plan.matches());
    let Some(job) = known else {
        answer(message, AckKind::Term).await;
        return Some(table);
    };
    let is_repeated = message.info().is_ok_and(|info| info.delivered > 1);
    if is_repeated && shared.queue.has_result(&run.name, job).await {
        answer(message, AckKind::Ack).await;
        return Some(table);
    }
    let here = run.clone();
    let mut playing = spawn_blocking(move || {
        let mut games = Vec::new();
        let plan = |number| here.plan.match_plan(number);
        let played = table.play(plan, job, &|_| true, &here.over, |game| games.push(here.scale.game(game)));
        (table, played.map(|()| games).map_err(|error| error.to_string()))
    });
    let played = loop {
        tokio::select! {
            played = &mut playing => break played,
            () = tokio::time::sleep(run.patience / 3) => answer(message, AckKind::Progress).await,
        }
    };
    match played.map_err(|error| error.to_string()) {
        Ok((table, Ok(games))) if games.len() == 2 => {
            let result = PairResult::new(&shared.name, &games).to_bytes();
            if deliver(shared, run, job, message, result).await {
                run.pairs.fetch_add(1, Ordering::Relaxed);
            }
            Some(table)
        }
        Ok((table, Ok(_))) => {
            // It was stopped; another may begin at once.
            answer(message, AckKind::Nak(None)).await;
            Some(table)
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
async fn deliver(shared: &Shared, run: &Run, job: Job, message: &Message, result: Vec<u8>) -> bool {
    loop {
        match shared.queue.put_result(&run.name, job, result.clone()).await {
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

/// Tells the server what becomes of a pair. If it does not hear that, the pair is given to somebody else, who finds the
/// result there.
async fn answer(message: &Message, kind: AckKind) {
    if let Err(error) = message.ack_with(kind).await {
        log::info!("{}: {error}", message.subject);
    }
}
