//! Messages of servers.

use game::Team;

use crate::element::Element;
use crate::error::{MessageError, attribute, child, number, team};
use crate::result::GameResult;
use crate::season::Season;
use crate::state::State;

/// A message of a server.
///
/// ```
/// use game::Team;
/// use protocol::{RoomData, Season, ServerMessage};
///
/// let message = ServerMessage::Room { room: "r".to_owned(), data: RoomData::Welcome(Team::One) };
/// let element = message.to_element(Season::Season2027);
/// assert_eq!(ServerMessage::parse(&element, Season::Season2027), Ok(message));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ServerMessage {
    /// The client has a place in a game. In prepared games of season 2021 this comes when both players are there.
    Joined {
        /// The game's room.
        room: String,
    },
    /// Data about a game.
    Room {
        /// The game's room.
        room: String,
        /// The data.
        data: RoomData,
    },
    /// The game is over; no more messages about it follow. The connection stays open.
    Left {
        /// The game's room.
        room: String,
    },
    /// A request outside of games is refused.
    Error {
        /// Cause.
        message: String,
        /// The request, as `<originalRequest class="…">`.
        request: Option<Element>,
    },
    /// To an administrator: a game is prepared.
    Prepared {
        /// The game's room.
        room: String,
        /// The codes of the reserved places.
        reservations: Vec<String>,
    },
    /// To an administrator: it observes the game.
    Observed {
        /// The game's room.
        room: String,
    },
    /// To every administrator: somebody has joined a game that was not prepared.
    JoinedGameRoom {
        /// The game's room.
        room: String,
        /// Number of players in the room.
        players: usize,
    },
    /// The server is about to close the connection; season 2021 only.
    Close,
    /// An unknown message; to be ignored.
    Unknown {
        /// The element's name.
        name: String,
    },
}

/// A server message about a game.
///
/// ```
/// use protocol::{Element, RoomData, Season, ServerMessage};
///
/// let element = Element::parse("<room roomId='r'><data class='moveRequest'/></room>")?;
/// let message = ServerMessage::parse(&element, Season::Season2027)?;
/// assert_eq!(message, ServerMessage::Room { room: "r".to_owned(), data: RoomData::MoveRequest });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RoomData {
    /// The client plays this team.
    Welcome(Team),
    /// The state of the game. The same one may come twice.
    Memento(Box<State>),
    /// The client is asked for a move in the last state.
    MoveRequest,
    /// The game is over.
    Result(GameResult),
    /// A fault of a player that ends the game.
    Error(GameError),
    /// To observers: the game was paused or resumed.
    Paused(bool),
    /// An unknown message; to be ignored.
    Unknown {
        /// The class of the data.
        class: String,
    },
}

/// A fault of a player that ends the game, as a server reports it.
///
/// ```
/// use protocol::{Element, GameError, RoomData, Season, ServerMessage};
///
/// let element = Element::parse("<room roomId='r'><data class='error' message='Zu langsam'/></room>")?;
/// let data = RoomData::Error(GameError { message: "Zu langsam".to_owned(), mv: None });
/// let message = ServerMessage::Room { room: "r".to_owned(), data };
/// assert_eq!(ServerMessage::parse(&element, Season::Season2027)?, message);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameError {
    /// The description of the fault.
    pub message: String,
    /// The move, as `<originalMessage class="…">` or `<originalRequest class="…">`.
    pub mv: Option<Element>,
}

impl ServerMessage {
    /// Parses a message. Unknown parts are ignored, and attributes and children may have any order.
    ///
    /// # Errors
    /// [`MessageError`] if a known kind of message lacks a part or has an invalid value.
    pub fn parse(element: &Element, season: Season) -> Result<Self, MessageError> {
        let room = || attribute(element, "roomId").map(str::to_owned);
        Ok(match element.name() {
            "joined" => Self::Joined { room: room()? },
            "room" => Self::Room { room: room()?, data: RoomData::parse(child(element, "data")?, season)? },
            "left" => Self::Left { room: room()? },
            "error" | "errorpacket" => Self::Error {
                message: element.attribute("message").unwrap_or_default().to_owned(),
                request: element.children().first().cloned(),
            },
            "prepared" => Self::Prepared {
                room: room()?,
                reservations: element.find_all("reservation").map(|code| code.text().to_owned()).collect(),
            },
            "observed" => Self::Observed { room: room()? },
            "joinedGameRoom" => Self::JoinedGameRoom {
                room: room()?,
                players: match element.attribute("playerCount") {
                    Some(count) => number(count)?,
                    None => 1 + (element.attribute("existing") == Some("true")) as usize,
                },
            },
            name if Season::ALL.iter().any(|season| season.close_element() == name) => Self::Close,
            name => Self::Unknown { name: name.to_owned() },
        })
    }

    /// Returns the message in the form of the official server.
    pub fn to_element(&self, season: Season) -> Element {
        let in_room = |name: &str, room: &str| Element::new(name).with("roomId", room);
        match self {
            Self::Joined { room } => in_room("joined", room),
            Self::Room { room, data } => in_room("room", room).with_child(data.to_element(season)),
            Self::Left { room } => in_room("left", room),
            Self::Error { message, request } => {
                Element::new(season.error_element()).with("message", message).with_children(request.clone())
            }
            Self::Prepared { room, reservations } => in_room("prepared", room)
                .with_children(reservations.iter().map(|code| Element::new("reservation").with_text(code))),
            Self::Observed { room } => in_room("observed", room),
            Self::JoinedGameRoom { room, players } => match season {
                Season::Season2021 => in_room("joinedGameRoom", room).with("existing", *players > 1),
                Season::Season2027 => in_room("joinedGameRoom", room).with("playerCount", players),
            },
            Self::Close => Element::new(season.close_element()),
            Self::Unknown { name } => Element::new(name),
        }
    }
}

impl RoomData {
    fn parse(data: &Element, season: Season) -> Result<Self, MessageError> {
        Ok(match attribute(data, "class")? {
            "welcomeMessage" => Self::Welcome(team(attribute(data, "color")?)?),
            "memento" => Self::Memento(Box::new(State::parse(child(data, "state")?, season)?)),
            class if Season::ALL.iter().any(|season| season.move_request_class() == class) => Self::MoveRequest,
            "result" => Self::Result(GameResult::parse(data, season)?),
            "error" => Self::Error(GameError {
                message: data.attribute("message").unwrap_or_default().to_owned(),
                mv: data.children().first().cloned(),
            }),
            "paused" => Self::Paused(data.attribute("paused") == Some("true")),
            class => Self::Unknown { class: class.to_owned() },
        })
    }

    fn to_element(&self, season: Season) -> Element {
        let of_class = |class: &str| Element::new("data").with("class", class);
        match self {
            Self::Welcome(team) => of_class("welcomeMessage").with("color", team),
            Self::Memento(state) => of_class("memento").with_child(state.to_element()),
            Self::MoveRequest => of_class(season.move_request_class()),
            Self::Result(result) => result.to_element(season),
            Self::Error(GameError { message, mv }) => {
                of_class("error").with("message", message).with_children(mv.clone())
            }
            Self::Paused(paused) => of_class("paused").with("paused", paused),
            Self::Unknown { class } => of_class(class),
        }
    }
}
