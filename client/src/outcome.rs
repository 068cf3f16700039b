//! The outcome of a session.

use std::fmt;
use std::io;
use std::time::Duration;

use game::{Team, printable};
use protocol::GameResult;
use thiserror::Error;

/// The outcome of a game for the client.
///
/// ```
/// use client::GameOutcome;
///
/// assert_eq!(GameOutcome { team: None, result: None }.to_string(), "the game ended without a result");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameOutcome {
    /// The client's team, if the server named it.
    pub team: Option<Team>,
    /// The result; `None` if the game was cancelled or its result could not be read.
    pub result: Option<GameResult>,
}

impl fmt::Display for GameOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(result) = &self.result else { return f.write_str("the game ended without a result") };
        let how = match (self.team, result.winner()) {
            (_, None) => "drawn".to_owned(),
            (None, Some(winner)) => format!("won by team {winner}"),
            (Some(team), Some(winner)) => if team == winner { "won" } else { "lost" }.to_owned(),
        };
        let [one, two] = &result.scores;
        // Its own points first.
        let (first, second) = if self.team == Some(Team::Two) { (two, one) } else { (one, two) };
        write!(f, "{how}, {} : {} points", first.points, second.points)?;
        // Servers speak German.
        let reasons: Vec<String> = [&result.reason, &one.reason, &two.reason]
            .into_iter()
            .filter(|reason| !reason.is_empty())
            .map(sentence)
            .collect();
        if reasons.is_empty() { Ok(()) } else { write!(f, ". The server says: {}", reasons.join(" ")) }
    }
}

/// Returns a text of others as a sentence on one line with one full stop.
fn sentence(text: impl AsRef<str>) -> String {
    let text = text.as_ref().trim_end_matches(|letter: char| letter == '.' || letter.is_whitespace());
    printable(text) + if text.ends_with(['!', '?']) { "" } else { "." }
}

/// The reason why a game did not come to its end.
///
/// ```
/// let error = client::SessionError::Rejected("used up.".to_owned());
/// assert_eq!(error.to_string(), "the server did not let this client in: used up.");
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SessionError {
    /// The server did not let the client in.
    #[error("the server did not let this client in: {}", sentence(.0))]
    Rejected(String),
    /// The connection ended before the game did.
    #[error("the connection was lost before the game ended: {}", sentence(.0))]
    ConnectionLost(String),
    /// The server sent an unreadable message.
    #[error(
        "the server does not speak the protocol: {} Is this host and port a Software-Challenge game server?",
        sentence(.0)
    )]
    Protocol(String),
    /// The server was silent for too long.
    #[error("gave up after {} s of silence: {}", .time.as_secs(), sentence(.waits_for))]
    Silent {
        /// The duration of the silence.
        time: Duration,
        /// The likely reason.
        waits_for: String,
    },
    /// The system cannot start the player's thread.
    #[error("cannot start the player's thread: {0}")]
    NoThread(io::Error),
    /// The client was told to stop.
    #[error("stopped on request; gave up the game")]
    Stopped,
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{Cause, Score};

    #[test]
    fn quoted_sentence_has_one_full_stop() {
        let mut score = Score::new(Cause::Regular, 0, 1);
        score.reason = "Too late.".to_owned();
        let result = GameResult {
            scores: [score.clone(), score],
            is_lone: false,
            winners: vec![],
            regular: false,
            reason: "Why?".to_owned(),
        };
        let outcome = GameOutcome { team: None, result: Some(result) };
        assert_eq!(outcome.to_string(), "drawn, 1 : 1 points. The server says: Why? Too late. Too late.");
        for text in ["used up", "used up.", "used up..", "used up. "] {
            for error in [
                SessionError::Rejected(text.to_owned()),
                SessionError::ConnectionLost(text.to_owned()),
                SessionError::Protocol(text.to_owned()),
            ] {
                let text = error.to_string();
                assert!(text.contains(": used up.") && !text.contains(".."), "{text}");
            }
        }
    }
}
