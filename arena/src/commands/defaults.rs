//! What matches do where the arguments say nothing, and when they stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context;
use arena::contestant::Budget;
use server::Clock;

/// Exit code of programs that are ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// The budget of a move by milliseconds and nodes: 100 ms if neither is limited.
pub fn budget(time: Option<u64>, nodes: Option<u64>) -> Budget {
    Budget { time: time.map(Duration::from_millis), nodes }.or(Budget::time(Duration::from_millis(100)))
}

/// How long a player may take whose nodes are limited and whose time is not, so that a busy machine
/// does not decide games.
const PATIENCE: Duration = Duration::from_secs(60);

/// The time limits of games between players with these budgets: at least the official ones.
pub fn clock(timeout: Option<u64>, budgets: &[Budget]) -> Clock {
    let official = Clock::default();
    let patience = |budget: &Budget| budget.time.map_or(PATIENCE, |time| 2 * time);
    let default = || budgets.iter().map(patience).fold(official.soft, Duration::max);
    let soft = timeout.map_or_else(default, Duration::from_millis);
    Clock { soft, hard: official.hard.max(2 * soft) }
}

/// How many games to play at the same time if each player has this many threads.
pub fn concurrency(wanted: Option<u16>, threads: usize) -> usize {
    wanted.map_or((num_cpus::get_physical() / threads).max(1), usize::from)
}

/// Something that Ctrl-C sets; once more ends the program at once.
pub fn stop_on_interrupt() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let stop_on_signal = stop.clone();
    let on_signal = move || {
        // Whoever asks again does not want to wait for the moves in progress. What has ended is saved.
        if stop_on_signal.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
    };
    ctrlc::set_handler(on_signal).context("cannot handle Ctrl-C")?;
    Ok(stop)
}
