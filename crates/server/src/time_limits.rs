//! The time limits of players.

use std::time::Duration;

/// The time limits of players.
///
/// ```
/// use server::TimeLimits;
///
/// assert_eq!(TimeLimits::default().soft.as_secs(), 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeLimits {
    /// A later answer loses.
    pub soft: Duration,
    /// The server waits for an answer this long.
    pub hard: Duration,
}

impl Default for TimeLimits {
    /// Creates the limits of the official server: 2 s and 10 s.
    fn default() -> Self {
        Self { soft: Duration::from_secs(2), hard: Duration::from_secs(10) }
    }
}
