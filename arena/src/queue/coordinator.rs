//! Offering a plan and gathering its games.

use std::collections::{BTreeMap, HashSet};
use std::future::Future;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::{DeliverPolicy, pull};
use futures_util::{StreamExt, TryStreamExt, stream};

use super::offer::Offer;
use super::server::{Queue, RunName, job_of};
use super::wire::PairResult;
use super::{Access, QueueError};
use crate::matches::Job;
use crate::plan::{Plan, measure_speed};
use crate::played::PlayedGame;

/// How many pairs are put into the queue before the first is known to be safe there.
const AT_ONCE: usize = 256;

/// After so long it is tried again what the server did not do.
const PAUSE: Duration = Duration::from_secs(1);

/// How often it is looked whether the coordinator should stop.
const POLL: Duration = Duration::from_millis(50);

/// What has become of a plan.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Gathered {
    /// How many pairs came from each worker.
    pub workers: BTreeMap<String, u64>,
    /// Whether there is nothing left to be played, and nothing in the queue.
    pub is_over: bool,
}

/// Lets workers play pairs of games of a plan and calls `on_game` with the number of the match and each game, in no
/// particular order, until all `jobs` are played or `on_game` breaks: then what is left is withdrawn. It also ends when
/// `stop` is set; workers go on then, and their games are there when this is called again.
///
/// A worker that says nothing for `patience` is believed to be gone, and its pair is played by another. `concurrency` is
/// how many games this machine would play at the same time, for measuring its speed if times are meant for it.
///
/// # Errors
/// [`QueueError`]; but once the plan is on offer, a server that is away is waited for.
pub fn gather(
    access: &Access,
    plan: &Plan,
    jobs: &[Job],
    patience: Duration,
    concurrency: usize,
    stop: &AtomicBool,
    on_game: &mut dyn FnMut(u32, PlayedGame) -> ControlFlow<()>,
) -> Result<Gathered, QueueError> {
    block_on(async {
        let queue = Queue::open(access, "arena run").await?;
        let (run, offer) = Offer::make(plan, patience, || measure_speed(concurrency), &queue).await?;
        let mut gathering =
            Gathering { queue, run, plan, left: jobs.iter().copied().collect(), gathered: Gathered::default() };
        if !jobs.is_empty() {
            gathering.persist(stop, || gathering.offer(&offer, jobs)).await?;
            gathering.collect(stop, on_game).await?;
        }
        if gathering.left.is_empty() || gathering.gathered.is_over {
            let closed = gathering.persist(stop, || gathering.queue.close(&gathering.run)).await?;
            gathering.gathered.is_over = closed.is_some();
        }
        Ok(gathering.gathered)
    })
}

/// Withdraws a plan that was offered before, with all that is left to be played. Games that nobody has gathered are lost.
///
/// # Errors
/// [`QueueError`]
pub fn withdraw(access: &Access, plan: &Plan) -> Result<(), QueueError> {
    let run = RunName::of_key(&plan.key()?);
    block_on(async { Queue::open(access, "arena run").await?.close(&run).await })
}

fn block_on<T>(future: impl Future<Output = Result<T, QueueError>>) -> Result<T, QueueError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(QueueError::machine("wait for several things at once"))?.block_on(future)
}

struct Gathering<'a> {
    queue: Queue,
    run: RunName,
    plan: &'a Plan,
    /// The pairs that are still to come.
    left: HashSet<Job>,
    gathered: Gathered,
}

impl Gathering<'_> {
    /// Does something until it is done, although the server may be away meanwhile; `None` if `stop` is set before.
    async fn persist<T, F>(&self, stop: &AtomicBool, action: impl Fn() -> F) -> Result<Option<T>, QueueError>
    where
        F: Future<Output = Result<T, QueueError>>,
    {
        while !stop.load(Ordering::Relaxed) {
            match action().await {
                Ok(done) => return Ok(Some(done)),
                Err(error) if error.may_pass() => log::warn!("{error}; trying again"),
                Err(error) => return Err(error),
            }
            tokio::time::sleep(PAUSE).await;
        }
        Ok(None)
    }

    /// Lets workers know of the plan and of all pairs. Nothing happens twice if this is done twice.
    async fn offer(&self, offer: &Offer, jobs: &[Job]) -> Result<(), QueueError> {
        self.queue.open_work(&self.run, offer.patience()).await?;
        offer.publish(&self.queue, &self.run).await?;
        // What was played while nobody was here is gathered first, and not played again.
        let known = self.known().await?;
        let new = jobs.iter().filter(|job| !known.contains(job));
        let put = stream::iter(new).map(|&job| self.queue.put_work(&self.run, job)).buffered(AT_ONCE);
        put.try_for_each(|_| async { Ok(()) }).await
    }

    /// The pairs of which there are results.
    async fn known(&self) -> Result<HashSet<Job>, QueueError> {
        let failed = "list results";
        let mut info =
            self.queue.results.info_with_subjects(self.run.all_results()).await.map_err(self.queue.failed(failed))?;
        let mut known = HashSet::new();
        while let Some((subject, _)) = info.try_next().await.map_err(self.queue.failed(failed))? {
            known.extend(job_of(&subject));
        }
        Ok(known)
    }

    /// Takes results as they come.
    async fn collect(
        &mut self,
        stop: &AtomicBool,
        on_game: &mut dyn FnMut(u32, PlayedGame) -> ControlFlow<()>,
    ) -> Result<(), QueueError> {
        let mut notices = self.queue.client.subscribe(self.run.notices()).await.map_err(self.queue.failed("listen"))?;
        // The last message that was seen.
        let mut last = 0;
        while !stop.load(Ordering::Relaxed) {
            let connects = self.queue.connects();
            let mut results = match self.results_after(last).await {
                Ok(results) => results,
                Err(error) => {
                    log::warn!("{error}; trying again");
                    tokio::time::sleep(PAUSE).await;
                    continue;
                }
            };
            loop {
                if self.left.is_empty() || self.gathered.is_over || stop.load(Ordering::Relaxed) {
                    return Ok(());
                }
                if self.queue.connects() != connects {
                    break;
                }
                tokio::select! {
                    result = results.next() => match result {
                        Some(Ok(message)) => {
                            let Ok(sequence) = message.info().map(|info| info.stream_sequence) else { continue };
                            let taken = self.persist(stop, || self.check(&message, sequence)).await?;
                            let Some(checked) = taken else { return Ok(()) };
                            last = sequence;
                            if let Some((job, worker, games)) = checked {
                                self.take(job, worker, games, on_game);
                            }
                        }
                        // The stream begins anew after the last message.
                        Some(Err(error)) => {
                            log::info!("results: {error}");
                            break;
                        }
                        None => break,
                    },
                    Some(notice) = notices.next() => {
                        log::warn!("{}", game::excerpt(&notice.payload));
                    }
                    () = tokio::time::sleep(POLL) => {}
                }
            }
        }
        Ok(())
    }

    async fn results_after(&self, last: u64) -> Result<pull::Ordered, QueueError> {
        let config = pull::OrderedConfig {
            filter_subject: self.run.all_results(),
            deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: last + 1 },
            ..pull::OrderedConfig::default()
        };
        let failed = "send results";
        let consumer = self.queue.results.create_consumer(config).await.map_err(self.queue.failed(failed))?;
        consumer.messages().await.map_err(self.queue.failed(failed))
    }

    /// The games of a pair that is still to come, and who has played them. What cannot be used is thrown away, and the
    /// pair is played again.
    async fn check(
        &self,
        message: &Message,
        sequence: u64,
    ) -> Result<Option<(Job, String, [PlayedGame; 2])>, QueueError> {
        let Some(job) = job_of(&message.subject).filter(|job| self.left.contains(job)) else { return Ok(None) };
        match self.read(job, &message.payload) {
            Ok((worker, games)) => Ok(Some((job, worker, games))),
            Err(reason) => {
                log::warn!("pair {} of match {} is played again: {}", job.pair, job.number, game::excerpt(reason));
                // Whoever tries again may find it gone.
                if self.queue.has_result(&self.run, job).await {
                    let deleted = self.queue.results.delete_message(sequence).await;
                    deleted.map_err(self.queue.failed("throw a result away"))?;
                }
                self.queue.put_work(&self.run, job).await?;
                Ok(None)
            }
        }
    }

    fn take(
        &mut self,
        job: Job,
        worker: String,
        games: [PlayedGame; 2],
        on_game: &mut dyn FnMut(u32, PlayedGame) -> ControlFlow<()>,
    ) {
        self.left.remove(&job);
        *self.gathered.workers.entry(worker).or_default() += 1;
        for game in games {
            if on_game(job.number, game).is_break() {
                self.gathered.is_over = true;
            }
        }
    }

    fn read(&self, job: Job, payload: &[u8]) -> Result<(String, [PlayedGame; 2]), String> {
        let result: PairResult = serde_json::from_slice(payload).map_err(|error| error.to_string())?;
        let plan = self.plan.match_plan(job.number);
        let games = result.games(|swapped| plan.pairing((job.pair, swapped)).map_err(|error| error.to_string()));
        let worker = result.worker;
        games.map_err(|reason| format!("what {worker} sent: {reason}")).map(|games| (worker, games))
    }
}
