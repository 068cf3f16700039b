//! Noticing that a server has said nothing for a long time.

use std::time::{Duration, Instant};

use crate::outcome::SessionError;

/// The time since the server was last heard.
pub struct Silence {
    since: Instant,
    /// When the last complete message came.
    message: Instant,
    /// After so long it is not waited for any more, if there is an end to it.
    patience: Option<Duration>,
    is_noticed: bool,
}

/// A silence that is worth a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Silent {
    /// It has become long. This is said once.
    Long(Duration),
    /// It has lasted too long to wait on.
    TooLong(Duration),
}

impl Silence {
    /// Opponents may think for ten seconds, and a server takes a little longer to say so.
    const LONG: Duration = Duration::from_secs(20);

    /// A silence that begins now.
    pub fn new(patience: Option<Duration>) -> Self {
        let now = Instant::now();
        Self { since: now, message: now, patience, is_noticed: false }
    }

    /// A message that is not complete after this many times the patience is as good as silence.
    const SLOWNESS: u32 = 10;

    /// The server has been heard; `is_complete` says whether it has completed a message.
    ///
    /// # Errors
    /// [`SessionError::Silent`] if bytes come, but no complete message for too long.
    pub fn end(&mut self, is_complete: bool) -> Result<(), SessionError> {
        let now = Instant::now();
        let message = if is_complete { now } else { self.message };
        *self = Self { since: now, message, patience: self.patience, is_noticed: false };
        let time = now.saturating_duration_since(message);
        match self.patience {
            Some(patience) if time >= patience * Self::SLOWNESS => {
                Err(SessionError::Silent { time, waits_for: "a message of the server does not end".to_owned() })
            }
            _ => Ok(()),
        }
    }

    /// Waits on, of which a word is said if it has become long, or gives up because it has lasted too long. `waits_for`
    /// is what may be the matter.
    ///
    /// # Errors
    /// [`SessionError::Silent`]
    pub fn endure(&mut self, now: Instant, waits_for: &str) -> Result<(), SessionError> {
        match self.check(now) {
            None => Ok(()),
            Some(Silent::TooLong(time)) => Err(SessionError::Silent { time, waits_for: waits_for.to_owned() }),
            Some(Silent::Long(time)) => {
                match self.patience {
                    None => log::warn!(
                        "nothing heard for {} s: {waits_for}. Waiting without end; --patience would set one",
                        time.as_secs()
                    ),
                    Some(patience) => log::warn!(
                        "nothing heard for {} s: {waits_for}. Giving up after {} s",
                        time.as_secs(),
                        patience.as_secs()
                    ),
                }
                Ok(())
            }
        }
    }

    /// What is to be said of the silence by `now`, if anything.
    fn check(&mut self, now: Instant) -> Option<Silent> {
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
    fn a_long_silence_is_noticed_once() {
        let mut silence = Silence::new(None);
        let (short, long) = (silence.since + Silence::LONG / 2, silence.since + Silence::LONG);
        assert_eq!(silence.check(short), None);
        assert_eq!(silence.check(long), Some(Silent::Long(Silence::LONG)));
        assert_eq!(silence.check(long + 2 * Silence::LONG), None);
        silence.end(true).unwrap();
        assert_eq!(silence.check(silence.since), None);
        assert!(silence.check(long + 2 * Silence::LONG).is_some());
    }

    #[test]
    fn patience_ends_if_it_has_an_end() {
        let patience = 2 * Silence::LONG;
        let mut silence = Silence::new(Some(patience));
        let since = silence.since;
        assert_eq!(silence.check(since + Silence::LONG), Some(Silent::Long(Silence::LONG)));
        assert_eq!(silence.check(since + patience), Some(Silent::TooLong(patience)));
        silence.end(true).unwrap();
        assert_eq!(silence.check(silence.since), None);
        let mut impatient = Silence::new(Some(Silence::LONG / 2));
        let (since, patience) = (impatient.since, Silence::LONG / 2);
        assert_eq!(impatient.check(since + patience / 2), None);
        assert_eq!(impatient.check(since + patience), Some(Silent::TooLong(patience)));
    }
}
