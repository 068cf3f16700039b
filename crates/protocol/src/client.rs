//! Messages of clients.

use game::excerpt;

use crate::element::Element;
use crate::error::{ClientMessageError, number};
use crate::moves::WireMove;
use crate::official_move::{check_fields, parse_move};
use crate::season::Season;

/// Default password of administrators on the official server.
pub const DEFAULT_PASSWORD: &str = "examplepassword";

/// A message of a client: a player or an administrator.
///
/// ```
/// use protocol::{ClientMessage, Season};
///
/// let message = ClientMessage::JoinPrepared { reservation: "a1".to_owned() };
/// let element = message.to_element(Season::Season2027);
/// assert_eq!(element.to_xml(1), "\n  <joinPrepared reservationCode=\"a1\"/>");
/// assert_eq!(ClientMessage::parse(&element, Season::Season2027), Ok(message));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClientMessage {
    /// Joins any game that waits for a player, or a new one.
    Join {
        /// [`Season::game_type`]; season 2021 insists on it.
        game_type: Option<String>,
    },
    /// Takes the place of a prepared game that was reserved under this code.
    JoinPrepared {
        /// The code.
        reservation: String,
    },
    /// Takes a place of a prepared game that is not reserved; season 2027 only.
    JoinRoom {
        /// The game's room.
        room: String,
    },
    /// Answers a request for a move.
    Move {
        /// The game's room.
        room: String,
        /// The move.
        mv: WireMove,
    },
    /// Becomes an administrator.
    Authenticate {
        /// The server's password.
        password: String,
    },
    /// Prepares a game.
    Prepare {
        /// [`Season::game_type`]; season 2021 insists on it.
        game_type: Option<String>,
        /// `true` if the game waits for steps of an administrator.
        pause: bool,
        /// The places.
        slots: Vec<Slot>,
    },
    /// Observes a game.
    Observe {
        /// The game's room.
        room: String,
    },
    /// Pauses or resumes a game.
    Pause {
        /// The game's room.
        room: String,
        /// `true` to pause.
        pause: bool,
    },
    /// Lets a paused game make one move.
    Step {
        /// The game's room.
        room: String,
        /// `true` to begin although players are missing.
        forced: bool,
    },
    /// Ends a game.
    Cancel {
        /// The game's room.
        room: String,
    },
    /// Gives a reserved place to anybody; season 2021 only.
    FreeReservation {
        /// The code of the place.
        reservation: String,
    },
    /// Turns the time limit of a player on or off; season 2021 only.
    Timeout {
        /// The game's room.
        room: String,
        /// The number of the place, from 0.
        slot: usize,
        /// `true` if the player has to answer in time.
        activate: bool,
    },
    /// A request for the server's test mode, without its fields; season 2021 only.
    TestMode,
    /// Ends the session.
    Close,
}

/// A place in a prepared game.
///
/// ```
/// use protocol::{ClientMessage, Season, Slot};
///
/// let slot = Slot { display_name: None, can_timeout: true, reserved: true };
/// let game_type = Some(Season::Season2027.game_type().to_owned());
/// let message = ClientMessage::Prepare { game_type, pause: false, slots: vec![slot.clone(), slot] };
/// assert_eq!(message.to_element(Season::Season2027).find_all("slot").count(), 2);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Name of the player to be shown.
    pub display_name: Option<String>,
    /// `true` if the player has to answer in time.
    pub can_timeout: bool,
    /// `true` if the place is for the holder of a code. Season 2021 reserves all places.
    pub reserved: bool,
}

impl ClientMessage {
    /// Reads a message. Accepts and rejects the same messages as the official server of the season.
    ///
    /// # Errors
    /// [`ClientMessageError`]
    pub fn parse(element: &Element, season: Season) -> Result<Self, ClientMessageError> {
        let in_2021 = season == Season::Season2021;
        check_classes(element)?;
        if let Some((_, fields, children)) = PARTS.iter().find(|(name, ..)| *name == element.name()) {
            check_fields(element, fields, children)?;
        }
        // The official server reads a missing attribute as `null`.
        let text = |name| element.field(name).unwrap_or("null").to_owned();
        let room = || text("roomId");
        let flag = |name| is_true(element, name);
        let game_type = element.field("gameType").map(str::to_owned);
        Ok(match element.name() {
            "join" => Self::Join { game_type },
            "joinPrepared" => Self::JoinPrepared { reservation: text("reservationCode") },
            "joinRoom" if !in_2021 => Self::JoinRoom { room: room() },
            "room" => Self::Move { mv: parse_move(element, &room(), season)?, room: room() },
            "authenticate" => Self::Authenticate { password: text("password") },
            "prepare" if in_2021 && game_type.is_none() => {
                return Err(ClientMessageError::Incomplete("<prepare> has no `gameType`".to_owned()));
            }
            "prepare" => {
                let slots = element.find_all("slot").map(|slot| Slot::parse(slot, season));
                Self::Prepare { game_type, pause: flag("pause"), slots: slots.collect::<Result<_, _>>()? }
            }
            "observe" => Self::Observe { room: room() },
            "pause" => Self::Pause { room: room(), pause: flag("pause") },
            "step" => Self::Step { room: room(), forced: flag("forced") },
            "cancel" => Self::Cancel { room: room() },
            "freeReservation" if in_2021 => Self::FreeReservation { reservation: text("reservation") },
            "timeout" if in_2021 => {
                let slot = element.field("slot").map_or(Ok(0), number)?;
                Self::Timeout { room: room(), slot, activate: flag("activate") }
            }
            "testMode" | "scoreForPlayer" if in_2021 => Self::TestMode,
            "sc.protocol.CloseConnection" if !in_2021 => Self::Close,
            name if name == season.close_element() => Self::Close,
            name if !in_2021 && OF_SERVER.contains(&name) => {
                return Err(ClientMessageError::OfServer { name: name.to_owned() });
            }
            name => return Err(ClientMessageError::Unreadable(format!("unknown message <{}>", excerpt(name)))),
        })
    }

    /// Returns the message in the form of the official client.
    pub fn to_element(&self, season: Season) -> Element {
        let in_room = |name: &str, room: &str| Element::new(name).with("roomId", room);
        match self {
            Self::Join { game_type } => Element::new("join").with_optional("gameType", game_type.as_ref()),
            Self::JoinPrepared { reservation } => Element::new("joinPrepared").with("reservationCode", reservation),
            Self::JoinRoom { room } => in_room("joinRoom", room),
            Self::Move { room, mv } => in_room("room", room).with_child(mv.to_element("data", season)),
            Self::Authenticate { password } => Element::new("authenticate").with("password", password),
            Self::Prepare { game_type, pause, slots } => Element::new("prepare")
                .with_optional("gameType", game_type.as_ref())
                .with("pause", pause)
                .with_children(slots.iter().map(|slot| slot.to_element(season))),
            Self::Observe { room } => in_room("observe", room),
            Self::Pause { room, pause } => in_room("pause", room).with("pause", pause),
            Self::Step { room, forced } => in_room("step", room).with("forced", forced),
            Self::Cancel { room } => in_room("cancel", room),
            Self::FreeReservation { reservation } => Element::new("freeReservation").with("reservation", reservation),
            Self::Timeout { room, slot, activate } => {
                in_room("timeout", room).with("activate", activate).with("slot", slot)
            }
            Self::TestMode => Element::new("testMode"),
            Self::Close => Element::new(season.close_element()),
        }
    }
}

impl Slot {
    /// Missing attributes count as `false`.
    fn parse(element: &Element, season: Season) -> Result<Self, ClientMessageError> {
        check_fields(element, &["displayName", "canTimeout", "reserved"], &[])?;
        Ok(Self {
            display_name: element.field("displayName").map(str::to_owned),
            can_timeout: is_true(element, "canTimeout"),
            reserved: season == Season::Season2021 || is_true(element, "reserved"),
        })
    }

    fn to_element(&self, season: Season) -> Element {
        Element::new("slot")
            .with_optional("displayName", self.display_name.as_ref())
            .with("canTimeout", self.can_timeout)
            .with_optional("reserved", (season == Season::Season2027).then_some(self.reserved))
    }
}

/// The fields of each message and its other children.
const PARTS: [(&str, &[&str], &[&str]); 14] = [
    ("join", &["gameType"], &[]),
    ("joinPrepared", &["reservationCode"], &[]),
    ("joinRoom", &["roomId"], &[]),
    ("room", &["roomId"], &["data"]),
    ("authenticate", &["password"], &[]),
    ("prepare", &["gameType", "pause"], &["slot"]),
    ("observe", &["roomId"], &[]),
    ("pause", &["roomId", "pause"], &[]),
    ("step", &["roomId", "forced"], &[]),
    ("cancel", &["roomId"], &[]),
    ("freeReservation", &["reservation"], &[]),
    ("timeout", &["roomId", "activate", "slot"], &[]),
    ("testMode", &["testMode", "displayName"], &[]),
    ("scoreForPlayer", &["testMode", "displayName"], &[]),
];

fn is_true(element: &Element, name: &str) -> bool {
    element.field(name).is_some_and(|text| text.eq_ignore_ascii_case("true"))
}

/// The short names of Java classes that an attribute `class` may have on elements other than `data`.
const CLASSES: [&str; 9] =
    ["boolean", "color", "coordinates", "int", "piece", "rotation", "shape", "slotDescriptor", "string"];

/// Checks the attributes `class` and the element's name, which is a Java class too. The caller checks the class of
/// `data`.
fn check_classes(element: &Element) -> Result<(), ClientMessageError> {
    let class = element.attribute("class").filter(|_| element.name() != "data");
    let is_known = |class: &str| CLASSES.contains(&class) || class == element.name() || class.starts_with("sc.");
    if let Some(class) = class.filter(|class| !is_known(class)) {
        let (name, class) = (excerpt(element.name()), excerpt(class));
        return Err(ClientMessageError::Unreadable(format!("<{name}> has the unknown class `{class}`")));
    }
    element.children().iter().try_for_each(check_classes)
}

/// The messages that servers send outside of games.
const OF_SERVER: [&str; 6] = ["joined", "left", "prepared", "observed", "errorpacket", "joinedGameRoom"];
