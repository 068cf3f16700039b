//! Searches for a book by the workers of a queue.

use std::collections::HashMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use arena::cluster::{Coordinator, RequestArguments, RunRequest, gather_searches};
use arena::openings::book::{BookRequest, Claim, Effort, Line, Searched};
use game::Rules;
use player::bench;
use player::model::Model;

use super::super::cluster::write_workers;

/// Gets an order of such searches ready; `None` if it was withdrawn instead.
pub fn coordinator(
    queue: &RequestArguments,
    effort: Effort,
    rules: Rules,
    wanted: BookRequest,
) -> anyhow::Result<Option<Coordinator>> {
    let request = RunRequest::of_searches(effort, rules, wanted, bench::fingerprint_of_search(Model::built_in())?);
    Ok(queue.coordinator("arena book search", &request)?)
}

/// Lets workers search, until all is done or `stop` is set.
pub fn search(
    coordinator: &mut Coordinator,
    claimed: Vec<(Line, Claim)>,
    stop: &AtomicBool,
    keep: &mut dyn FnMut(Claim, Searched) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let lines: Vec<Line> = claimed.iter().map(|(line, _)| line.clone()).collect();
    let mut claims: HashMap<u64, Claim> = claimed.into_iter().map(|(line, claim)| (line.number(), claim)).collect();
    let mut unsaved = None;
    gather_searches(coordinator, &lines, stop, &mut |searched| {
        // Each result comes once.
        let kept = claims.remove(&searched.line.number()).map_or(Ok(()), |claim| keep(claim, searched));
        match kept {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                unsaved = Some(error);
                // The results stay in the queue.
                ControlFlow::Break(())
            }
        }
    })?;
    unsaved.map_or(Ok(()), Err)
}

/// Withdraws the order if all is done, and says who has searched.
pub fn end(coordinator: &Coordinator, stop: &AtomicBool, out: &mut impl Write) -> anyhow::Result<()> {
    if !stop.load(Ordering::Relaxed) {
        coordinator.close(stop)?;
    }
    write_workers(coordinator, "position", out)
}
