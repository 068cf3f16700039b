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
    is_noticed: bool,
}

/// A silence to report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Silent {
    /// The silence has become long. Reported once.
    Long(Duration),
    /// The silence has exceeded the patience.
    TooLong(Duration),
}

impl Silence {
    /// Opponents may think for ten seconds, and a server takes a little longer to end the game.
    const LONG: Duration = Duration::from_secs(20);

    /// A silence that begins now.
    pub fn new(patience: Option<Duration>) -> Self {
        let now = Instant::now();
        Self { since: now, message: now, patience, is_noticed: false }
    }

    /// A message that is incomplete after this multiple of the patience counts as silence.
    const SLOWNESS: u32 = 10;

    /// Bytes have arrived; `is_complete` tells whether they completed a message.
    ///
    /// # Errors
    /// [`SessionError::Silent`] if no message has been complete for too long.
    pub fn end(&mut self, is_complete: bool) -> Result<(), SessionError> {
        let now = Instant::now();
        let message = if is_complete { now } else { self.message };
        *self = Self { since: now, message, patience: self.patience, is_noticed: false };
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
        match self.state(now) {
            None => Ok(()),
            Some(Silent::TooLong(time)) => Err(SessionError::Silent { time, waits_for: waits_for.to_owned() }),
            Some(Silent::Long(time)) => {
                match self.patience {
                    None => log::warn!(
                        "the server has been silent for {} s: {waits_for}. Waiting without limit; --patience sets one",
                        time.as_secs()
                    ),
                    Some(patience) => log::warn!(
                        "the server has been silent for {} s: {waits_for}. Giving up after {} s",
                        time.as_secs(),
                        patience.as_secs()
                    ),
                }
                Ok(())
            }
        }
    }

    /// The silence to report at `now`, if any.
    fn state(&mut self, now: Instant) -> Option<Silent> {
        let time = now.saturating_duration_since(self.since);
        if self.patience.is_some_and(|patience| time >= patience) {
            return Some(Silent::TooLong(time));
        }
        if self.is_noticed || time < Self::LONG {
            return None;
        }
        self.is_noticed = true;
        Some(Silent::Long(time))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_silence_is_reported_once() {
        let mut silence = Silence::new(None);
        let (short, long) = (silence.since + Silence::LONG / 2, silence.since + Silence::LONG);
        assert_eq!(silence.state(short), None);
        assert_eq!(silence.state(long), Some(Silent::Long(Silence::LONG)));
        assert_eq!(silence.state(long + 2 * Silence::LONG), None);
        silence.end(true).unwrap();
        assert_eq!(silence.state(silence.since), None);
        assert!(silence.state(long + 2 * Silence::LONG).is_some());
    }

    #[test]
    fn silence_exceeds_patience() {
        let patience = 2 * Silence::LONG;
        let mut silence = Silence::new(Some(patience));
        let since = silence.since;
        assert_eq!(silence.state(since + Silence::LONG), Some(Silent::Long(Silence::LONG)));
        assert_eq!(silence.state(since + patience), Some(Silent::TooLong(patience)));
        silence.end(true).unwrap();
        assert_eq!(silence.state(silence.since), None);
        let mut impatient = Silence::new(Some(Silence::LONG / 2));
        let (since, patience) = (impatient.since, Silence::LONG / 2);
        assert_eq!(impatient.state(since + patience / 2), None);
        assert_eq!(impatient.state(since + patience), Some(Silent::TooLong(patience)));
    }
}
