//! Runs over a queue.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use arena::cluster::{Coordinator, RequestArguments, RunRequest, gather_games};
use arena::records::Records;

use super::counted;

/// Opens the queue if one is named; the run is done on this machine otherwise. Returns `None` after a withdrawal.
pub fn open(
    queue: &RequestArguments,
    name: &str,
    request: impl FnOnce() -> anyhow::Result<RunRequest>,
    out: &mut impl Write,
) -> anyhow::Result<Option<Option<Coordinator>>> {
    if !queue.is_given() {
        return Ok(Some(None));
    }
    let coordinator = queue.coordinator(name, &request()?)?;
    if coordinator.is_none() {
        writeln!(out, "Withdrawn.")?;
    }
    Ok(coordinator.map(Some))
}

/// Collects the missing games from workers.
pub fn play(
    coordinator: &mut Coordinator,
    records: &mut Records,
    stop: &AtomicBool,
    mut on_game: impl FnMut(&Records),
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let plan = records.plan().clone();
    // The next round of a Swiss tournament is known after the previous one.
    while !stop.load(Ordering::Relaxed) {
        let left = records.left();
        if left.is_empty() {
            break;
        }
        gather_games(coordinator, &plan, &left, stop, &mut |number, game| {
            let flow = records.take(number, &game)?;
            on_game(records);
            anyhow::Ok(flow)
        })?;
    }
    close(coordinator, !stop.load(Ordering::Relaxed), "pair", stop, out)
}

/// Withdraws a finished run and prints the number of tasks done by each worker.
pub fn close(
    coordinator: &Coordinator,
    is_done: bool,
    thing: &str,
    stop: &AtomicBool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    if is_done {
        coordinator.close(stop)?;
    }
    let workers = coordinator.workers().iter();
    let workers: Vec<String> = workers.map(|(name, &number)| format!("{name} {}", counted(number, thing))).collect();
    if !workers.is_empty() {
        writeln!(out, "Workers: {}", game::printable(&workers.join(", ")))?;
    }
    Ok(())
}
