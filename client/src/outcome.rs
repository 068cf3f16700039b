//! How a session ends.

use std::fmt;

use game::Team;
use protocol::GameResult;
use thiserror::Error;

/// How a game ended for the client.
///
/// ```
/// use client::Outcome;
///
/// assert_eq!(Outcome { team: None, result: None }.to_string(), "the game was cancelled");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The team that the client played, if the server told.
    pub team: Option<Team>,
    /// The result; `None` if the game was cancelled without one.
    pub result: Option<GameResult>,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(result) = &self.result else { return f.write_str("the game was cancelled") };
        let how = match (self.team, result.winner()) {
            (_, None) => "drawn".to_owned(),
            (None, Some(winner)) => format!("won by team {winner}"),
            (Some(team), Some(winner)) => if team == winner { "won" } else { "lost" }.to_owned(),
        };
        let [one, two] = &result.scores;
        write!(f, "{how}, {} : {} points", one.points, two.points)?;
        let reasons = [&result.reason, &one.reason, &two.reason];
        reasons.into_iter().filter(|reason| !reason.is_empty()).try_for_each(|reason| write!(f, ". {reason}"))
    }
}

/// Why a game could not be played to its end.
///
/// ```
/// let error = client::SessionError::Rejected("used up".to_owned());
/// assert!(error.to_string().contains("did not let this client in: used up"));
/// ```
#[derive(Debug, Error)]
pub enum SessionError {
    /// The server did not let the client in.
    #[error("the server did not let this client in: {0}. --reservation, --room and --season say what to join")]
    Rejected(String),
    /// The connection ended before the game did.
    #[error(
        "the connection was lost before the game ended: {0}. \
         Servers close it without a word when they cannot read a message; -vvv shows what was sent"
    )]
    ConnectionLost(String),
    /// The server sent something that cannot be understood.
    #[error("the server does not speak the protocol: {0}. Is this host and port a Software-Challenge game server?")]
    Protocol(String),
}
