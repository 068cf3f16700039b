//! Streams and stores on the queue server, with their names.

use std::collections::HashSet;
use std::fmt::Display;
use std::sync::atomic::Ordering;
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::context::{Context, GetStreamError, GetStreamErrorKind, PublishError, PublishErrorKind};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::object_store::{self, ObjectStore};
use async_nats::jetstream::stream::{Config, DiscardPolicy, LastRawMessageErrorKind, RetentionPolicy, Stream};
use async_nats::jetstream::{self, ErrorCode, kv};
use async_nats::{Client, HeaderMap};
use futures_util::TryStreamExt;

use super::QueueError;
use super::connection::QueueAccess;
use super::names::{RunName, job_of};
use crate::plan::Job;

/// Stream of open jobs; acknowledged jobs are deleted.
const WORK: &str = "arena-work";

/// Stream of results.
const RESULTS: &str = "arena-results";

/// Published runs, by name.
const RUNS: &str = "arena-runs";

/// Files that workers need, by SHA-256 hash.
const FILES: &str = "arena-files";

/// Lifetime of files (60 days).
pub(super) const FILE_LIFETIME: Duration = Duration::from_secs(60 * 24 * 60 * 60);

/// Maximum number of jobs in progress, and of workers waiting for one.
const MAX_WORKERS: i64 = 10_000;

/// Delay before a failed request is retried.
pub(super) const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Interval at which programs check for cancellation.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Retries a creation: the server refuses one of two simultaneous ones ("subjects overlap with an existing stream").
async fn retry<T, E>(attempt: impl AsyncFn() -> Result<T, E>) -> Result<T, E> {
    const ATTEMPTS: u32 = 5;
    for number in 1..ATTEMPTS {
        if let Ok(made) = attempt().await {
            return Ok(made);
        }
        tokio::time::sleep(number * Duration::from_millis(50)).await;
    }
    attempt().await
}

/// A queue that we are connected to.
pub(super) struct Queue {
    connection: QueueConnection,
    jobs: Stream,
    pub(super) results: Stream,
    pub(super) runs: kv::Store,
    pub(super) files: ObjectStore,
}

/// A connection to a queue server that may not contain the queue yet.
#[derive(Clone)]
pub(super) struct QueueConnection {
    address: String,
    client: Client,
    context: Context,
}

impl QueueConnection {
    pub(super) async fn open(access: &QueueAccess, name: &str, patience: Duration) -> Result<Self, QueueError> {
        let client = access.connect(name, patience).await?;
        let context = jetstream::new(client.clone());
        Ok(Self { address: access.to_string(), client, context })
    }

    /// Opens the queue and creates missing streams. Only coordinators create them: a server (2.9) that receives the
    /// same request twice at once may lose a stream.
    pub(super) async fn open_or_create(self) -> Result<Queue, QueueError> {
        let context = &self.context;
        let work = Config {
            name: WORK.to_owned(),
            subjects: vec!["arena.work.>".to_owned()],
            retention: RetentionPolicy::WorkQueue,
            ..Config::default()
        };
        let results =
            Config { name: RESULTS.to_owned(), subjects: vec!["arena.results.>".to_owned()], ..Config::default() };
        let stream = async |config: Config| {
            retry(async || {
                context.get_or_create_stream(config.clone()).await?;
                // Checks that it is still there.
                context.get_or_create_stream(config.clone()).await
            })
            .await
        };
        stream(runs_stream_config()).await.map_err(self.server_error("store runs"))?;
        let files = retry(async || match context.get_object_store(FILES).await {
            Ok(files) => Ok(files),
            Err(_) => {
                let config =
                    object_store::Config { bucket: FILES.to_owned(), max_age: FILE_LIFETIME, ..Default::default() };
                context.create_object_store(config).await
            }
        });
        files.await.map_err(self.server_error("store files"))?;
        stream(work).await.map_err(self.server_error("store jobs"))?;
        // This comes last, see `find`.
        stream(results).await.map_err(self.server_error("store results"))?;
        self.find().await?.ok_or_else(|| self.server_error("store results")("the result stream has disappeared"))
    }

    /// Returns the queue, if it exists.
    pub(super) async fn find(&self) -> Result<Option<Queue>, QueueError> {
        let context = &self.context;
        let results = match context.get_stream(RESULTS).await {
            Ok(results) => results,
            Err(error) if is_missing(&error) => return Ok(None),
            Err(error) => return Err(self.server_error("store results")(error)),
        };
        Ok(Some(Queue {
            results,
            jobs: context.get_stream(WORK).await.map_err(self.server_error("store jobs"))?,
            runs: context.get_key_value(RUNS).await.map_err(self.server_error("store runs"))?,
            files: context.get_object_store(FILES).await.map_err(self.server_error("store files"))?,
            connection: self.clone(),
        }))
    }

    /// Wraps an error of the server.
    fn server_error<E: Display>(&self, what: &'static str) -> impl FnOnce(E) -> QueueError + use<E> {
        let address = self.address.clone();
        move |error| QueueError::Server { address, what, reason: error.to_string() }
    }
}

fn is_missing(error: &GetStreamError) -> bool {
    matches!(error.kind(), GetStreamErrorKind::JetStream(error) if error.error_code() == ErrorCode::STREAM_NOT_FOUND)
}

impl Queue {
    pub(super) fn client(&self) -> &Client {
        &self.connection.client
    }

    /// Returns the number of connections made. After a reconnect the server may have lost pending deliveries.
    pub(super) fn connection_count(&self) -> u64 {
        self.client().statistics().connects.load(Ordering::Relaxed)
    }

    /// Wraps an error of the server.
    pub(super) fn server_error<E: Display>(&self, what: &'static str) -> impl FnOnce(E) -> QueueError + use<E> {
        self.connection.server_error(what)
    }

    /// Creates the consumer through which workers take the jobs of a run. A worker that is silent for `patience` loses
    /// its job.
    pub(super) async fn create_job_consumer(&self, run: &RunName, patience: Duration) -> Result<(), QueueError> {
        let config = pull::Config {
            durable_name: Some(run.0.clone()),
            filter_subject: run.job_subjects(),
            ack_policy: AckPolicy::Explicit,
            ack_wait: patience,
            max_ack_pending: MAX_WORKERS,
            max_waiting: MAX_WORKERS,
            ..pull::Config::default()
        };
        self.jobs.create_consumer(config).await.map_err(self.server_error("hand out jobs"))?;
        Ok(())
    }

    /// Returns the jobs of a run that have results.
    pub(super) async fn done_jobs(&self, run: &RunName) -> Result<HashSet<Job>, QueueError> {
        let failed = "list jobs";
        let mut subjects =
            self.results.info_with_subjects(run.result_subjects()).await.map_err(self.server_error(failed))?;
        let mut jobs = HashSet::new();
        while let Some((subject, _)) = subjects.try_next().await.map_err(self.server_error(failed))? {
            jobs.extend(job_of(&subject));
        }
        Ok(jobs)
    }

    /// Returns the consumer of the jobs of a run.
    pub(super) async fn job_consumer(&self, run: &RunName) -> Result<jetstream::consumer::PullConsumer, QueueError> {
        self.jobs.get_consumer(&run.0).await.map_err(self.server_error("hand out jobs"))
    }

    /// Adds a job. Returns `false` if it exists.
    pub(super) async fn put_job(&self, run: &RunName, job: Job) -> Result<bool, QueueError> {
        self.put(run.job_subject(job), HeaderMap::new(), Vec::new()).await.map_err(self.server_error("add a job"))
    }

    /// Adds the result of a job. Returns `false` if there is one.
    pub(super) async fn put_result(
        &self,
        run: &RunName,
        job: Job,
        headers: HeaderMap,
        result: Vec<u8>,
    ) -> Result<bool, QueueError> {
        self.put(run.result_subject(job), headers, result).await.map_err(self.server_error("add a result"))
    }

    async fn put(&self, subject: String, headers: HeaderMap, payload: Vec<u8>) -> Result<bool, PublishError> {
        // Sequence 0: the server rejects a second message with this subject.
        let message = PublishMessage::build().headers(headers).payload(payload.into());
        let message = message.expected_last_subject_sequence(0);
        match self.connection.context.send_publish(subject, message).await?.await {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Returns `true` if a job has a result.
    pub(super) async fn has_result(&self, run: &RunName, job: Job) -> Result<bool, QueueError> {
        match self.results.get_last_raw_message_by_subject(&run.result_subject(job)).await {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(false),
            Err(error) => Err(self.server_error("look for a result")(error)),
        }
    }

    /// Withdraws the remaining jobs of a run and deletes its results.
    pub(super) async fn close(&self, run: &RunName) -> Result<(), QueueError> {
        self.runs.purge(&run.0).await.map_err(self.server_error("withdraw the run"))?;
        // Another coordinator may have closed the run.
        let _ = self.jobs.delete_consumer(&run.0).await;
        self.jobs.purge().filter(run.job_subjects()).await.map_err(self.server_error("withdraw jobs"))?;
        self.results.purge().filter(run.result_subjects()).await.map_err(self.server_error("delete results"))?;
        Ok(())
    }
}

/// Returns the stream of the key-value store of runs. (The client's own function fails on servers before 2.10.)
fn runs_stream_config() -> Config {
    Config {
        name: format!("KV_{RUNS}"),
        subjects: vec![format!("$KV.{RUNS}.>")],
        max_messages_per_subject: 1,
        discard: DiscardPolicy::New,
        allow_rollup: true,
        deny_delete: true,
        allow_direct: true,
        ..Config::default()
    }
}
