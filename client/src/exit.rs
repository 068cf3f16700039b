//! How the program ends.

use crate::connection::ConnectError;
use crate::session::SessionError;

/// The exit codes of the program. `2`, wrong arguments, is given by the parser of the arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Exit {
    /// The game is over, won or lost.
    Finished = 0,
    /// Something else went wrong, for example with the log file.
    Failure = 1,
    /// There is no connection to the server.
    NotConnected = 3,
    /// The server did not let the client in: unknown reservation, room or kind of game.
    Rejected = 4,
    /// The connection ended before the game did.
    ConnectionLost = 5,
    /// The server sent something that cannot be understood.
    Protocol = 6,
}

impl Exit {
    /// The exit code of an error.
    pub fn of_error(error: &anyhow::Error) -> Self {
        if error.is::<ConnectError>() {
            return Self::NotConnected;
        }
        match error.downcast_ref() {
            Some(SessionError::Rejected(_)) => Self::Rejected,
            Some(SessionError::ConnectionLost(_)) => Self::ConnectionLost,
            Some(SessionError::Protocol(_)) => Self::Protocol,
            None => Self::Failure,
        }
    }
}
