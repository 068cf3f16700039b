//! Signals that end a program.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Exit code of programs that are ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// Returns a flag that Ctrl-C and SIGTERM set. A second signal ends the program at once; finished games are saved.
///
/// # Errors
/// If a signal handler cannot be installed.
pub fn stop_on_signal() -> io::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // Runs first, so the first signal only sets the flag.
        flag::register_conditional_shutdown(signal, INTERRUPTED, stop.clone())?;
        flag::register(signal, stop.clone())?;
    }
    Ok(stop)
}
