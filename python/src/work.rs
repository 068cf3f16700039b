//! Long work without the interpreter's lock, interruptible by Ctrl-C, and its limits.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

use crate::error::value_error;

/// Interval at which Ctrl-C is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Runs `work` without the interpreter's lock. Ctrl-C sets the flag that `work` gets, and the result is the exception.
pub fn interruptible<T: Send>(py: Python<'_>, work: impl FnOnce(&AtomicBool) -> T + Send) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    let run = || {
        thread::scope(|scope| {
            let (done, wait) = channel::<()>();
            let stop = &stop;
            let worker = scope.spawn(move || {
                // Dropped at the end, which wakes the waiting thread.
                let _done = done;
                work(stop)
            });
            let mut interrupted = Ok(());
            while interrupted.is_ok() && wait.recv_timeout(POLL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                interrupted = Python::attach(|py| py.check_signals());
            }
            stop.store(interrupted.is_err(), Ordering::Relaxed);
            let result = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            interrupted.map(|()| result)
        })
    };
    py.detach(run)
}

/// Converts seconds.
pub fn seconds(number: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(number).map_err(|_| value_error(format!("{number} is not a number of seconds")))
}

/// Converts MiB to bytes.
pub fn bytes(memory: usize) -> PyResult<usize> {
    memory.checked_mul(1 << 20).ok_or_else(|| value_error(format!("{memory} MiB are too much memory")))
}
