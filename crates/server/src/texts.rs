//! The official server's words, which are German.

use game::{Color, IllegalMove, Team};
use protocol::{ClientMessage, Element, Season, Slot, WireMove};

/// Reason why a move is illegal.
pub(super) fn illegal_move(reason: IllegalMove, season: Season) -> &'static str {
    match (reason, season) {
        (IllegalMove::GameOver, _) => "Das Spiel ist vorbei",
        (IllegalMove::WrongColor, Season::Season2021) => "Die Farbe des Zuges ist nicht an der Reihe",
        (IllegalMove::WrongColor, Season::Season2027) => "Nur eigene Spielfiguren können gezogen werden",
        (IllegalMove::PassOnFirstMove, _) => "Der erste Zug muss einen Stein setzen",
        (IllegalMove::NotStartPiece, _) => "Der erste Zug muss den festgelegten Spielstein setzen",
        (IllegalMove::PieceNotLeft, _) => "Der gewählte Stein wurde bereits gesetzt",
        (IllegalMove::OutOfBounds, _) => "Der Spielstein passt nicht vollständig auf das Spielfeld",
        (IllegalMove::Obstructed, _) => "Der Spielstein würde eine andere Farbe überlagern",
        (IllegalMove::TouchesOwnColor, _) => "Der Spielstein berührt ein Feld gleicher Farbe",
        (IllegalMove::NotOnStart, Season::Season2021) => "Der erste Zug muss auf eine freie Ecke gesetzt werden",
        (IllegalMove::NotOnStart, Season::Season2027) => "Der erste Zug muss an den Rand gesetzt werden",
        (IllegalMove::NoSharedCorner, _) => {
            "Alle Teile müssen ein vorheriges Teil gleicher Farbe über mindestens eine Ecke berühren"
        }
    }
}

/// Returns a move in words.
pub(super) fn describe(mv: &WireMove) -> String {
    let color = match mv.color() {
        Some(Color::Blue) => "Farbe Blau",
        Some(Color::Yellow) => "Farbe Gelb",
        Some(Color::Red) => "Farbe Rot",
        Some(Color::Green) => "Farbe Grün",
        None => "null",
    };
    match mv {
        WireMove::Set(set) => format!("Setze {}({color})[{},{}]", set.piece, set.x, set.y),
        WireMove::Skip { .. } => format!("{color} setzt aus"),
    }
}

/// Reason for refusing data that is not a move, in season 2021.
pub(super) const NO_MOVE: &str = "Der Zug konnte nicht erkannt werden";

/// Returns the message to a player after an illegal move.
pub(super) fn invalid_move(name: &str, reason: &str, mv: Option<&str>) -> String {
    let mv = mv.unwrap_or("null");
    format!("Ungueltiger Zug von '{name}'.\nInvalidMoveException(mistake={reason}, move={mv})")
}

/// Returns a team and its player's name.
fn player(season: Season, (team, name): (Team, &str)) -> String {
    match season {
        Season::Season2021 => format!("Team {}({name})", team as usize + 1),
        Season::Season2027 => format!("{team}({name})"),
    }
}

/// Returns the message to a player who moves out of turn.
pub(super) fn not_your_turn(season: Season, expected: Option<(Team, &str)>, got: (Team, &str), data: &str) -> String {
    let expected = expected.map_or("null".to_owned(), |expected| player(season, expected));
    format!("It's not your turn yet; expected: {expected}, got {} (msg was {data}).", player(season, got))
}

/// Returns the message to a player who moves in turn but without a request.
pub(super) fn not_requested(season: Season, got: (Team, &str)) -> String {
    match season {
        Season::Season2021 => "We didn't request a move from you yet.".to_owned(),
        Season::Season2027 => format!("Move from {} has not been requested.", player(season, got)),
    }
}

/// Returns the refusal of a message that only servers send.
pub(super) fn unhandled(name: &str) -> String {
    let class = match name {
        "joined" => "responses.JoinedRoomResponse",
        "left" => "RemovedFromGame",
        "prepared" => "responses.GamePreparedResponse",
        "observed" => "responses.ObservationResponse",
        "errorpacket" => "responses.ErrorPacket",
        _ => "responses.RoomWasJoinedEvent",
    };
    format!("sc.api.plugins.exceptions.RescuableClientException: Unhandled Packet of type: class sc.protocol.{class}")
}

/// Returns the refusal of a message to a game that is not a move.
pub(super) fn not_a_move(room: &str, data: Option<&Element>) -> String {
    let value = |name| data.and_then(|data| data.attribute(name)).unwrap_or("null");
    let data = match data.and_then(|data| data.attribute("class")) {
        None => "null".to_owned(),
        Some("welcomeMessage") => format!("WelcomeMessage(color={})", value("color")),
        Some("paused") => {
            format!("GamePaused(paused={})", data.is_some_and(|data| data.attribute("paused") == Some("true")))
        }
        Some("error") => format!("ErrorMessage(originalMessage=null, message={})", value("message")),
        Some(class) => class.to_owned(),
    };
    format!(
        "sc.api.plugins.exceptions.GameRoomException: Received non-move packet: RoomPacket(roomId={room}, data={data})"
    )
}

/// Returns the refusal of a move by a client without a seat.
pub(super) fn no_member(room: &str) -> String {
    format!("sc.api.plugins.exceptions.GameRoomException: Client is not a member of game {room}")
}

/// Returns the refusal of an administrator's request in season 2027.
pub(super) fn unauthenticated(request: &ClientMessage) -> String {
    let request = match request {
        ClientMessage::Prepare { game_type, pause, slots } => {
            let slot = |slot: &Slot| {
                let Slot { display_name, can_timeout, reserved } = slot;
                let name = display_name.as_deref().unwrap_or("null");
                format!("SlotDescriptor(displayName={name}, canTimeout={can_timeout}, reserved={reserved})")
            };
            let slots = match slots.as_slice() {
                [] => "null".to_owned(),
                slots => format!("[{}]", slots.iter().map(slot).collect::<Vec<_>>().join(", ")),
            };
            let game_type = game_type.as_deref().unwrap_or("null");
            format!("PrepareGameRequest(gameType={game_type}, slotDescriptors={slots}, pause={pause})")
        }
        ClientMessage::Observe { room } => format!("ObservationRequest(roomId={room})"),
        ClientMessage::Pause { room, pause } => format!("PauseGameRequest(roomId={room}, pause={pause})"),
        ClientMessage::Step { room, forced } => format!("StepRequest(roomId={room}, forced={forced})"),
        ClientMessage::Cancel { room } => format!("CancelRequest(roomId={room})"),
        _ => "null".to_owned(),
    };
    format!("sc.server.network.UnauthenticatedException: Request {request} requires authentication")
}

/// The refusal of a password.
pub(super) const WRONG_PASSWORD: &str =
    "sc.server.network.AuthenticationFailedException: Failed to authenticate as administrator";

/// Returns the refusal of a request about an unknown room.
pub(super) fn unknown_room(room: &str) -> String {
    format!("sc.api.plugins.exceptions.GameRoomException: Couldn't find a room with id {room}")
}

/// Returns the refusal of a seat in a full room.
pub(super) fn full_room(room: &str) -> String {
    format!("sc.api.plugins.exceptions.GameRoomException: Room {room} is already full!")
}

/// Returns the refusal of a reservation.
pub(super) fn unknown_reservation(season: Season) -> &'static str {
    match season {
        Season::Season2021 => "Couldn't find a reservation for the provided token.",
        Season::Season2027 => {
            "sc.server.gaming.UnknownReservationException: Couldn't find a reservation for the provided token."
        }
    }
}
