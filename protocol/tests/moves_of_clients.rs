//! Moves of clients are accepted and refused exactly as by the official servers, case by case of
//! the table in the notes on the protocol.

use game::{Color, Move, Piece, Placement, Position, Refusal};
use protocol::{ClientMessage, Element, RequestError, Season, WireMove};

fn read(season: Season, data: &str) -> Result<WireMove, RequestError> {
    let data = data.replace("PLUGIN", &format!("sc.plugin{season}"));
    let element = Element::parse(&format!("<room roomId='r'>{data}</room>")).expect("test data is XML");
    match ClientMessage::parse(&element, season)? {
        ClientMessage::Move { room, mv } if room == "r" => Ok(mv),
        other => panic!("{other:?}"),
    }
}

/// What the first move of blue with the `PENTO_U` is worth.
fn judge(season: Season, data: &str) -> Result<Result<Move, Refusal>, RequestError> {
    let position = Position::new(season.rules(), Some(Piece::PentoU)).expect("all seasons know the PENTO_U");
    read(season, data).map(|mv| mv.check(&position))
}

#[test]
fn accepted() {
    let pieces = [
        (
            "PENTO_U-LEFT@0,17",
            "<piece color='BLUE' kind='PENTO_U' rotation='LEFT' isFlipped='false'><position x='0' y='17'/></piece>",
        ),
        (
            "PENTO_U-LEFT@0,17",
            "<piece isFlipped='no' rotation='LEFT' speed='9' kind='PENTO_U' color='BLUE'><position z='1' y='17' x='0'/></piece>",
        ),
        (
            "PENTO_U-LEFT@0,17",
            "<piece><color>BLUE</color><kind>PENTO_U</kind><rotation>LEFT</rotation><position><x>0</x><y>17</y></position></piece>",
        ),
        ("PENTO_U-LEFT@0,17", "<piece color='BLUE' kind='PENTO_U' rotation='LEFT'><position x='0' y='17'/></piece>"),
        (
            "PENTO_U-RIGHT@0,17",
            "<piece color='BLUE' kind='PENTO_U' rotation='LEFT' isFlipped='TRUE'><position x='0' y='17'/></piece>",
        ),
    ];
    for season in Season::ALL {
        for (expected, piece) in pieces {
            let expected: Placement = expected.parse().unwrap();
            let data = format!("<data class='PLUGIN.SetMove' extra=''>{piece}</data>");
            assert_eq!(judge(season, &data).unwrap(), Ok(Move::Place(expected)), "{data}");
        }
        let skip = "<data class='PLUGIN.SkipMove'><color>BLUE</color></data>";
        assert_eq!(read(season, skip).unwrap(), WireMove::Skip { color: Some(Color::Blue) });
        assert_eq!(judge(season, skip).unwrap(), Err(Refusal::PassOnFirstMove));
    }
}

#[test]
fn against_the_rules() {
    for season in Season::ALL {
        let set = |piece: &str| judge(season, &format!("<data class='PLUGIN.SetMove'>{piece}</data>")).unwrap();
        let without_color = "<piece kind='PENTO_U' rotation='LEFT'><position x='0' y='17'/></piece>";
        assert_eq!(set(without_color), Err(Refusal::WrongColor));
        let red = "<piece color='RED' kind='PENTO_U' rotation='LEFT'><position x='0' y='17'/></piece>";
        assert_eq!(set(red), Err(Refusal::WrongColor));
        let outside = "<piece color='BLUE' kind='PENTO_U' rotation='LEFT'><position x='-1' y='2147483647'/></piece>";
        assert_eq!(set(outside), Err(Refusal::OutOfBounds));
        assert_eq!(judge(season, "<data class='PLUGIN.SkipMove'/>").unwrap(), Err(Refusal::WrongColor));
    }
}

#[test]
fn closes_the_connection() {
    let set = |piece: &str| format!("<data class='PLUGIN.SetMove'>{piece}</data>");
    let unreadable = [
        set("<piece color='BLUE' kind='PENTO_U' rotation='LEFT'><position x='0' y='1'/><hint/></piece>"),
        set("<piece color='BLUE' kind='PENTO_U' rotation='LEFT'><position x='0' y='1'><z/></position></piece>"),
        set("<piece color='BLUE' kind='PENTO_U' rotation='LEFT'><position x='0' y='1'/></piece><hint content='x'/>"),
        set("<piece color='blue' kind='PENTO_U' rotation='LEFT'><position x='0' y='1'/></piece>"),
        set("<piece color='BLUE' kind='U' rotation='LEFT'><position x='0' y='1'/></piece>"),
        set("<piece color='BLUE' kind='PENTO_U' rotation='left'><position x='0' y='1'/></piece>"),
        set("<piece color='BLUE' kind='PENTO_U' rotation='LEFT'><position x='0' y='one'/></piece>"),
        set("<piece color='BLUE' kind='PENTO_U' rotation='LEFT'><position x='0' y='2147483648'/></piece>"),
        "<data class='setmove'/>".to_owned(),
        "<data class='sc.plugin2020.SetMove'/>".to_owned(),
        "<data><piece/></data>".to_owned(),
    ];
    let incomplete = [
        set("<piece x='0' y='1' color='BLUE' kind='PENTO_U' rotation='LEFT'/>"),
        set("<piece color='BLUE' kind='PENTO_U'><position x='0' y='1'/></piece>"),
        set(""),
        String::new(),
    ];
    for season in Season::ALL {
        for data in &unreadable {
            assert!(matches!(read(season, data), Err(RequestError::Unreadable(_))), "{data}");
        }
        for data in &incomplete {
            assert!(matches!(read(season, data), Err(RequestError::Incomplete(_))), "{data}");
        }
        for other in ["<unknown/>", if season == Season::Season2021 { "<close/>" } else { "<left/>" }] {
            let element = Element::parse(other).unwrap();
            assert!(matches!(ClientMessage::parse(&element, season), Err(RequestError::Unreadable(_))), "{other}");
        }
    }
}

#[test]
fn data_that_is_no_move() {
    for season in Season::ALL {
        let class = season.move_request_class().to_owned();
        let error = read(season, &format!("<data class='{class}'/>")).unwrap_err();
        assert_eq!(error, RequestError::NotAMove { room: "r".to_owned(), class });
    }
}
