//! Publishing the jobs of a run and collecting their results.

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use async_nats::Subscriber;
use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::{DeliverPolicy, pull};
use futures_util::{StreamExt, TryStreamExt, stream};

use super::{WORKER, persist};
use crate::cluster::QueueError;
use crate::cluster::games::games_of;
use crate::cluster::names::{RunName, job_of};
use crate::cluster::run::RunInfo;
use crate::cluster::server::{POLL_INTERVAL, Queue, RETRY_DELAY};
use crate::database::StoreError;
use crate::games::played::PlayedGame;
use crate::plan::{Job, Plan};

/// Maximum number of unconfirmed jobs sent to the queue.
const MAX_UNCONFIRMED: usize = 256;

/// Callback for games, see [`Coordinator::gather`](super::Coordinator::gather).
pub type OnGame<'a> = dyn FnMut(u32, PlayedGame) -> Result<ControlFlow<()>, StoreError> + 'a;

/// A run in its queue.
pub(super) struct PublishedRun {
    pub(super) queue: Queue,
    pub(super) plan: Plan,
    pub(super) name: RunName,
    pub(super) info: RunInfo,
    /// Number of jobs done by each worker.
    pub(super) workers: BTreeMap<String, u64>,
    /// Jobs without a result.
    pub(super) remaining: HashSet<Job>,
    /// Jobs to publish again.
    pub(super) to_publish: HashSet<Job>,
}

impl PublishedRun {
    /// Publishes the run and its jobs. Repeating this has no effect.
    pub(super) async fn publish(&self, jobs: &[Job]) -> Result<(), QueueError> {
        let Self { queue, name, info, .. } = self;
        queue.create_job_consumer(name, info.patience()).await?;
        info.publish(queue, name).await?;
        // Jobs that have results are not published again.
        let known = queue.done_jobs(name).await?;
        let new = jobs.iter().filter(|job| !known.contains(job));
        let put = stream::iter(new).map(|&job| queue.put_job(name, job));
        put.buffered(MAX_UNCONFIRMED).try_for_each(|_| async { Ok(()) }).await
    }

    /// Subscribes to notices of workers.
    pub(super) async fn notices(&self) -> Result<Subscriber, QueueError> {
        let subscribed = self.queue.client().subscribe(self.name.notice_subject()).await;
        subscribed.map_err(self.queue.server_error("listen"))
    }

    /// Collects results until all jobs are done or the run stops.
    pub(super) async fn collect(
        &mut self,
        mut notices: Subscriber,
        stop: &AtomicBool,
        on_game: &mut OnGame<'_>,
    ) -> Result<(), QueueError> {
        let patience = self.info.patience();
        // The last message that was seen.
        let mut last = 0;
        let mut next_try = Instant::now();
        // The time of the last result; `None` after a warning.
        let mut silent_since = Some(Instant::now());
        while !stop.load(Ordering::Relaxed) {
            let connection_count = self.queue.connection_count();
            let mut results = match self.results_after(last).await {
                Ok(results) => results,
                Err(error) => {
                    log::warn!("{error}; trying again");
                    tokio::time::sleep(RETRY_DELAY).await;
                    continue;
                }
            };
            loop {
                if self.remaining.is_empty() || stop.load(Ordering::Relaxed) {
                    return Ok(());
                }
                if self.queue.connection_count() != connection_count {
                    break;
                }
                if Instant::now() >= next_try {
                    self.publish_again().await;
                    next_try = Instant::now() + RETRY_DELAY;
                }
                if silent_since.take_if(|since| since.elapsed() >= patience).is_some() {
                    log::warn!("no result for {} s", patience.as_secs());
                }
                tokio::select! {
                    result = results.next() => match result {
                        Some(Ok(message)) => {
                            silent_since = Some(Instant::now());
                            let Ok(sequence) = message.info().map(|info| info.stream_sequence) else { continue };
                            last = sequence;
                            if self.take(&message, sequence, stop, on_game).await?.is_break() {
                                return Ok(());
                            }
                        }
                        // Restarts the stream after the last message.
                        Some(Err(error)) => {
                            log::info!("results: {error}");
                            break;
                        }
                        None => break,
                    },
                    Some(notice) = notices.next() => {
                        log::warn!("{}", game::excerpt(&notice.payload));
                    }
                    () = tokio::time::sleep(POLL_INTERVAL) => {}
                }
            }
        }
        Ok(())
    }

    async fn results_after(&self, last: u64) -> Result<pull::Ordered, QueueError> {
        let config = pull::OrderedConfig {
            filter_subject: self.name.result_subjects(),
            deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: last + 1 },
            ..pull::OrderedConfig::default()
        };
        let failed = "send results";
        let consumer = self.queue.results.create_consumer(config).await.map_err(self.queue.server_error(failed))?;
        consumer.messages().await.map_err(self.queue.server_error(failed))
    }

    /// Passes on the games of an open job. Deletes an unusable result and publishes its job again.
    async fn take(
        &mut self,
        message: &Message,
        sequence: u64,
        stop: &AtomicBool,
        on_game: &mut OnGame<'_>,
    ) -> Result<ControlFlow<()>, QueueError> {
        let mut flow = ControlFlow::Continue(());
        let Some(job) = job_of(&message.subject).filter(|job| self.remaining.contains(job)) else { return Ok(flow) };
        let worker = game::excerpt(header(message, WORKER).unwrap_or_default());
        let Job { number, pair } = job;
        match games_of(&message.payload, pair, &self.plan.match_plan(number)) {
            Ok(games) => {
                for game in games {
                    // After an error the result stays in the queue.
                    if on_game(number, game)?.is_break() {
                        flow = ControlFlow::Break(());
                    }
                }
                self.remaining.remove(&job);
                *self.workers.entry(worker).or_default() += 1;
            }
            Err(reason) => {
                log::warn!("repeating job {number}.{pair}: result of {worker}: {}", game::excerpt(reason));
                persist(stop, || self.delete_result(job, sequence)).await?;
                self.to_publish.insert(job);
            }
        }
        Ok(flow)
    }

    async fn delete_result(&self, job: Job, sequence: u64) -> Result<(), QueueError> {
        // A second attempt may find the job gone.
        if self.queue.has_result(&self.name, job).await? {
            let deleted = self.queue.results.delete_message(sequence).await;
            deleted.map_err(self.queue.server_error("delete a result"))?;
        }
        Ok(())
    }

    /// Publishes jobs again. The old job stays in the stream until its worker acknowledges it, so this is repeated
    /// until the server accepts the job as new.
    async fn publish_again(&mut self) {
        for job in std::mem::take(&mut self.to_publish).intersection(&self.remaining) {
            match self.queue.put_job(&self.name, *job).await {
                Ok(true) => {}
                Ok(false) => _ = self.to_publish.insert(*job),
                Err(error) => {
                    log::info!("{error}; trying again");
                    self.to_publish.insert(*job);
                }
            }
        }
    }
}

fn header(message: &Message, name: &str) -> Option<String> {
    message.headers.as_ref()?.get(name).map(|value| value.as_str().to_owned())
}
