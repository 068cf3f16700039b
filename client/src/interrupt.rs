//! Ctrl-C, and signals that ask the program to end.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

use crate::exit::Exit;

/// Something that Ctrl-C and the signals SIGTERM and SIGHUP set, for [`play`](crate::play) to give its game up. Whoever
/// asks twice does not want to wait for the player: then the program ends at once.
///
/// # Errors
/// If the signals cannot be handled, or are already.
///
/// ```
/// use std::sync::atomic::Ordering;
///
/// let stop = client::interrupt::stop_on_signal()?;
/// assert!(!stop.load(Ordering::Relaxed));
/// assert!(client::interrupt::stop_on_signal().is_err(), "once is enough");
/// # Ok::<(), anyhow::Error>(())
/// ```
pub fn stop_on_signal() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let stop_on_signal = stop.clone();
    let on_signal = move || {
        if stop_on_signal.swap(true, Ordering::Relaxed) {
            process::exit(Exit::Stopped as i32);
        }
        log::warn!("told to stop: giving the game up");
    };
    ctrlc::set_handler(on_signal).context("cannot handle Ctrl-C")?;
    Ok(stop)
}
