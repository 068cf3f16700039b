//! Noticing that a server has said nothing for a long time.

use std::time::{Duration, Instant};

/// The time since the server was last heard.
pub struct Silence {
    since: Instant,
    noticed: bool,
}

impl Silence {
    /// Opponents may think for ten seconds, and a server takes a little longer to say so.
    const LONG: Duration = Duration::from_secs(20);

    /// A silence that begins now.
    pub fn new() -> Self {
        Self { since: Instant::now(), noticed: false }
    }

    /// The server has been heard.
    pub fn end(&mut self) {
        *self = Self::new();
    }

    /// How long the silence has lasted, if it is long and this is noticed for the first time.
    pub fn has_become_long(&mut self, now: Instant) -> Option<Duration> {
        let time = now.saturating_duration_since(self.since);
        if self.noticed || time < Self::LONG {
            return None;
        }
        self.noticed = true;
        Some(time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_silence_is_noticed_once() {
        let mut silence = Silence::new();
        let (short, long) = (silence.since + Silence::LONG / 2, silence.since + Silence::LONG);
        assert_eq!(silence.has_become_long(short), None);
        assert_eq!(silence.has_become_long(long), Some(Silence::LONG));
        assert_eq!(silence.has_become_long(long + 2 * Silence::LONG), None);
        silence.end();
        assert_eq!(silence.has_become_long(silence.since), None);
        assert!(silence.has_become_long(long + 2 * Silence::LONG).is_some());
    }
}
