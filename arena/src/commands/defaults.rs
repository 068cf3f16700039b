//! How many games are played at a time where the arguments say nothing, and when they stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

/// Exit code of programs that are ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

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
