//! Positions for an opening book, each searched for a long time.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use game::Rules;
use player::bench;
use player::model::Model;

use super::QueueError;
use super::coordinator::Coordinator;
use super::job_type::{Done, JobType, PreparedRun};
use super::names::TaskId;
use super::run::{RunInfo, RunRequest};
use crate::openings::book::{BookRequest, Effort, Line, Searched};

/// Name of the job type in the queue.
const NAME: &str = "book";

impl RunRequest {
    /// Creates the run of the searches that are `wanted` in a season, with this effort, by programs whose search has this
    /// [fingerprint](bench::fingerprint_of_search).
    pub fn of_searches(effort: Effort, rules: Rules, wanted: BookRequest, fingerprint: String) -> Self {
        let BookRequest { plies, others } = wanted;
        let part = format!("{rules}, {plies} plies, {others} others");
        // Numbers can always be written.
        Self::new(NAME, serde_json::to_string(&effort).unwrap_or_default(), &part, fingerprint)
    }
}

fn task_of(line: &Line) -> TaskId {
    TaskId { group: 0, number: line.number() }
}

/// Lets workers search the positions after `lines`, and calls `on_searched` with each result, in any order, until all
/// are searched or `stop` is set.
pub fn gather_searches<E: From<QueueError>>(
    coordinator: &mut Coordinator,
    lines: &[Line],
    stop: &AtomicBool,
    on_searched: &mut dyn FnMut(Searched) -> Result<(), E>,
) -> Result<(), E> {
    let by_task: HashMap<TaskId, &Line> = lines.iter().map(|line| (task_of(line), line)).collect();
    // Texts can always be written.
    let payload = |line: &Line| serde_json::to_vec(line).unwrap_or_default();
    let tasks: Vec<(TaskId, Vec<u8>)> = by_task.iter().map(|(&task, line)| (task, payload(line))).collect();
    coordinator.gather(&tasks, stop, |task, done| match searched(done, by_task.get(&task).copied()) {
        Ok(searched) => on_searched(searched).map(|()| Ok(ControlFlow::Continue(()))),
        Err(reason) => Ok(Err(reason)),
    })
}

/// Reads the search of a position, or returns why it must be repeated.
fn searched(done: &Done, line: Option<&Line>) -> Result<Searched, String> {
    let searched: Searched = serde_json::from_slice(&done.result).map_err(|error| error.to_string())?;
    if line.is_none_or(|line| *line != searched.line) {
        return Err("it is another position".to_owned());
    }
    if searched.moves.is_empty() || searched.next().count() < searched.moves.len() {
        return Err("its moves are not legal".to_owned());
    }
    Ok(searched)
}

/// Searching positions for others.
#[derive(Clone, Copy, Debug)]
pub struct Searches;

impl JobType for Searches {
    fn name(&self) -> &'static str {
        NAME
    }

    fn prepare(&self, info: &RunInfo, text: &str, _: &Path, _: usize) -> Result<PreparedRun, String> {
        let effort: Effort = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let own = bench::fingerprint_of_search(Model::built_in()).map_err(|error| error.to_string())?;
        info.check(&own, &own)?;
        let Effort { nodes, memory } = effort;
        Ok(PreparedRun {
            description: format!("searching positions for a book, {nodes} simulations in {} MiB each", memory >> 20),
            threads: 1,
            executor: Box::new(move || Box::new(move |_, payload, stop| search(effort, payload, stop))),
        })
    }
}

fn search(effort: Effort, payload: &[u8], stop: &AtomicBool) -> Result<Option<Done>, String> {
    let line: Line = serde_json::from_slice(payload).map_err(|error| error.to_string())?;
    // A search always runs to its end, because a shorter search gives another result.
    if stop.load(Ordering::Relaxed) {
        return Ok(None);
    }
    let searched = Searched::search(&line, effort).ok_or("there is no move in a position")?;
    let result = serde_json::to_vec(&searched).map_err(|error| error.to_string())?;
    Ok(Some(Done { result, file: None }))
}
