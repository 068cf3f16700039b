//! Runs over a queue.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use arena::cluster::{Coordinator, RequestArguments, RunRequest, gather_games};
use arena::records::Records;

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
    Ok(queue.coordinator(name, &request()?, out)?.map(Some))
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
    Ok(coordinator.finish("pair", stop, out)?)
}
