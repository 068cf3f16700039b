//! When programs stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code of programs that are ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// Something that Ctrl-C sets; once more ends the program at once.
///
/// # Errors
/// If the system does not let it be handled, or something else handles it already.
pub fn stop_on_interrupt() -> Result<Arc<AtomicBool>, ctrlc::Error> {
    let stop = Arc::new(AtomicBool::new(false));
    let stop_on_signal = stop.clone();
    let on_signal = move || {
        // Whoever asks again does not want to wait for the moves in progress. What has ended is saved.
        if stop_on_signal.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
    };
    ctrlc::set_handler(on_signal)?;
    Ok(stop)
}
