//! Playing by the workers of a queue.

use std::io::Write;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use arena::cluster::{Coordinator, gather_games};
use arena::matches::records::Records;

use super::counted;

/// Lets workers play the missing games.
pub fn play(
    coordinator: &mut Coordinator,
    records: &mut Records,
    stop: &AtomicBool,
    mut on_game: impl FnMut(&Records),
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let plan = records.plan().clone();
    // Every round of a Swiss tournament is known when the one before is over.
    while !stop.load(Ordering::Relaxed) {
        let (left, mut unsaved) = (records.left(), None);
        if left.is_empty() {
            coordinator.close(stop)?;
            break;
        }
        let mut take = |number, game| match records.take(number, &game) {
            Ok(flow) => {
                on_game(records);
                flow
            }
            Err(error) => {
                unsaved = Some(error);
                // The results stay in the queue.
                ControlFlow::Break(())
            }
        };
        gather_games(coordinator, &plan, &left, stop, &mut take)?;
        if let Some(error) = unsaved {
            return Err(error.into());
        }
    }
    write_workers(coordinator, "pair", out)
}

/// Prints the number of tasks done by each worker.
pub fn write_workers(coordinator: &Coordinator, thing: &str, out: &mut impl Write) -> anyhow::Result<()> {
    let workers = coordinator.workers().iter();
    let workers: Vec<String> = workers.map(|(name, &number)| format!("{name} {}", counted(number, thing))).collect();
    if !workers.is_empty() {
        writeln!(out, "Workers: {}", game::printable(&workers.join(", ")))?;
    }
    Ok(())
}
