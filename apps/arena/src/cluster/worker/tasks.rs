//! Takes the tasks of prepared runs and runs them.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use async_nats::HeaderMap;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use tokio::task::spawn_blocking;

use super::super::QueueError;
use super::super::coordinator::{FILE, PAYLOAD, WORKER, payload_name};
use super::super::files;
use super::super::job_type::{Done, Executor};
use super::super::names::{RunName, TaskId};
use super::{PAUSE, POLL, Run, Shared};

/// Time to wait for a task before polling for new runs.
const WAIT: Duration = Duration::from_secs(2);

/// Runs one task after another.
pub(super) async fn run_all(shared: Arc<Shared>) {
    let mut executors: HashMap<RunName, Executor> = HashMap::new();
    while !shared.should_stop() {
        let runs: Vec<Arc<Run>> = shared.runs().values().cloned().collect();
        let open: Vec<Arc<Run>> = runs.into_iter().filter(|run| !run.is_given_up.load(Ordering::Relaxed)).collect();
        executors.retain(|name, _| open.iter().any(|run| run.name == *name));
        if open.is_empty() {
            tokio::time::sleep(POLL).await;
        }
        for run in &open {
            let threads = run.prepared.threads.min(shared.threads);
            let Ok(_permit) = shared.cores.acquire_many(threads as u32).await else { return };
            if let Some(message) = take(run, WAIT / open.len() as u32).await {
                let executor = executors.remove(&run.name).unwrap_or_else(|| (run.prepared.executor)());
                let executor = shared.busy(run_task(&shared, run, &message, executor)).await;
                executors.extend(executor.map(|executor| (run.name.clone(), executor)));
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
async fn run_task(shared: &Shared, run: &Arc<Run>, message: &Message, mut executor: Executor) -> Option<Executor> {
    let Some(task) = TaskId::of_subject(&message.subject) else {
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
        let done = executor(task, &payload, &here.over);
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

/// Sends a result until the server confirms it. Returns `true` if it counts.
async fn deliver(shared: &Shared, run: &Run, task: TaskId, message: &Message, done: Done) -> bool {
    loop {
        match send_result(shared, run, task, message, &done).await {
            Ok(is_new) => {
                answer(message, AckKind::Ack).await;
                return is_new;
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
) -> Result<bool, QueueError> {
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
