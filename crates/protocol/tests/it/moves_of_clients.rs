//! Moves of clients are accepted and refused exactly as by the official servers, case by case of
//! the table in the notes on the protocol.

use game::{Color, Move, Piece, Placement, Position, Refusal};
use protocol::{ClientMessage, Element, RequestError, Season, Slot, WireMove};

fn read(season: Season, data: &str) -> Result<WireMove, RequestError> {
    let data = data.replace("PLUGIN", &format!("sc.plugin{season}"));
    let element = Element::parse(&format!("<room roomId='r'>{data}</room>")).expect("test data is XML");
    match ClientMessage::parse(&element, season)? {
        ClientMessage::Move { room, mv } if room == "r" => Ok(mv),
        other => panic!("{other:?}"),
    }
}

/// Judges a first move of blue when the start piece is `PENTO_U`.
fn judge(season: Season, data: &str) -> Result<Result<Move, Refusal>, RequestError> {
    let position = Position::new(season.rules(), Some(Piece::PentoU)).expect("all seasons know the PENTO_U");
    read(season, data).map(|mv| mv.check(&position))
}

#[test]
fn accepts_valid_moves() {
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
    // Numbers in every form that Java reads, and children in lower case.
    let pieces = pieces.map(|(expected, piece)| (expected, piece.to_owned()));
    let numbers = ["17", "+17", "0x11", "0X11", "#11", "+#11", "021"].map(|y| {
        let place = format!("<position x='0' y='{y}'/>");
        (
            "PENTO_U-LEFT@0,17",
            format!("<piece><color>blue</color><kind>Pento_u</kind><rotation>left</rotation>{place}</piece>"),
        )
    });
    for season in Season::ALL {
        for (expected, piece) in pieces.iter().chain(&numbers) {
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
fn rejects_illegal_moves() {
    for season in Season::ALL {
        let set = |piece: &str| judge(season, &format!("<data class='PLUGIN.SetMove'>{piece}</data>")).unwrap();
        let without_color = "<piece kind='PENTO_U' rotation='LEFT'><position x='0' y='17'/></piece>";
        assert_eq!(set(without_color), Err(Refusal::WrongColor));
        let red = "<piece color='RED' kind='PENTO_U' rotation='LEFT'><position x='0' y='17'/></piece>";
        assert_eq!(set(red), Err(Refusal::WrongColor));
        let outside = "<piece color='BLUE' kind='PENTO_U' rotation='LEFT'><position x='-1' y='2147483647'/></piece>";
        assert_eq!(set(outside), Err(Refusal::OutOfBounds));
        let wrapped = "<piece color='BLUE' kind='PENTO_U' rotation='LEFT'><position x='0' y='2147483648'/></piece>";
        assert_eq!(set(wrapped), Err(Refusal::OutOfBounds));
        for skip in ["<data class='PLUGIN.SkipMove'/>", "<data class='PLUGIN.SkipMove' color='BLUE'/>"] {
            assert_eq!(judge(season, skip).unwrap(), Err(Refusal::WrongColor), "{skip}");
        }
    }
}

#[test]
fn unreadable_moves_close_connection() {
    let set = |piece: &str| format!("<data class='PLUGIN.SetMove'>{piece}</data>");
    let unreadable = [
        set("<piece color='BLUE' kind='PENTO_U' rotation='LEFT'><position x='0' y='1'/><hint/></piece>"),
        set("<piece color='BLUE' kind='PENTO_U' rotation='LEFT'><position x='0' y='1'><z/></position></piece>"),
        set("<piece color='BLUE' kind='PENTO_U' rotation='LEFT'><position x='0' y='1'/></piece><hint content='x'/>"),
        set("<piece color='blue' kind='PENTO_U' rotation='LEFT'><position x='0' y='1'/></piece>"),
        set("<piece color='BLUE' kind='U' rotation='LEFT'><position x='0' y='1'/></piece>"),
        set("<piece color='BLUE' kind='PENTO_U' rotation='left'><position x='0' y='1'/></piece>"),
        set("<piece color='BLUE' kind='PENTO_U' rotation='LEFT'><position x='0' y='one'/></piece>"),
        set("<piece color='BLUE' kind='PENTO_U' rotation='LEFT'><position x='0' y='4294967296'/></piece>"),
        set("<piece color='BLUE' kind='PENTO_U' rotation='LEFT'><position x='0' y='08'/></piece>"),
        set("<piece color='BLUE' kind='PENTO_U' rotation='LEFT'><position x='0' y=' 1'/></piece>"),
        set("<piece color='BLUE' kind='PENTO_U' rotation='LEFT'><position x='0' y=''/></piece>"),
        set("<piece color='BLUE' kind='PENTO_U' rotation='LEFT'><color>BLUE</color><position x='0' y='1'/></piece>"),
        set("<piece color='BLUE' color='BLUE' kind='PENTO_U' rotation='LEFT'><position x='0' y='1'/></piece>"),
        set(
            "<piece color='BLUE' kind='PENTO_U' rotation='LEFT'><position x='0' y='1'/><position x='0' y='1'/></piece>",
        ),
        set("<piece color='BLUE' kind='PENTO_U' rotation='LEFT'><position x='0' y='1'><x>0</x></position></piece>"),
        set("<piece class='stone' color='BLUE' kind='PENTO_U' rotation='LEFT'><position x='0' y='1'/></piece>"),
        set("<piece color='BLUE' rotation='LEFT'><kind> PENTO_U</kind><position x='0' y='1'/></piece>"),
        "<data class='PLUGIN.SkipMove'><color>BLUE</color><color>BLUE</color></data>".to_owned(),
        "<data class='PLUGIN.SkipMove'><color> BLUE </color></data>".to_owned(),
        "<data class='PLUGIN.SkipMove'><color/></data>".to_owned(),
        "<data class='PLUGIN.SkipMove'/><data class='PLUGIN.SkipMove'/>".to_owned(),
        "<data class='welcomeMessage'><hint/></data>".to_owned(),
        "<data class='setmove'/>".to_owned(),
        "<data class='sc.plugin2020.SetMove'/>".to_owned(),
        "<data><piece/></data>".to_owned(),
    ];
    let incomplete = [
        set("<piece x='0' y='1' color='BLUE' kind='PENTO_U' rotation='LEFT'/>"),
        set("<piece color='BLUE' kind='PENTO_U'><position x='0' y='1'/></piece>"),
        set(""),
    ];
    for season in Season::ALL {
        for data in &unreadable {
            assert!(matches!(read(season, data), Err(RequestError::Unreadable(_))), "{data}");
        }
        for data in &incomplete {
            assert!(matches!(read(season, data), Err(RequestError::Incomplete(_))), "{data}");
        }
        for other in ["<unknown/>", if season == Season::Season2021 { "<close/>" } else { "<testMode/>" }] {
            let element = Element::parse(other).unwrap();
            assert!(matches!(ClientMessage::parse(&element, season), Err(RequestError::Unreadable(_))), "{other}");
        }
    }
}

/// Season 2027 answers these; season 2021 closes the connection.
#[test]
fn rejects_messages_of_servers() {
    let parse = |season, text: &str| ClientMessage::parse(&Element::parse(text).unwrap(), season).unwrap_err();
    for name in ["joined", "left", "prepared", "observed", "errorpacket", "joinedGameRoom"] {
        let text = format!("<{name} roomId='r'/>");
        assert_eq!(parse(Season::Season2027, &text), RequestError::OfServer { name: name.to_owned() });
        assert!(matches!(parse(Season::Season2021, &text), RequestError::Unreadable(_)));
    }
    let no_move = RequestError::NotAMove { room: "r".to_owned(), class: "null".to_owned() };
    assert_eq!(parse(Season::Season2027, "<room roomId='r'/>"), no_move);
    assert!(matches!(parse(Season::Season2021, "<room roomId='r'/>"), RequestError::Incomplete(_)));
}

#[test]
fn unknown_children_are_fatal_in_every_message() {
    for season in Season::ALL {
        for text in
            ["<join><x/></join>", "<prepare gameType='g'><slot><x/></slot></prepare>", "<pause roomId='r'><x/></pause>"]
        {
            let error = ClientMessage::parse(&Element::parse(text).unwrap(), season).unwrap_err();
            assert!(matches!(error, RequestError::Unreadable(_)), "{text} in {season}");
        }
    }
}

/// Long texts and control characters are shown as excerpts.
#[test]
fn errors_are_one_short_line() {
    let bad = "\u{1b}[2J".repeat(1000);
    let class = bad.replace('\u{1b}', "&#xa;");
    for season in Season::ALL {
        for text in [
            format!("<{bad}/>"),
            format!("<join><{bad}/></join>"),
            format!("<room roomId='r'><data class='{class}'/></room>"),
        ] {
            let error = ClientMessage::parse(&Element::parse(&text).unwrap(), season).unwrap_err().to_string();
            assert!(!error.contains(char::is_control) && error.chars().count() < 400, "{error}");
        }
    }
}

/// Attributes that are left out are `false`, and names `null`.
#[test]
fn missing_fields_have_defaults() {
    let parse = |season, text: &str| ClientMessage::parse(&Element::parse(text).unwrap(), season);
    let bare = |season| match parse(season, "<prepare gameType='g'><slot/></prepare>") {
        Ok(ClientMessage::Prepare { pause: false, mut slots, .. }) => slots.remove(0),
        other => panic!("{other:?}"),
    };
    let slot = |reserved| Slot { display_name: None, can_timeout: false, reserved };
    assert_eq!((bare(Season::Season2021), bare(Season::Season2027)), (slot(true), slot(false)));
    assert!(matches!(parse(Season::Season2021, "<prepare/>"), Err(RequestError::Incomplete(_))));
    let prepare = parse(Season::Season2027, "<prepare/>");
    assert!(matches!(prepare, Ok(ClientMessage::Prepare { game_type: None, .. })));
    for season in Season::ALL {
        assert_eq!(parse(season, "<cancel/>"), Ok(ClientMessage::Cancel { room: "null".to_owned() }));
    }
}

#[test]
fn rejects_data_without_move() {
    for season in Season::ALL {
        let class = season.move_request_class().to_owned();
        let error = read(season, &format!("<data class='{class}'/>")).unwrap_err();
        assert_eq!(error, RequestError::NotAMove { room: "r".to_owned(), class });
    }
}
