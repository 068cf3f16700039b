//! The official server's words, which are German.

use game::{Color, Refusal, Team};
use protocol::{Season, WireMove};

/// Why a move is refused.
pub(super) fn refusal(refusal: Refusal, season: Season) -> &'static str {
    match (refusal, season) {
        (Refusal::GameOver, _) => "Das Spiel ist vorbei",
        (Refusal::WrongColor, Season::Season2021) => "Die Farbe des Zuges ist nicht an der Reihe",
        (Refusal::WrongColor, Season::Season2027) => "Nur eigene Spielfiguren können gezogen werden",
        (Refusal::PassOnFirstMove, _) => "Der erste Zug muss einen Stein setzen",
        (Refusal::NotStartPiece, _) => "Der erste Zug muss den festgelegten Spielstein setzen",
        (Refusal::PieceNotLeft, _) => "Der gewählte Stein wurde bereits gesetzt",
        (Refusal::OutOfBounds, _) => "Der Spielstein passt nicht vollständig auf das Spielfeld",
        (Refusal::Obstructed, _) => "Der Spielstein würde eine andere Farbe überlagern",
        (Refusal::TouchesOwnColor, _) => "Der Spielstein berührt ein Feld gleicher Farbe",
        (Refusal::NotOnStart, Season::Season2021) => "Der erste Zug muss auf eine freie Ecke gesetzt werden",
        (Refusal::NotOnStart, Season::Season2027) => "Der erste Zug muss an den Rand gesetzt werden",
        (Refusal::NoSharedCorner, _) => {
            "Alle Teile müssen ein vorheriges Teil gleicher Farbe über mindestens eine Ecke berühren"
        }
    }
}

/// A move in words.
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

/// What the player is told whose move is illegal.
pub(super) fn invalid_move(name: &str, mistake: &str, mv: &str) -> String {
    format!("Ungueltiger Zug von '{name}'.\nInvalidMoveException(mistake={mistake}, move={mv})")
}

/// What a player is told who was not asked for a move.
pub(super) fn not_your_turn(season: Season, expected: (Team, &str), got: (Team, &str), mv: &str) -> String {
    let player = |(team, name): (Team, &str)| match season {
        Season::Season2021 => format!("Team {}({name})", team as usize + 1),
        Season::Season2027 => format!("{team}({name})"),
    };
    format!("It's not your turn yet; expected: {}, got {} (msg was {mv}).", player(expected), player(got))
}

/// Why a request about a room is refused.
pub(super) fn unknown_room(room: &str) -> String {
    format!("sc.api.plugins.exceptions.GameRoomException: Couldn't find a room with id {room}")
}

/// Why a place is not to be had.
pub(super) fn full_room(room: &str) -> String {
    format!("sc.api.plugins.exceptions.GameRoomException: Room {room} is already full!")
}

/// Why a reservation is refused.
pub(super) fn unknown_reservation(season: Season) -> &'static str {
    match season {
        Season::Season2021 => "Couldn't find a reservation for the provided token.",
        Season::Season2027 => {
            "sc.server.gaming.UnknownReservationException: Couldn't find a reservation for the provided token."
        }
    }
}
