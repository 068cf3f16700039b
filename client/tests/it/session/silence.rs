//! Servers that send nothing or never finish.

use super::*;

/// Sends this and then nothing.
pub struct Silent<'a>(pub &'a [u8]);

impl Read for Silent<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.0.read(buffer)?;
        if length > 0 {
            return Ok(length);
        }
        std::thread::sleep(Duration::from_millis(1));
        Err(io::ErrorKind::WouldBlock.into())
    }
}

#[test]
fn gives_up_after_patience() {
    for (season, join_mode, messages, reason) in [
        (Season::Season2027, JoinMode::Reservation("code".to_owned()), vec![], "not answered the request to join"),
        (Season::Season2021, JoinMode::Any, vec![], "not answered the request to join"),
        (Season::Season2021, JoinMode::Reservation("code".to_owned()), vec![], "when both players have joined"),
        (Season::Season2027, JoinMode::Any, vec![joined()], "the game has not started"),
        (Season::Season2021, JoinMode::Any, vec![joined(), memento(Season::Season2021, 0)], "may be paused"),
    ] {
        let settings = Settings { join_mode, patience: Some(WHILE), ..settings(season) };
        let (outcome, sent) = run(&settings, &mut random(), Silent(xml(season, &messages).as_bytes()));
        let error = outcome.unwrap_err();
        assert!(matches!(error, SessionError::Silent { time, .. } if time >= WHILE), "{error}");
        assert!(error.to_string().contains(reason), "{error}");
        assert_eq!(names(&sent).last(), Some(&season.close_element()));
    }
}

/// Sends this and then its last byte for ever.
struct Dripping<'a>(&'a [u8]);

impl Read for Dripping<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        std::thread::sleep(Duration::from_millis(1));
        let (next, rest) = self.0.split_at(1);
        self.0 = if rest.is_empty() { next } else { rest };
        buffer[0] = next[0];
        Ok(1)
    }
}

#[test]
fn gives_up_on_endless_message() {
    let patience = Duration::from_millis(10);
    let settings = Settings { patience: Some(patience), ..settings(Season::Season2027) };
    let server = format!("{OPENING}<joined roomId='x");
    let error = run(&settings, &mut random(), Dripping(server.as_bytes())).0.unwrap_err();
    assert!(matches!(error, SessionError::Silent { time, .. } if time >= 10 * patience), "{error}");
}
