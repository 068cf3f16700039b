//! Ctrl-C and signals that end the program.

use std::io;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::exit::Exit;

/// Returns a flag that Ctrl-C, SIGTERM and SIGHUP set, so that [`play`](crate::play) gives its game up. The second
/// signal ends the program at once.
///
/// # Errors
/// If the signals cannot be handled, or already are.
///
/// ```
/// use std::sync::atomic::Ordering;
///
/// let stop = client::interrupt::stop_on_signal()?;
/// assert!(!stop.load(Ordering::Relaxed));
/// assert!(client::interrupt::stop_on_signal().is_err(), "once is enough");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn stop_on_signal() -> io::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let stop_on_signal = stop.clone();
    let on_signal = move || {
        if stop_on_signal.swap(true, Ordering::Relaxed) {
            process::exit(Exit::Stopped as i32);
        }
        log::warn!("stopped by a signal: giving up the game");
    };
    ctrlc::set_handler(on_signal).map_err(|error| io::Error::other(format!("cannot handle Ctrl-C: {error}")))?;
    Ok(stop)
}
