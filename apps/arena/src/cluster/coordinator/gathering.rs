//! Publishing the tasks of a run and collecting their results.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_nats::Subscriber;
use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::{DeliverPolicy, pull};
use futures_util::{StreamExt, TryStreamExt, stream};

use super::super::job_type::Done;
use super::super::names::TaskId;
use super::super::{QueueError, files};
use super::{FILE, OnResult, PAUSE, PAYLOAD, POLL, PublishedRun, WORKER, payload_name, persist};

/// Maximum number of unconfirmed tasks sent to the queue.
const MOST_UNCONFIRMED: usize = 256;

/// Maximum interval between warnings about missing results.
const LONGEST_SILENCE: Duration = Duration::from_secs(600);

/// A worker's answer to a task: its result, or the reason why the result is unusable.
struct Outcome {
    task: TaskId,
    worker: String,
    done: Result<Done, String>,
}

/// Results that are being collected.
pub(super) struct Gathering<'a> {
    pub(super) run: &'a PublishedRun,
    pub(super) workers: &'a mut BTreeMap<String, u64>,
    /// Tasks without a result, with their payloads.
    pub(super) left: HashMap<TaskId, Vec<u8>>,
    /// Tasks to publish again.
    pub(super) to_publish: HashSet<TaskId>,
    pub(super) is_over: bool,
}

impl Gathering<'_> {
    /// Publishes the run and its tasks. Repeating this has no effect.
    pub(super) async fn publish(&self, tasks: &[(TaskId, Vec<u8>)]) -> Result<(), QueueError> {
        let PublishedRun { queue, run, info } = self.run;
        queue.open_work(run, info.patience()).await?;
        info.publish(queue, run).await?;
        // Tasks that have results are not published again.
        let known = queue.done_tasks(run).await?;
        let new = tasks.iter().filter(|(task, _)| !known.contains(task));
        let put = stream::iter(new).map(|(task, payload)| queue.put_work(run, *task, payload.clone()));
        put.buffered(MOST_UNCONFIRMED).try_for_each(|_| async { Ok(()) }).await
    }

    /// Subscribes to notices of workers.
    pub(super) async fn notices(&self) -> Result<Subscriber, QueueError> {
        let PublishedRun { queue, run, .. } = self.run;
        queue.client().subscribe(run.notices()).await.map_err(queue.failed("listen"))
    }

    /// Collects results until all tasks are done or the run stops.
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
        let (mut silent_since, mut patience) = (Instant::now(), info.patience());
        while !stop.load(Ordering::Relaxed) {
            let connects = queue.connects();
            let mut results = match self.results_after(last).await {
                Ok(results) => results,
                Err(error) => {
                    log::warn!("{error}; trying again");
                    tokio::time::sleep(PAUSE).await;
                    continue;
                }
            };
            loop {
                if self.left.is_empty() || self.is_over || stop.load(Ordering::Relaxed) {
                    return Ok(());
                }
                if queue.connects() != connects {
                    break;
                }
                if Instant::now() >= next_try {
                    self.publish_again().await;
                    next_try = Instant::now() + PAUSE;
                }
                if silent_since.elapsed() >= patience {
                    if let Err(error) = self.look_for_lost(silent_since.elapsed()).await {
                        log::info!("{error}; trying again");
                    }
                    patience = (2 * patience).min(silent_since.elapsed() + LONGEST_SILENCE);
                }
                tokio::select! {
                    result = results.next() => match result {
                        Some(Ok(message)) => {
                            (silent_since, patience) = (Instant::now(), info.patience());
                            let Ok(sequence) = message.info().map(|info| info.stream_sequence) else { continue };
                            let Some(outcome) = persist(stop, || self.outcome(&message)).await? else { return Ok(()) };
                            last = sequence;
                            if let Some(outcome) = outcome {
                                self.take(outcome, sequence, stop, on_result).await?;
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
                    () = tokio::time::sleep(POLL) => {}
                }
            }
        }
        Ok(())
    }

    /// Logs the missing tasks, and publishes tasks again that were acknowledged without a result.
    async fn look_for_lost(&mut self, silence: Duration) -> Result<(), QueueError> {
        let PublishedRun { queue, run, .. } = self.run;
        // A result arrives before its task is acknowledged, so the open tasks are listed first.
        let (open, [in_progress, waiting]) = queue.open_tasks(run).await?;
        let known = queue.done_tasks(run).await?;
        let is_lost = |task: &&TaskId| !open.contains(task) && !known.contains(task) && !self.to_publish.contains(task);
        let lost: Vec<TaskId> = self.left.keys().filter(is_lost).copied().collect();
        let seconds = silence.as_secs();
        log::warn!("no result for {seconds} s; {in_progress} in progress, {waiting} waiting for a worker");
        if !lost.is_empty() {
            log::warn!("publishing {} tasks again that were acknowledged without a result", lost.len());
            self.to_publish.extend(lost);
        }
        Ok(())
    }

    async fn results_after(&self, last: u64) -> Result<pull::Ordered, QueueError> {
        let PublishedRun { queue, run, .. } = self.run;
        let config = pull::OrderedConfig {
            filter_subject: run.all_results(),
            deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: last + 1 },
            ..pull::OrderedConfig::default()
        };
        let failed = "send results";
        let consumer = queue.results.create_consumer(config).await.map_err(queue.failed(failed))?;
        consumer.messages().await.map_err(queue.failed(failed))
    }

    /// Reads the result of an open task, with its file or the reason why there is none.
    async fn outcome(&self, message: &Message) -> Result<Option<Outcome>, QueueError> {
        let task = TaskId::of_subject(&message.subject).filter(|task| self.left.contains_key(task));
        let Some(task) = task else { return Ok(None) };
        let worker = game::excerpt(header(message, WORKER).unwrap_or_default());
        if header(message, PAYLOAD) != self.left.get(&task).and_then(|payload| payload_name(payload)) {
            return Ok(Some(Outcome { task, worker, done: Err("it belongs to another run".to_owned()) }));
        }
        let mut done = Ok(Done { result: message.payload.to_vec(), file: None });
        if let Some(name) = header(message, FILE) {
            done = match self.run.queue.file(&name).await {
                Ok(file) => done.map(|done| Done { file: Some(file), ..done }),
                Err(error) if error.may_pass() && self.run.queue.has_file(&name).await? => return Err(error),
                Err(error) => Err(error.to_string()),
            }
        }
        Ok(Some(Outcome { task, worker, done }))
    }

    /// Passes a result on. An unusable one is deleted, and its task is put back into the queue.
    async fn take(
        &mut self,
        Outcome { task, worker, done }: Outcome,
        sequence: u64,
        stop: &AtomicBool,
        on_result: &mut OnResult<'_>,
    ) -> Result<(), QueueError> {
        let file = done.as_ref().ok().and_then(|done| done.file.as_ref()).map(|file| files::name("", file));
        match done.and_then(|done| on_result(task, &done)) {
            Ok(flow) => {
                self.left.remove(&task);
                *self.workers.entry(worker).or_default() += 1;
                self.is_over |= flow.is_break();
            }
            Err(reason) => {
                let TaskId { group, number } = task;
                log::warn!("repeating task {group}.{number}: result of {worker}: {}", game::excerpt(reason));
                persist(stop, || self.delete_result(task, sequence)).await?;
                self.to_publish.insert(task);
            }
        }
        if let Some(name) = file {
            self.run.queue.remove_file(&name).await;
        }
        Ok(())
    }

    async fn delete_result(&self, task: TaskId, sequence: u64) -> Result<(), QueueError> {
        let PublishedRun { queue, run, .. } = self.run;
        // A second attempt may find the task gone.
        if queue.has_result(run, task).await? {
            queue.results.delete_message(sequence).await.map_err(queue.failed("delete a result"))?;
        }
        Ok(())
    }

    /// Publishes tasks again. The old task stays in the stream until its worker acknowledges it, so this is repeated until
    /// the server accepts the task as new.
    async fn publish_again(&mut self) {
        let PublishedRun { queue, run, .. } = self.run;
        for task in std::mem::take(&mut self.to_publish) {
            let Some(payload) = self.left.get(&task) else { continue };
            match queue.put_work(run, task, payload.clone()).await {
                Ok(true) => {}
                Ok(false) => _ = self.to_publish.insert(task),
                Err(error) => {
                    log::info!("{error}; trying again");
                    self.to_publish.insert(task);
                }
            }
        }
    }
}

fn header(message: &Message, name: &str) -> Option<String> {
    message.headers.as_ref()?.get(name).map(|value| value.as_str().to_owned())
}
