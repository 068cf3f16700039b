//! Follows the published runs of a queue and prepares them.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use async_nats::jetstream::kv::{Entry, Operation};
use futures_util::StreamExt;
use tokio::task::spawn_blocking;

use super::{JoinedRun, POLL_INTERVAL, RETRY_DELAY, WorkerState};
use crate::cluster::QueueError;
use crate::cluster::files::write_program;
use crate::cluster::games;
use crate::cluster::names::RunName;
use crate::cluster::run::RunInfo;
use crate::cluster::server::Queue;
use crate::plan::file;

/// Follows published and withdrawn runs.
pub(super) async fn watch(shared: &WorkerState, stop: &AtomicBool) {
    // Rejected runs are checked again only after a change.
    let mut rejected: HashMap<RunName, Vec<u8>> = HashMap::new();
    while !stop.load(Ordering::Relaxed) {
        let connection_count = shared.queue.connection_count();
        match shared.queue.runs.watch_with_history(">").await {
            Ok(mut entries) => {
                while !stop.load(Ordering::Relaxed) && shared.queue.connection_count() == connection_count {
                    match tokio::time::timeout(POLL_INTERVAL, entries.next()).await {
                        Err(_) => {}
                        Ok(Some(Ok(entry))) => handle_entry(shared, stop, &entry, &mut rejected).await,
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
        tokio::time::sleep(RETRY_DELAY).await;
    }
}

/// Prepares a published run or drops a withdrawn one. Remembers `rejected` runs by name.
async fn handle_entry(
    shared: &WorkerState,
    stop: &AtomicBool,
    entry: &Entry,
    rejected: &mut HashMap<RunName, Vec<u8>>,
) {
    let name = RunName(entry.key.clone());
    if entry.operation != Operation::Put {
        rejected.remove(&name);
        if let Some(run) = shared.runs.borrow_mut().remove(&name) {
            run.is_over.store(true, Ordering::Relaxed);
        }
        return;
    }
    let is_known =
        shared.runs.borrow().contains_key(&name) || rejected.get(&name).is_some_and(|value| *value == entry.value);
    if is_known {
        return;
    }
    match prepare_with_retries(shared, stop, &name, &entry.value).await {
        None => {}
        Some(Ok(run)) => {
            let names: Vec<&str> = run.plan.contestants.iter().map(|entrant| &*entrant.name).collect();
            shared.report(format!("{}: playing {}", name.0, names.join(" - ")));
            shared.runs.borrow_mut().insert(name, Arc::new(run));
        }
        Some(Err(reason)) => {
            shared.reject(&name, reason).await;
            rejected.insert(name, entry.value.to_vec());
        }
    }
}

/// Prepares a run; waits while the queue server fails. Returns why this worker rejects it, or `None` if the run was
/// withdrawn or the worker is stopped meanwhile.
async fn prepare_with_retries(
    shared: &WorkerState,
    stop: &AtomicBool,
    name: &RunName,
    info: &[u8],
) -> Option<Result<JoinedRun, String>> {
    loop {
        match prepare(shared, name, info).await {
            Err(error) if error.is_transient() => {
                log::info!("{error}; trying again");
                tokio::time::sleep(RETRY_DELAY).await;
                if stop.load(Ordering::Relaxed) {
                    return None;
                }
                if let Ok(None) = shared.queue.runs.get(&name.0).await {
                    return None;
                }
            }
            prepared => return Some(prepared.map_err(|error| error.to_string())),
        }
    }
}

/// Prepares a run, or returns why this worker rejects it.
async fn prepare(shared: &WorkerState, name: &RunName, info: &[u8]) -> Result<JoinedRun, QueueError> {
    let info = RunInfo::read(info)?;
    let folder = tempfile::tempdir().map_err(QueueError::io("make a folder for files"))?;
    let text = fetch_plan(&info, &shared.queue, folder.path()).await?;
    let (patience, allowed) = (info.patience(), shared.allowed.clone());
    let prepared =
        spawn_blocking(move || games::prepare(&info, &text, folder.path(), &allowed).map(|plan| (plan, folder)));
    let prepared = prepared.await.map_err(|error| QueueError::unusable("a run", error))?;
    let (plan, folder) = prepared.map_err(QueueError::Other)?;
    Ok(JoinedRun {
        job_consumer: shared.queue.job_consumer(name).await?,
        name: name.clone(),
        plan,
        patience,
        is_over: AtomicBool::new(false),
        has_failed_here: AtomicBool::new(false),
        played_pairs: AtomicU64::new(0),
        lines: shared.lines.clone(),
        _folder: folder,
    })
}

/// Fetches the text of a plan, and its files into `folder`.
async fn fetch_plan(info: &RunInfo, queue: &Queue, folder: &Path) -> Result<String, QueueError> {
    let text = String::from_utf8(queue.file(&info.plan).await?);
    let text = text.map_err(|error| QueueError::unusable("a run", error))?;
    for name in file::files(&text)? {
        // Rejects names that are not plain file names of the queue, such as paths.
        let bytes = queue.file(&name).await?;
        write_program(&folder.join(&name), &bytes).map_err(QueueError::io("store a file of a run"))?;
    }
    Ok(text)
}
