//! Cancellation by signals.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code of programs that are ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// Returns a flag that Ctrl-C sets. A second Ctrl-C ends the program at once.
pub fn stop_on_interrupt() -> Result<Arc<AtomicBool>, ctrlc::Error> {
    let stop = Arc::new(AtomicBool::new(false));
    let stop_on_signal = stop.clone();
    ctrlc::set_handler(move || set_or_exit(&stop_on_signal))?;
    Ok(stop)
}

/// Returns a flag that SIGINT and SIGTERM set. Must be called before any thread is started.
#[cfg(unix)]
pub fn stop_on_signal() -> Result<Arc<AtomicBool>, nix::Error> {
    use nix::sys::signal::{SigSet, Signal};
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGINT);
    signals.add(Signal::SIGTERM);
    // Later threads block them, too.
    signals.thread_block()?;
    let stop = Arc::new(AtomicBool::new(false));
    let stop_on_signal = stop.clone();
    std::thread::spawn(move || {
        while signals.wait().is_ok() {
            set_or_exit(&stop_on_signal);
        }
    });
    Ok(stop)
}

/// The same as [`stop_on_interrupt`].
#[cfg(not(unix))]
pub fn stop_on_signal() -> Result<Arc<AtomicBool>, ctrlc::Error> {
    stop_on_interrupt()
}

/// A second interrupt ends the program at once. Finished games are saved.
fn set_or_exit(stop: &AtomicBool) {
    if stop.swap(true, Ordering::Relaxed) {
        std::process::exit(INTERRUPTED);
    }
}
