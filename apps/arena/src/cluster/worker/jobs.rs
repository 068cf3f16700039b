//! Takes the jobs of prepared runs and plays them.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_nats::HeaderMap;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use tokio::task::spawn_blocking;

use super::{JoinedRun, POLL_INTERVAL, RETRY_DELAY, WorkerState};
use crate::cluster::coordinator::WORKER;
use crate::cluster::games;
use crate::cluster::names::{RunName, job_of};
use crate::matches::PairRunner;
use crate::plan::Job;

/// Time to wait for a job before polling for new runs.
const WAIT: Duration = Duration::from_secs(2);

/// Plays jobs. Keeps the contestants of a run for its next job.
pub(super) async fn play_all(shared: &WorkerState, stop: &AtomicBool) {
    let mut runners: HashMap<RunName, PairRunner<'static>> = HashMap::new();
    while !stop.load(Ordering::Relaxed) {
        let runs: Vec<Arc<JoinedRun>> = shared.runs.borrow().values().cloned().collect();
        let open: Vec<Arc<JoinedRun>> =
            runs.into_iter().filter(|run| !run.has_failed_here.load(Ordering::Relaxed)).collect();
        runners.retain(|name, _| open.iter().any(|run| run.name == *name));
        if open.is_empty() {
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        for run in &open {
            let threads = run.plan.threads().min(shared.threads);
            let Ok(_permit) = shared.cores.acquire_many(threads as u32).await else { return };
            if let Some(message) = take(run, WAIT / open.len() as u32).await {
                let runner = runners.remove(&run.name).unwrap_or_default();
                let runner = play(shared, run, &message, runner).await;
                runners.extend(runner.map(|runner| (run.name.clone(), runner)));
                break;
            }
        }
    }
}

/// Takes a job of a run; `None` if there is none within `wait`.
async fn take(run: &JoinedRun, wait: Duration) -> Option<Message> {
    let take = async {
        let mut batch = run.job_consumer.batch().max_messages(1).expires(wait).messages().await.ok()?;
        batch.next().await?.ok()
    };
    let message = tokio::time::timeout(wait + RETRY_DELAY, take).await.ok().flatten();
    if message.is_none() {
        // The server may have refused at once.
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    message
}

/// Plays a job, unless another worker has finished it. Returns the runner for the next job, unless it has failed.
async fn play(
    shared: &WorkerState,
    run: &Arc<JoinedRun>,
    message: &Message,
    mut runner: PairRunner<'static>,
) -> Option<PairRunner<'static>> {
    let Some(job) = job_of(&message.subject) else {
        answer(message, AckKind::Term).await;
        return Some(runner);
    };
    let is_repeated = message.info().is_ok_and(|info| info.delivered > 1);
    // If the query fails, the job is run once more.
    if is_repeated && shared.queue.has_result(&run.name, job).await.unwrap_or(false) {
        answer(message, AckKind::Ack).await;
        return Some(runner);
    }
    let here = run.clone();
    let mut working = spawn_blocking(move || {
        let played = games::play(&here.plan, &mut runner, job, &here.is_over);
        (runner, played)
    });
    let played = loop {
        tokio::select! {
            played = &mut working => break played,
            () = tokio::time::sleep(run.patience / 3) => answer(message, AckKind::Progress).await,
        }
    };
    match played.map_err(|error| error.to_string()) {
        Ok((runner, Ok(Some(result)))) => {
            if deliver(shared, run, job, message, &result).await {
                run.played_pairs.fetch_add(1, Ordering::Relaxed);
            }
            Some(runner)
        }
        Ok((runner, Ok(None))) => {
            // It was stopped; another may begin at once.
            answer(message, AckKind::Nak(None)).await;
            Some(runner)
        }
        Ok((_, Err(reason))) | Err(reason) => {
            answer(message, AckKind::Nak(None)).await;
            if !run.has_failed_here.swap(true, Ordering::Relaxed) {
                shared.reject(&run.name, reason).await;
            }
            None
        }
    }
}

/// Sends a result until the server confirms it. Returns `true` if it counts.
async fn deliver(shared: &WorkerState, run: &JoinedRun, job: Job, message: &Message, result: &[u8]) -> bool {
    let mut headers = HeaderMap::new();
    // A header is one line.
    headers.insert(WORKER, game::printable(&shared.name).to_string());
    loop {
        match shared.queue.put_result(&run.name, job, headers.clone(), result.to_vec()).await {
            Ok(is_new) => {
                answer(message, AckKind::Ack).await;
                return is_new;
            }
            Err(_) if run.is_over.load(Ordering::Relaxed) => return false,
            Err(error) => log::info!("{error}; trying again"),
        }
        tokio::time::sleep(RETRY_DELAY).await;
        answer(message, AckKind::Progress).await;
    }
}

/// Answers the server about a job. If the answer is lost, another worker gets the job and finds the result.
async fn answer(message: &Message, kind: AckKind) {
    if let Err(error) = message.ack_with(kind).await {
        log::info!("{}: {error}", message.subject);
    }
}
