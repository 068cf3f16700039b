//! Notices that this process was paused, for example by SIGSTOP or a batch system.

use std::sync::{LazyLock, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::lock::lock;

/// Interval of the heartbeat.
const INTERVAL: Duration = Duration::from_millis(100);

/// Delay of a heartbeat that means a pause.
const PAUSE: Duration = Duration::from_secs(1);

static HEART: LazyLock<Mutex<Heart>> = LazyLock::new(|| {
    // The heartbeat runs for the life of the process.
    thread::spawn(|| {
        loop {
            thread::sleep(INTERVAL);
            count();
        }
    });
    Mutex::new(Heart { last: Instant::now(), pauses: 0 })
});

struct Heart {
    last: Instant,
    pauses: u64,
}

/// Returns the number of pauses of this process since the first call.
pub(crate) fn count() -> u64 {
    let mut heart = lock(&HEART);
    let now = Instant::now();
    heart.pauses += u64::from(now.duration_since(heart.last) >= PAUSE);
    heart.last = now;
    heart.pauses
}
