//! Follows the published runs of a queue and prepares them.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};

use async_nats::jetstream::kv::{Entry, Operation};
use futures_util::StreamExt;
use tokio::task::spawn_blocking;

use super::super::QueueError;
use super::super::files::write_program;
use super::super::games::PreparedPlan;
use super::super::names::RunName;
use super::super::run::RunInfo;
use super::super::server::Queue;
use super::{PAUSE, POLL, Run, Shared};
use crate::plan::file;
use crate::scratch::Scratch;

/// Follows published and withdrawn runs.
pub(super) async fn watch(shared: Arc<Shared>) {
    // Rejected runs are checked again only after a change.
    let mut refused: HashMap<RunName, Vec<u8>> = HashMap::new();
    while !shared.should_stop() {
        let connects = shared.queue.connects();
        match shared.queue.runs.watch_with_history(">").await {
            Ok(mut entries) => {
                while !shared.should_stop() && shared.queue.connects() == connects {
                    match tokio::time::timeout(POLL, entries.next()).await {
                        Err(_) => {}
                        Ok(Some(Ok(entry))) => consider(&shared, &entry, &mut refused).await,
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

async fn consider(shared: &Shared, entry: &Entry, refused: &mut HashMap<RunName, Vec<u8>>) {
    let name = RunName(entry.key.clone());
    if entry.operation != Operation::Put {
        refused.remove(&name);
        shared.end(&name);
        return;
    }
    let is_known = shared.runs().contains_key(&name) || refused.get(&name).is_some_and(|value| *value == entry.value);
    if is_known {
        return;
    }
    match shared.busy(prepare(shared, &name, &entry.value)).await {
        None => {}
        Some(Ok(run)) => {
            shared.report(format!("{}: {}", name.0, run.plan.description));
            shared.runs().insert(name, Arc::new(run));
        }
        Some(Err(reason)) => {
            shared.refuse(&name, reason).await;
            refused.insert(name, entry.value.to_vec());
        }
    }
}

/// Prepares a run or logs why this worker rejects it. Returns `None` if the run was withdrawn meanwhile.
async fn prepare(shared: &Shared, name: &RunName, info: &[u8]) -> Option<Result<Run, String>> {
    loop {
        match try_to_prepare(shared, name, info).await {
            Err(error) if error.may_pass() && !shared.should_stop() => {
                log::info!("{error}; trying again");
                tokio::time::sleep(PAUSE).await;
                if let Ok(None) = shared.queue.runs.get(&name.0).await {
                    return None;
                }
            }
            prepared => return Some(prepared.map_err(|error| error.to_string())),
        }
    }
}

/// Prepares a run, or returns why this worker refuses it.
async fn try_to_prepare(shared: &Shared, name: &RunName, info: &[u8]) -> Result<Run, QueueError> {
    let info = RunInfo::read(info)?;
    let folder = Scratch::new().map_err(QueueError::machine("make a folder for files"))?;
    let text = fetch(&info, &shared.queue, folder.path()).await?;
    let (patience, allowed) = (info.patience(), shared.allowed.clone());
    let prepared =
        spawn_blocking(move || PreparedPlan::new(&info, &text, folder.path(), &allowed).map(|plan| (plan, folder)));
    let prepared = prepared.await.map_err(|error| QueueError::unusable("a run", error))?;
    let (plan, folder) = prepared.map_err(QueueError::Other)?;
    Ok(Run {
        work: shared.queue.work(name).await?,
        name: name.clone(),
        plan,
        patience,
        over: AtomicBool::new(false),
        is_given_up: AtomicBool::new(false),
        jobs: AtomicU64::new(0),
        lines: shared.lines.clone(),
        _folder: folder,
    })
}

/// Fetches the text of a plan, and its files into `folder`.
async fn fetch(info: &RunInfo, queue: &Queue, folder: &Path) -> Result<String, QueueError> {
    let text = String::from_utf8(queue.file(&info.plan).await?);
    let text = text.map_err(|error| QueueError::unusable("a run", error))?;
    for name in file::files(&text)? {
        // Rejects names that are not plain file names of the queue, such as paths.
        let bytes = queue.file(&name).await?;
        write_program(&folder.join(&name), &bytes).map_err(QueueError::machine("store a file of a run"))?;
    }
    Ok(text)
}
