//! Parses moves like the official server.

use game::{Color, Piece, Rotation, excerpt};

use crate::element::Element;
use crate::error::{ClientMessageError, MessageError, value};
use crate::moves::{PieceMove, WireMove};
use crate::season::Season;

/// Classes of data other than moves that a client may send to a game, with their fields.
const OTHER_DATA: [(&str, &[&str]); 5] = [
    ("moveRequest", &[]),
    ("memento", &["state"]),
    ("welcomeMessage", &["color"]),
    ("error", &["originalMessage", "message"]),
    ("paused", &["paused"]),
];

/// Reads the move in a `<room>`.
pub(crate) fn parse_move(message: &Element, room: &str, season: Season) -> Result<WireMove, ClientMessageError> {
    let no_move = |class: &str| ClientMessageError::NotAMove { room: room.to_owned(), class: class.to_owned() };
    let Some(data) = message.find("data") else {
        return Err(match season {
            Season::Season2021 => ClientMessageError::Incomplete("<room> has no `data`".to_owned()),
            Season::Season2027 => no_move("null"),
        });
    };
    let class = data.attribute("class");
    let class = class.ok_or_else(|| ClientMessageError::Unreadable("<data> has no class".to_owned()))?;
    if let Some(mv) = parse_data(data, class, season, check_fields)? {
        return Ok(mv);
    }
    let other = OTHER_DATA.iter().find(|(known, _)| *known == class);
    if let Some((_, fields)) = other {
        check_fields(data, fields, &[])?;
    }
    Err(if other.is_some() || class == "result" || class == season.move_request_class() {
        no_move(class)
    } else {
        ClientMessageError::Unreadable(format!("unknown class `{}`", excerpt(class)))
    })
}

/// Parses a move repeated by a server. Ignores unknown parts.
pub(crate) fn parse_repeated(element: &Element, season: Season) -> Option<WireMove> {
    parse_data(element, element.attribute("class")?, season, |_, _, _| Ok(())).ok()?
}

/// A check of the parts of an element like [`check_fields`].
type Check = fn(&Element, &[&str], &[&str]) -> Result<(), ClientMessageError>;

/// Reads data of this class; `None` if it is not a move.
fn parse_data(
    data: &Element,
    class: &str,
    season: Season,
    check: Check,
) -> Result<Option<WireMove>, ClientMessageError> {
    // The server ignores an attribute `piece` or `color` here.
    Ok(if class == season.set_move_class() {
        check(data, &[], &["piece"])?;
        let piece = data.find("piece").ok_or_else(|| missing(data, "piece"))?;
        Some(WireMove::Set(parse_piece(piece, check)?))
    } else if class == season.skip_move_class() {
        check(data, &[], &["color"])?;
        let color = data.find("color").map(|color| choice("colour", color.text(), &Color::ALL, Color::name, true));
        Some(WireMove::Skip { color: color.transpose()? })
    } else {
        None
    })
}

fn parse_piece(piece: &Element, check: Check) -> Result<PieceMove, ClientMessageError> {
    check(piece, &["color", "kind", "rotation", "isFlipped"], &["position"])?;
    let color = field(piece, "color", "colour", &Color::ALL, Color::name)?;
    let kind = field(piece, "kind", "piece", &Piece::ALL, Piece::name)?.ok_or_else(|| missing(piece, "kind"))?;
    let rotation = field(piece, "rotation", "rotation", &Rotation::ALL, Rotation::name)?;
    let position = piece.find("position").ok_or_else(|| missing(piece, "position"))?;
    check(position, &["x", "y"], &[])?;
    let coordinate = |name| position.field(name).map_or(Ok(0), integer);
    Ok(PieceMove {
        color,
        piece: kind,
        rotation: rotation.ok_or_else(|| missing(piece, "rotation"))?,
        flipped: piece.field("isFlipped").is_some_and(|text| text.eq_ignore_ascii_case("true")),
        x: coordinate("x")?,
        y: coordinate("y")?,
    })
}

fn missing(element: &Element, field: &str) -> ClientMessageError {
    ClientMessageError::Incomplete(format!("<{}> has no `{field}`", element.name()))
}

/// Returns the value of a field with a name for each value. Children may be written in lower case, attributes may not.
fn field<T: Copy>(
    element: &Element,
    field: &str,
    what: &'static str,
    values: &[T],
    name: fn(T) -> &'static str,
) -> Result<Option<T>, ClientMessageError> {
    let attribute = element.attribute(field);
    let text = element.field(field);
    text.map(|text| choice(what, text, values, name, attribute.is_none())).transpose()
}

fn choice<T: Copy>(
    what: &'static str,
    text: &str,
    values: &[T],
    name: fn(T) -> &'static str,
    ignores_case: bool,
) -> Result<T, ClientMessageError> {
    let is_meant = |value: &&T| name(**value) == text || ignores_case && name(**value).eq_ignore_ascii_case(text);
    Ok(value(text, what, |_| values.iter().find(is_meant).copied())?)
}

/// Returns a whole number in any form that Java reads: with a sign, hexadecimal after `0x` or `#`, octal after `0`.
/// Numbers below 2^32 wrap around.
fn integer(text: &str) -> Result<i32, ClientMessageError> {
    let error = || ClientMessageError::from(MessageError::Value { what: "number", text: excerpt(text) });
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let hexadecimal = ["0x", "0X", "#"].into_iter().find_map(|prefix| unsigned.strip_prefix(prefix));
    let (digits, radix) = match (hexadecimal, unsigned.strip_prefix('0')) {
        (Some(digits), _) => (digits, 16),
        (None, Some(digits)) if !digits.is_empty() => (digits, 8),
        (None, _) => (unsigned, 10),
    };
    if digits.starts_with(['+', '-']) {
        return Err(error());
    }
    let size = i64::from_str_radix(digits, radix).map_err(|_| error())?;
    let number = if text.starts_with('-') { -size } else { size };
    if (i64::from(i32::MIN)..=i64::from(u32::MAX)).contains(&number) { Ok(number as i32) } else { Err(error()) }
}

/// Checks the fields of an object: a repeated field or an unknown child is an error; unknown attributes are ignored.
/// `fields` may be attributes or children, `children` only the latter.
pub(crate) fn check_fields(element: &Element, fields: &[&str], children: &[&str]) -> Result<(), ClientMessageError> {
    let name = element.name();
    let is_known = |child: &&Element| fields.contains(&child.name()) || children.contains(&child.name());
    if let Some(child) = element.children().iter().find(|child| !is_known(child)) {
        let child = excerpt(child.name());
        return Err(ClientMessageError::Unreadable(format!("<{name}> has an unknown child <{child}>")));
    }
    let count = |field: &str| {
        let attributes = element.attributes().filter(|(name, _)| *name == field && fields.contains(name));
        attributes.count() + element.find_all(field).count()
    };
    // Only a game may have several places.
    match fields.iter().chain(children).find(|&&field| field != "slot" && count(field) > 1) {
        None => Ok(()),
        Some(field) => Err(ClientMessageError::Unreadable(format!("<{name}> has more than one `{field}`"))),
    }
}
