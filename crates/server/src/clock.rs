//! How long a player may think.

use std::time::Duration;

/// When a player loses for being slow.
///
/// ```
/// use server::Clock;
///
/// assert_eq!(Clock::default().soft.as_secs(), 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// An answer later than this loses.
    pub soft: Duration,
    /// Nobody waits for an answer longer than this.
    pub hard: Duration,
}

impl Default for Clock {
    /// The clock of the official server: 2 s and 10 s.
    fn default() -> Self {
        Self { soft: Duration::from_secs(2), hard: Duration::from_secs(10) }
    }
}
