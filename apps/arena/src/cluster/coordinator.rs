//! Publishing a run and collecting its results.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::future::Future;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_nats::Subscriber;
use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::{DeliverPolicy, pull};
use futures_util::{StreamExt, TryStreamExt, stream};
use tokio::runtime::Runtime;

use super::connection::PATIENCE;
use super::job_type::{Taken, TaskId};
use super::run::{RunInfo, RunRequest};
use super::server::{Connection, Queue, RunName, task_of};
use super::{Access, QueueError, files};
use crate::files::sha256;

/// Maximum number of unconfirmed tasks sent to the queue.
const AT_ONCE: usize = 256;

/// Delay before a failed request is retried.
const PAUSE: Duration = Duration::from_secs(1);

/// Maximum time without results between two messages about it.
const LONGEST_SILENCE: Duration = Duration::from_secs(600);

/// Interval at which the coordinator checks for cancellation.
const POLL: Duration = Duration::from_millis(50);

/// Headers of a result: the worker, the name of its file in the queue if any, and the name of the task's
/// [payload](payload_name).
pub(super) const WORKER: &str = "Arena-Worker";
pub(super) const FILE: &str = "Arena-File";
pub(super) const PAYLOAD: &str = "Arena-Payload";

/// Hash of a task's payload, if it has one. Tells it from a task of an earlier run with the same number.
pub(super) fn payload_name(payload: &[u8]) -> Option<String> {
    (!payload.is_empty()).then(|| sha256(payload))
}

/// A worker's result for a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Who has done it.
    pub worker: String,
    /// The result.
    pub result: Vec<u8>,
    /// The file.
    pub file: Option<Vec<u8>>,
}

/// A coordinator: puts the tasks of a run into the queue and collects the results.
pub struct Coordinator {
    runtime: Runtime,
    run: PublishedRun,
    /// Number of tasks done by each worker.
    workers: BTreeMap<String, u64>,
}

/// Callback for results, see [`Coordinator::gather`].
type OnResult<'a> = dyn FnMut(TaskId, &Outcome) -> Taken + 'a;

impl Coordinator {
    /// Connects and uploads the files of a run; it is not published yet. After `patience` without a sign of life of a
    /// worker, another one gets its task.
    ///
    /// # Errors
    /// [`QueueError`]
    pub fn open(access: &Access, name: &str, request: &RunRequest, patience: Duration) -> Result<Self, QueueError> {
        let runtime = runtime()?;
        let run = runtime.block_on(async {
            let queue = Connection::open(access, name, PATIENCE).await?.make().await?;
            let info = request.upload(patience, &queue).await?;
            Ok::<_, QueueError>(PublishedRun { queue, run: request.run(), info })
        })?;
        Ok(Self { runtime, run, workers: BTreeMap::new() })
    }

    /// Puts `tasks` with their payloads into the queue and calls `on_result` with the first result of each, in any
    /// order, until all are done or `on_result` breaks or fails. Also returns when `stop` is set; workers continue then,
    /// and the next call, also by another process, finds their results.
    ///
    /// # Errors
    /// [`QueueError`], but waits for a server that is down; errors of `on_result`.
    pub fn gather<E: From<QueueError>>(
        &mut self,
        tasks: &[(TaskId, Vec<u8>)],
        stop: &AtomicBool,
        mut on_result: impl FnMut(TaskId, &Outcome) -> Result<Taken, E>,
    ) -> Result<(), E> {
        if tasks.is_empty() {
            return Ok(());
        }
        let mut failed = None;
        let mut on_result = |task, outcome: &Outcome| {
            on_result(task, outcome).unwrap_or_else(|error| {
                failed = Some(error);
                // The results stay in the queue.
                Ok(ControlFlow::Break(()))
            })
        };
        let Self { runtime, run, workers } = self;
        let left = tasks.iter().cloned().collect();
        let mut gathering = Gathering { run, workers, left, again: HashSet::new(), is_over: false };
        runtime.block_on(async {
            // Workers may send notices as soon as the run is published.
            let notices = gathering.notices().await?;
            persist(stop, || gathering.publish(tasks)).await?;
            gathering.collect(notices, stop, &mut on_result).await
        })?;
        failed.map_or(Ok(()), Err)
    }

    /// Deletes the results of a group of tasks that are stored elsewhere.
    ///
    /// # Errors
    /// [`QueueError`]; but a server that is away is waited for.
    pub fn forget(&self, group: u64, stop: &AtomicBool) -> Result<(), QueueError> {
        let PublishedRun { queue, run, .. } = &self.run;
        self.runtime.block_on(async { persist(stop, || queue.forget(run, group)).await.map(|_| ()) })
    }

    /// Withdraws the run with its remaining tasks and deletes all results.
    ///
    /// # Errors
    /// [`QueueError`]; but a server that is away is waited for.
    pub fn close(&self, stop: &AtomicBool) -> Result<(), QueueError> {
        let PublishedRun { queue, run, .. } = &self.run;
        self.runtime.block_on(async { persist(stop, || queue.close(run)).await.map(|_| ()) })
    }

    /// Withdraws a run by its key. Uncollected results are lost. Does not wait for a server that is down.
    ///
    /// # Errors
    /// [`QueueError`]
    pub fn withdraw(access: &Access, key: &str) -> Result<(), QueueError> {
        let run = RunName::of_key(key);
        runtime()?.block_on(async {
            match Connection::open(access, "arena", Duration::ZERO).await?.find().await? {
                Some(queue) => queue.close(&run).await,
                None => Ok(()),
            }
        })
    }

    /// Returns the number of tasks done by each worker.
    pub fn workers(&self) -> &BTreeMap<String, u64> {
        &self.workers
    }
}

fn runtime() -> Result<Runtime, QueueError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(QueueError::machine("wait for several things at once"))
}

/// Does something until it is done, although the server may be away meanwhile; `None` if `stop` is set before.
async fn persist<T, F>(stop: &AtomicBool, action: impl Fn() -> F) -> Result<Option<T>, QueueError>
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

/// A run in its queue.
struct PublishedRun {
    queue: Queue,
    run: RunName,
    info: RunInfo,
}

struct Gathering<'a> {
    run: &'a PublishedRun,
    workers: &'a mut BTreeMap<String, u64>,
    /// Tasks without a result, with their payloads.
    left: HashMap<TaskId, Vec<u8>>,
    /// Tasks that must be offered again.
    again: HashSet<TaskId>,
    is_over: bool,
}

impl Gathering<'_> {
    /// Publishes the run and its tasks. Repeating this has no effect.
    async fn publish(&self, tasks: &[(TaskId, Vec<u8>)]) -> Result<(), QueueError> {
        let PublishedRun { queue, run, info } = self.run;
        queue.open_work(run, info.patience()).await?;
        info.publish(queue, run).await?;
        // Results from before the start are gathered first, and their tasks are not repeated.
        let known = self.known().await?;
        let new = tasks.iter().filter(|(task, _)| !known.contains(task));
        let put = stream::iter(new).map(|(task, payload)| queue.put_work(run, *task, payload.clone()));
        put.buffered(AT_ONCE).try_for_each(|_| async { Ok(()) }).await
    }

    /// Returns the tasks that have results.
    async fn known(&self) -> Result<HashSet<TaskId>, QueueError> {
        let PublishedRun { queue, run, .. } = self.run;
        let failed = "list results";
        let mut info = queue.results.info_with_subjects(run.all_results()).await.map_err(queue.failed(failed))?;
        let mut known = HashSet::new();
        while let Some((subject, _)) = info.try_next().await.map_err(queue.failed(failed))? {
            known.extend(task_of(&subject));
        }
        Ok(known)
    }

    /// What workers have to say.
    async fn notices(&self) -> Result<Subscriber, QueueError> {
        let PublishedRun { queue, run, .. } = self.run;
        queue.client.subscribe(run.notices()).await.map_err(queue.failed("listen"))
    }

    /// Takes results as they come.
    async fn collect(
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
                    self.put_again().await;
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
                            if let Some((task, outcome)) = outcome {
                                self.take(task, outcome, sequence, stop, on_result).await?;
                            }
                        }
                        // Starts the stream again after the last message.
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

    /// Logs the missing tasks, and offers tasks again that disappeared without a result.
    async fn look_for_lost(&mut self, silence: Duration) -> Result<(), QueueError> {
        let PublishedRun { queue, run, .. } = self.run;
        // A result arrives before its task is acknowledged, so the open tasks are listed first.
        let (open, [in_progress, waiting]) = queue.open_tasks(run).await?;
        let known = self.known().await?;
        let is_lost = |task: &&TaskId| !open.contains(task) && !known.contains(task) && !self.again.contains(task);
        let lost: Vec<TaskId> = self.left.keys().filter(is_lost).copied().collect();
        let seconds = silence.as_secs();
        log::warn!("no result for {seconds} s; {in_progress} in progress, {waiting} waiting for a worker");
        if !lost.is_empty() {
            log::warn!("{} acknowledged without a result, put back into the queue", lost.len());
            self.again.extend(lost);
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
    async fn outcome(&self, message: &Message) -> Result<Option<(TaskId, Result<Outcome, String>)>, QueueError> {
        let Some(task) = task_of(&message.subject).filter(|task| self.left.contains_key(task)) else { return Ok(None) };
        let worker = game::excerpt(header(message, WORKER).unwrap_or_default());
        if header(message, PAYLOAD) != self.left.get(&task).and_then(|payload| payload_name(payload)) {
            return Ok(Some((task, Err(format!("{worker} sent a result of another run")))));
        }
        let mut outcome = Outcome { worker, result: message.payload.to_vec(), file: None };
        if let Some(name) = header(message, FILE) {
            match self.run.queue.file(&name).await {
                Ok(file) => outcome.file = Some(file),
                Err(error) if error.may_pass() && self.run.queue.has_file(&name).await? => return Err(error),
                Err(error) => return Ok(Some((task, Err(error.to_string())))),
            }
        }
        Ok(Some((task, Ok(outcome))))
    }

    /// Passes a result on. An unusable one is deleted, and its task is put back into the queue.
    async fn take(
        &mut self,
        task: TaskId,
        outcome: Result<Outcome, String>,
        sequence: u64,
        stop: &AtomicBool,
        on_result: &mut OnResult<'_>,
    ) -> Result<(), QueueError> {
        let file = outcome.as_ref().ok().and_then(|outcome| outcome.file.as_ref()).map(|file| files::name("", file));
        let taken = outcome.and_then(|outcome| {
            let named = |reason| format!("what {} sent: {reason}", outcome.worker);
            on_result(task, &outcome).map_err(named).map(|flow| (flow, outcome.worker))
        });
        match taken {
            Ok((flow, worker)) => {
                self.left.remove(&task);
                *self.workers.entry(worker).or_default() += 1;
                self.is_over |= flow.is_break();
            }
            Err(reason) => {
                let TaskId { group, number } = task;
                log::warn!("{group}.{number} is done again: {}", game::excerpt(reason));
                persist(stop, || self.throw_away(task, sequence)).await?;
                self.again.insert(task);
            }
        }
        if let Some(name) = file {
            self.run.queue.remove_file(&name).await;
        }
        Ok(())
    }

    async fn throw_away(&self, task: TaskId, sequence: u64) -> Result<(), QueueError> {
        let PublishedRun { queue, run, .. } = self.run;
        // A second attempt may find the task gone.
        if queue.has_result(run, task).await? {
            queue.results.delete_message(sequence).await.map_err(queue.failed("delete a result"))?;
        }
        Ok(())
    }

    /// Offers tasks again. The old task stays in the stream until its worker acknowledges it, so this is repeated until
    /// the server accepts the task as new.
    async fn put_again(&mut self) {
        let PublishedRun { queue, run, .. } = self.run;
        for task in std::mem::take(&mut self.again) {
            let Some(payload) = self.left.get(&task) else { continue };
            match queue.put_work(run, task, payload.clone()).await {
                Ok(true) => {}
                Ok(false) => _ = self.again.insert(task),
                Err(error) => {
                    log::info!("{error}; trying again");
                    self.again.insert(task);
                }
            }
        }
    }
}

fn header(message: &Message, name: &str) -> Option<String> {
    message.headers.as_ref()?.get(name).map(|value| value.as_str().to_owned())
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::process::{Child, Command, Stdio};
    use std::thread;

    use async_nats::HeaderMap;

    use super::*;

    /// A queue server that may not listen yet.
    struct Server(Child);

    impl Drop for Server {
        fn drop(&mut self) {
            // The test is over, whatever becomes of it.
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    /// Takes the task of a run.
    async fn take(queue: &Queue, run: &RunName) -> Message {
        loop {
            if let Ok(consumer) = queue.work(run).await
                && let Ok(mut batch) = consumer.batch().max_messages(1).expires(PAUSE).messages().await
                && let Some(Ok(message)) = batch.next().await
            {
                return message;
            }
            tokio::time::sleep(POLL).await;
        }
    }

    #[test]
    fn withdrawing_from_dead_queue_fails_at_once() {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let access = Access { url: format!("nats://127.0.0.1:{port}"), ..Access::default() };
        let begun = Instant::now();
        let error = Coordinator::withdraw(&access, "key").unwrap_err().to_string();
        assert!(error.contains("cannot connect") && begun.elapsed() < PATIENCE / 2, "{error}");
    }

    /// Without `nats-server`, this tests nothing; `left_out` says so.
    #[test]
    fn repeats_tasks_acknowledged_without_result() {
        let folder = tempfile::tempdir().unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let server = Command::new("nats-server")
            .args(["--addr", "127.0.0.1", "--port", &port.to_string(), "--jetstream", "--store_dir"])
            .arg(folder.path())
            .stderr(Stdio::null())
            .spawn();
        let Ok(_server) = server.map(Server) else { return };
        let access = Access { url: format!("nats://127.0.0.1:{port}"), ..Access::default() };
        let request = RunRequest::new("test", "text".to_owned(), "", "fingerprint".to_owned());
        // This waits for the server.
        let mut coordinator = Coordinator::open(&access, "test", &request, Duration::from_secs(1)).unwrap();
        let (task, run) = (TaskId { group: 0, number: 1 }, request.run());
        let worker = thread::spawn(move || {
            runtime().unwrap().block_on(async {
                let queue = Connection::open(&access, "worker", PATIENCE).await.unwrap().find().await.unwrap().unwrap();
                take(&queue, &run).await.double_ack().await.unwrap();
                let message = take(&queue, &run).await;
                queue.put_result(&run, task, HeaderMap::new(), b"done".to_vec()).await.unwrap();
                message.double_ack().await.unwrap();
            });
        });
        let mut results = Vec::new();
        let on_result = |_, outcome: &Outcome| {
            results.push(outcome.result.clone());
            Ok::<_, QueueError>(Ok(ControlFlow::Continue(())))
        };
        coordinator.gather(&[(task, Vec::new())], &AtomicBool::new(false), on_result).unwrap();
        worker.join().unwrap();
        assert_eq!(results, [b"done"]);
    }
}
