//! Errors of incomplete or invalid messages.

use std::str::FromStr;

use game::{Color, SetupError, Team, excerpt};
use thiserror::Error;

use crate::element::Element;

/// An element that is not a valid message.
///
/// ```
/// use protocol::{Element, MessageError, Season, ServerMessage};
///
/// let error = ServerMessage::parse(&Element::new("joined"), Season::Season2027).unwrap_err();
/// assert!(matches!(error, MessageError::Missing { .. }));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum MessageError {
    /// An attribute or a child is missing.
    #[error("<{element}> has no `{missing}`")]
    Missing {
        /// Name of the element.
        element: String,
        /// Name of the attribute or child.
        missing: &'static str,
    },
    /// A value cannot be read.
    #[error("`{text}` is not a {what}")]
    Value {
        /// Expected value, in words.
        what: &'static str,
        /// The value.
        text: String,
    },
    /// A state is not a position.
    #[error("impossible state: {0}")]
    Setup(SetupError),
}

/// Reason why an element is not a client message, grouped by the official server's reaction.
///
/// ```
/// use protocol::{ClientMessage, Element, ClientMessageError, Season};
///
/// let error = ClientMessage::parse(&Element::new("dance"), Season::Season2027).unwrap_err();
/// assert!(matches!(error, ClientMessageError::Unreadable(text) if text.contains("<dance>")));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ClientMessageError {
    /// The server cannot make sense of it and closes the connection (`PROTOCOL_ERROR`).
    #[error("{0}")]
    Unreadable(String),
    /// A required part is missing or wrong; the server closes the connection (`UNKNOWN`).
    #[error("{0}")]
    Incomplete(String),
    /// A game is sent something known that is not a move: refused with a message in season 2027, a violation of the
    /// rules in season 2021.
    #[error("`{class}` is not a move")]
    NotAMove {
        /// The game's room.
        room: String,
        /// Class of the data; `null` if there is none.
        class: String,
    },
    /// A message that only servers send; season 2027 refuses it with a message.
    #[error("clients do not send <{name}>")]
    OfServer {
        /// The element's name.
        name: String,
    },
}

impl From<MessageError> for ClientMessageError {
    fn from(error: MessageError) -> Self {
        match error {
            MessageError::Missing { .. } => Self::Incomplete(error.to_string()),
            MessageError::Value { .. } | MessageError::Setup(_) => Self::Unreadable(error.to_string()),
        }
    }
}

impl From<SetupError> for MessageError {
    fn from(error: SetupError) -> Self {
        Self::Setup(error)
    }
}

impl MessageError {
    pub(crate) fn missing(element: &Element, missing: &'static str) -> Self {
        Self::Missing { element: excerpt(element.name()), missing }
    }
}

/// Returns the value of an attribute that must be there.
pub(crate) fn attribute<'a>(element: &'a Element, name: &'static str) -> Result<&'a str, MessageError> {
    element.attribute(name).ok_or_else(|| MessageError::missing(element, name))
}

/// Returns the first child of a name that must be there.
pub(crate) fn child<'a>(element: &'a Element, name: &'static str) -> Result<&'a Element, MessageError> {
    element.find(name).ok_or_else(|| MessageError::missing(element, name))
}

/// Parses an attribute's text with `read`.
pub(crate) fn value<T>(
    text: &str,
    what: &'static str,
    read: impl FnOnce(&str) -> Option<T>,
) -> Result<T, MessageError> {
    read(text).ok_or_else(|| MessageError::Value { what, text: excerpt(text) })
}

/// Returns a number.
pub(crate) fn number<T: FromStr>(text: &str) -> Result<T, MessageError> {
    value(text, "number", |text| text.parse().ok())
}

/// Returns a team; servers of season 2021 wrote it in lower case once.
pub(crate) fn team(text: &str) -> Result<Team, MessageError> {
    value(text, "team", |text| text.to_ascii_uppercase().parse().ok())
}

pub(crate) fn parse_color(text: &str) -> Result<Color, MessageError> {
    value(text, "colour", |name| name.parse().ok())
}

/// Returns the value, or adds the error to `unreadable`.
pub(crate) fn readable<T>(read: Result<T, MessageError>, unreadable: &mut Vec<MessageError>) -> Option<T> {
    read.map_err(|error| unreadable.push(error)).ok()
}
