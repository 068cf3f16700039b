//! The exit codes of the program.

use std::error::Error;
use std::process::ExitCode;

use player::ParamError;
use player::experience::ExperienceError;
use player::model::ModelError;

use crate::connection::ConnectError;
use crate::outcome::SessionError;

/// An exit code.
///
/// ```
/// use client::exit::Exit;
///
/// let error = client::SessionError::Protocol("it speaks HTTP".to_owned());
/// assert_eq!(Exit::of_error(&error), Exit::Protocol);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
#[repr(u8)]
pub enum Exit {
    /// The game is over.
    Finished = 0,
    /// For example the log file cannot be written.
    Failure = 1,
    /// The arguments are invalid.
    Usage = 2,
    /// There is no server.
    NotConnected = 3,
    /// The server does not know the reservation, the room or the kind of game.
    Rejected = 4,
    /// The server closed the connection, or the network did.
    ConnectionLost = 5,
    /// The server sent an unreadable message.
    Protocol = 6,
    /// The server was silent for too long.
    Silent = 7,
    /// Ctrl-C or a signal ended the program; shells use this code for Ctrl-C.
    Stopped = 130,
}

impl Exit {
    /// All exit codes with their meanings.
    const MEANINGS: [(Self, &str); 9] = [
        (Self::Finished, "the game is over, won or lost"),
        (Self::Failure, "something else went wrong"),
        (Self::Usage, "wrong arguments"),
        (Self::NotConnected, "no connection to the server"),
        (Self::Rejected, "the server did not let this client in"),
        (Self::ConnectionLost, "the connection ended before the game"),
        (Self::Protocol, "the server does not speak the protocol"),
        (Self::Silent, "the server was silent for longer than --patience"),
        (Self::Stopped, "stopped by Ctrl-C or a signal; gave up the game"),
    ];

    /// Returns the list of exit codes for the help text.
    pub(crate) fn help() -> String {
        let lines = Self::MEANINGS.map(|(exit, meaning)| format!("\n{:>5}  {meaning}", exit as u8));
        format!("Exit codes:{}", lines.concat())
    }

    /// Returns the exit code of an error of this crate or of a player; `Failure` for others.
    pub fn of_error(error: &(dyn Error + 'static)) -> Self {
        if error.is::<ConnectError>() {
            return Self::NotConnected;
        }
        if error.is::<ParamError>() || error.is::<ModelError>() || error.is::<ExperienceError>() {
            return Self::Usage;
        }
        match error.downcast_ref() {
            Some(SessionError::Rejected(_)) => Self::Rejected,
            Some(SessionError::ConnectionLost(_)) => Self::ConnectionLost,
            Some(SessionError::Protocol(_)) => Self::Protocol,
            Some(SessionError::Silent { .. }) => Self::Silent,
            Some(SessionError::Stopped) => Self::Stopped,
            Some(SessionError::NoThread(_)) | None => Self::Failure,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
