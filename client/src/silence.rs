//! Notices a server that sends nothing for a long time.

use std::time::{Duration, Instant};

use crate::outcome::SessionError;

/// The time since the last bytes of the server.
pub struct Silence {
    since: Instant,
    /// The time of the last complete message.
    message: Instant,
    /// Maximum silence, if there is one.
    patience: Option<Duration>,
    is_reported: bool,
}

impl Silence {
    /// Opponents may think for ten seconds, and a server takes a little longer to end the game.
    const LONG: Duration = Duration::from_secs(20);

    /// Creates a silence that begins now.
    pub fn new(patience: Option<Duration>) -> Self {
        let now = Instant::now();
        Self { since: now, message: now, patience, is_reported: false }
    }

    /// A message that is incomplete after this multiple of the patience counts as silence.
    const SLOWNESS: u32 = 10;

    /// Records that bytes have arrived; `is_complete` is `true` if they complete a message.
    ///
    /// # Errors
    /// [`SessionError::Silent`] if no message has been complete for too long.
    pub fn end(&mut self, is_complete: bool) -> Result<(), SessionError> {
        let now = Instant::now();
        let message = if is_complete { now } else { self.message };
        *self = Self { since: now, message, patience: self.patience, is_reported: false };
        let time = now.saturating_duration_since(message);
        match self.patience {
            Some(patience) if time >= patience * Self::SLOWNESS => {
                Err(SessionError::Silent { time, waits_for: "a message of the server is incomplete".to_owned() })
            }
            _ => Ok(()),
        }
    }

    /// Logs a silence that has become long, with the likely reason `waits_for`.
    ///
    /// # Errors
    /// [`SessionError::Silent`] if the silence exceeds the patience.
    pub fn check(&mut self, now: Instant, waits_for: &str) -> Result<(), SessionError> {
        let time = now.saturating_duration_since(self.since);
        if self.patience.is_some_and(|patience| time >= patience) {
            return Err(SessionError::Silent { time, waits_for: waits_for.to_owned() });
        }
        if !self.is_reported && time >= Self::LONG {
            self.is_reported = true;
            let end = self.patience.map_or("Waiting without limit; --patience sets one".to_owned(), |patience| {
                format!("Giving up after {} s", patience.as_secs())
            });
            log::warn!("the server has been silent for {} s: {waits_for}. {end}", time.as_secs());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_silence_is_reported_once() {
        let mut silence = Silence::new(None);
        for _ in 0..2 {
            let since = silence.since;
            for (time, is_reported) in [(Silence::LONG / 2, false), (Silence::LONG, true), (3 * Silence::LONG, true)] {
                silence.check(since + time, "").unwrap();
                assert_eq!(silence.is_reported, is_reported, "{time:?}");
            }
            silence.end(true).unwrap();
            assert!(!silence.is_reported);
        }
    }
}
