//! Publishing the jobs of a run and collecting their results.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use async_nats::Subscriber;
use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::{DeliverPolicy, pull};
use futures_util::{StreamExt, TryStreamExt, stream};

use super::{OnResult, POLL_INTERVAL, PublishedRun, RETRY_DELAY, WORKER, persist};
use crate::cluster::QueueError;
use crate::cluster::names::job_of;
use crate::plan::Job;

/// Maximum number of unconfirmed jobs sent to the queue.
const MAX_UNCONFIRMED: usize = 256;

/// Results that are being collected.
pub(super) struct Gathering<'a> {
    pub(super) run: &'a PublishedRun,
    pub(super) workers: &'a mut BTreeMap<String, u64>,
    /// Jobs without a result.
    pub(super) remaining: HashSet<Job>,
    /// Jobs to publish again.
    pub(super) to_publish: HashSet<Job>,
    pub(super) is_over: bool,
}

impl Gathering<'_> {
    /// Publishes the run and its jobs. Repeating this has no effect.
    pub(super) async fn publish(&self, jobs: &[Job]) -> Result<(), QueueError> {
        let PublishedRun { queue, run, info } = self.run;
        queue.create_job_consumer(run, info.patience()).await?;
        info.publish(queue, run).await?;
        // Jobs that have results are not published again.
        let known = queue.done_jobs(run).await?;
        let new = jobs.iter().filter(|job| !known.contains(job));
        let put = stream::iter(new).map(|&job| queue.put_job(run, job));
        put.buffered(MAX_UNCONFIRMED).try_for_each(|_| async { Ok(()) }).await
    }

    /// Subscribes to notices of workers.
    pub(super) async fn notices(&self) -> Result<Subscriber, QueueError> {
        let PublishedRun { queue, run, .. } = self.run;
        queue.client().subscribe(run.notice_subject()).await.map_err(queue.server_error("listen"))
    }

    /// Collects results until all jobs are done or the run stops.
    pub(super) async fn collect(
        &mut self,
        mut notices: Subscriber,
        stop: &AtomicBool,
        on_result: &mut OnResult<'_>,
    ) -> Result<(), QueueError> {
        let PublishedRun { queue, info, .. } = self.run;
        // The last message that was seen.
        let mut last = 0;
        let mut next_try = Instant::now();
        // The time of the last result; `None` after a warning.
        let mut silent_since = Some(Instant::now());
        while !stop.load(Ordering::Relaxed) {
            let connection_count = queue.connection_count();
            let mut results = match self.results_after(last).await {
                Ok(results) => results,
                Err(error) => {
                    log::warn!("{error}; trying again");
                    tokio::time::sleep(RETRY_DELAY).await;
                    continue;
                }
            };
            loop {
                if self.remaining.is_empty() || self.is_over || stop.load(Ordering::Relaxed) {
                    return Ok(());
                }
                if queue.connection_count() != connection_count {
                    break;
                }
                if Instant::now() >= next_try {
                    self.publish_again().await;
                    next_try = Instant::now() + RETRY_DELAY;
                }
                if silent_since.take_if(|since| since.elapsed() >= info.patience()).is_some() {
                    log::warn!("no result for {} s", info.patience().as_secs());
                }
                tokio::select! {
                    result = results.next() => match result {
                        Some(Ok(message)) => {
                            silent_since = Some(Instant::now());
                            let Ok(sequence) = message.info().map(|info| info.stream_sequence) else { continue };
                            last = sequence;
                            self.take(&message, sequence, stop, on_result).await?;
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
        let PublishedRun { queue, run, .. } = self.run;
        let config = pull::OrderedConfig {
            filter_subject: run.result_subjects(),
            deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: last + 1 },
            ..pull::OrderedConfig::default()
        };
        let failed = "send results";
        let consumer = queue.results.create_consumer(config).await.map_err(queue.server_error(failed))?;
        consumer.messages().await.map_err(queue.server_error(failed))
    }

    /// Passes on the result of an open job. Deletes an unusable result and publishes its job again.
    async fn take(
        &mut self,
        message: &Message,
        sequence: u64,
        stop: &AtomicBool,
        on_result: &mut OnResult<'_>,
    ) -> Result<(), QueueError> {
        let Some(job) = job_of(&message.subject).filter(|job| self.remaining.contains(job)) else { return Ok(()) };
        let worker = game::excerpt(header(message, WORKER).unwrap_or_default());
        match on_result(job, &message.payload) {
            Ok(flow) => {
                self.remaining.remove(&job);
                *self.workers.entry(worker).or_default() += 1;
                self.is_over |= flow.is_break();
            }
            Err(reason) => {
                let Job { number, pair } = job;
                log::warn!("repeating job {number}.{pair}: result of {worker}: {}", game::excerpt(reason));
                persist(stop, || self.delete_result(job, sequence)).await?;
                self.to_publish.insert(job);
            }
        }
        Ok(())
    }

    async fn delete_result(&self, job: Job, sequence: u64) -> Result<(), QueueError> {
        let PublishedRun { queue, run, .. } = self.run;
        // A second attempt may find the job gone.
        if queue.has_result(run, job).await? {
            queue.results.delete_message(sequence).await.map_err(queue.server_error("delete a result"))?;
        }
        Ok(())
    }

    /// Publishes jobs again. The old job stays in the stream until its worker acknowledges it, so this is repeated until
    /// the server accepts the job as new.
    async fn publish_again(&mut self) {
        let PublishedRun { queue, run, .. } = self.run;
        for job in std::mem::take(&mut self.to_publish).intersection(&self.remaining) {
            match queue.put_job(run, *job).await {
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
