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

impl Heart {
    fn beat(&mut self, now: Instant) {
        self.pauses += u64::from(now.duration_since(self.last) >= PAUSE);
        self.last = now;
    }
}

/// Returns the number of pauses of this process since the first call.
pub(crate) fn count() -> u64 {
    let mut heart = lock(&HEART);
    heart.beat(Instant::now());
    heart.pauses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_heartbeats_are_pauses() {
        let start = Instant::now();
        let mut heart = Heart { last: start, pauses: 0 };
        for (seconds, pauses) in [(0.1, 0), (1.0, 0), (2.5, 1), (2.6, 1), (70.0, 2)] {
            heart.beat(start + Duration::from_secs_f64(seconds));
            assert_eq!(heart.pauses, pauses, "after {seconds} s");
        }
    }
}
