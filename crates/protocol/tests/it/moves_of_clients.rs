//! Moves of clients are accepted and refused exactly as by the official servers, case by case of the table in the notes
//! on the protocol.

use game::{IllegalMove, Move, Piece, Placement, Position};
use protocol::{ClientMessage, ClientMessageError, Element, Season, WireMove};

fn parse(season: Season, text: &str) -> Result<ClientMessage, ClientMessageError> {
    let text = text.replace("PLUGIN", &format!("sc.plugin{season}"));
    ClientMessage::parse(&Element::parse(&text).expect("test data is XML"), season)
}

/// Returns the move of a message to a game.
fn read(season: Season, data: &str) -> Result<WireMove, ClientMessageError> {
    match parse(season, &format!("<room roomId='r'>{data}</room>"))? {
        ClientMessage::Move { room, mv } if room == "r" => Ok(mv),
        other => panic!("{other:?}"),
    }
}

/// Judges a first move of blue when the start piece is `PENTO_U`.
fn judge(season: Season, data: &str) -> Result<Result<Move, IllegalMove>, ClientMessageError> {
    let position = Position::new(season.rules(), Some(Piece::PentoU)).expect("all seasons know the PENTO_U");
    read(season, data).map(|mv| mv.check(&position))
}

/// Data that places a piece.
fn set(piece: &str) -> String {
    format!("<data class='PLUGIN.SetMove' extra=''>{piece}</data>")
}

#[test]
fn accepts_valid_moves() {
    let left = |piece: &str| ("PENTO_U-LEFT@0,17", set(piece));
    let mut moves = vec![
        left("<piece color='BLUE' kind='PENTO_U' rotation='LEFT' isFlipped='false'><position x='0' y='17'/></piece>"),
        left(
            "<piece isFlipped='no' rotation='LEFT' speed='9' kind='PENTO_U' color='BLUE'><position z='1' y='17' x='0'/></piece>",
        ),
        left(
            "<piece><color>BLUE</color><kind>PENTO_U</kind><rotation>LEFT</rotation><position><x>0</x><y>17</y></position></piece>",
        ),
        left("<piece color='BLUE' kind='PENTO_U' rotation='LEFT'><position x='0' y='17'/></piece>"),
        (
            "PENTO_U-RIGHT@0,17",
            set("<piece color='BLUE' kind='PENTO_U' rotation='LEFT' isFlipped='TRUE'><position x='0' y='17'/></piece>"),
        ),
    ];
    // Numbers in every form that Java reads, and children in lower case.
    moves.extend(["17", "+17", "0x11", "0X11", "#11", "+#11", "021"].map(|y| {
        let place = format!("<position x='0' y='{y}'/>");
        left(&format!("<piece><color>blue</color><kind>Pento_u</kind><rotation>left</rotation>{place}</piece>"))
    }));
    for &season in Season::ALL {
        for (expected, data) in &moves {
            let expected: Placement = expected.parse().unwrap();
            assert_eq!(judge(season, data).unwrap(), Ok(Move::Place(expected)), "{data}");
        }
    }
}

#[test]
fn rejects_illegal_moves() {
    let at = |color: &str, x: &str, y: &str| {
        set(&format!("<piece {color} kind='PENTO_U' rotation='LEFT'><position x='{x}' y='{y}'/></piece>"))
    };
    for &season in Season::ALL {
        for (data, reason) in [
            (at("", "0", "17"), IllegalMove::WrongColor),
            (at("color='RED'", "0", "17"), IllegalMove::WrongColor),
            (at("color='BLUE'", "-1", "2147483647"), IllegalMove::OutOfBounds),
            // The number wraps around.
            (at("color='BLUE'", "0", "2147483648"), IllegalMove::OutOfBounds),
            ("<data class='PLUGIN.SkipMove'><color>BLUE</color></data>".to_owned(), IllegalMove::PassOnFirstMove),
            ("<data class='PLUGIN.SkipMove'/>".to_owned(), IllegalMove::WrongColor),
            ("<data class='PLUGIN.SkipMove' color='BLUE'/>".to_owned(), IllegalMove::WrongColor),
        ] {
            assert_eq!(judge(season, &data).unwrap(), Err(reason), "{data}");
        }
    }
}

#[test]
fn unreadable_messages_close_connection() {
    // The attributes of a piece, and everything in it.
    let piece = |attributes: &str, content: &str| set(&format!("<piece {attributes}>{content}</piece>"));
    let blue = |content: &str| piece("color='BLUE' kind='PENTO_U' rotation='LEFT'", content);
    let there = "<position x='0' y='1'/>";
    let data = [
        blue("<position x='0' y='1'/><hint/>"),
        blue("<position x='0' y='1'><z/></position>"),
        blue("<position x='0' y='1'/><position x='0' y='1'/>"),
        blue("<position x='0' y='1'><x>0</x></position>"),
        blue("<color>BLUE</color><position x='0' y='1'/>"),
        blue("<position x='0' y='one'/>"),
        blue("<position x='0' y='4294967296'/>"),
        blue("<position x='0' y='08'/>"),
        blue("<position x='0' y=' 1'/>"),
        blue("<position x='0' y=''/>"),
        piece("color='blue' kind='PENTO_U' rotation='LEFT'", there),
        piece("color='BLUE' kind='U' rotation='LEFT'", there),
        piece("color='BLUE' kind='PENTO_U' rotation='left'", there),
        piece("color='BLUE' color='BLUE' kind='PENTO_U' rotation='LEFT'", there),
        piece("class='stone' color='BLUE' kind='PENTO_U' rotation='LEFT'", there),
        piece("color='BLUE' rotation='LEFT'", &format!("<kind> PENTO_U</kind>{there}")),
        set(&format!("<piece color='BLUE' kind='PENTO_U' rotation='LEFT'>{there}</piece><hint content='x'/>")),
        "<data class='PLUGIN.SkipMove'><color>BLUE</color><color>BLUE</color></data>".to_owned(),
        "<data class='PLUGIN.SkipMove'><color> BLUE </color></data>".to_owned(),
        "<data class='PLUGIN.SkipMove'><color/></data>".to_owned(),
        "<data class='PLUGIN.SkipMove'/><data class='PLUGIN.SkipMove'/>".to_owned(),
        "<data class='welcomeMessage'><hint/></data>".to_owned(),
        "<data class='setmove'/>".to_owned(),
        "<data class='sc.plugin2020.SetMove'/>".to_owned(),
        "<data><piece/></data>".to_owned(),
    ];
    let unreadable = data.map(|data| format!("<room roomId='r'>{data}</room>")).into_iter().chain(
        [
            "<unknown/>",
            "<join><x/></join>",
            "<prepare gameType='g'><slot><x/></slot></prepare>",
            "<pause roomId='r'><x/></pause>",
        ]
        .map(str::to_owned),
    );
    let unreadable: Vec<String> = unreadable.collect();
    for &season in Season::ALL {
        let other = if season == Season::Season2021 { "<close/>" } else { "<testMode/>" };
        for text in unreadable.iter().map(String::as_str).chain([other]) {
            assert!(matches!(parse(season, text), Err(ClientMessageError::Unreadable(_))), "{text} in {season}");
        }
        for data in [
            piece("x='0' y='1' color='BLUE' kind='PENTO_U' rotation='LEFT'", ""),
            piece("color='BLUE' kind='PENTO_U'", there),
            set(""),
        ] {
            assert!(matches!(read(season, &data), Err(ClientMessageError::Incomplete(_))), "{data}");
        }
    }
}

/// Season 2027 answers these; season 2021 closes the connection.
#[test]
fn rejects_messages_without_move() {
    for name in ["joined", "left", "prepared", "observed", "errorpacket", "joinedGameRoom"] {
        let text = format!("<{name} roomId='r'/>");
        assert_eq!(parse(Season::Season2027, &text), Err(ClientMessageError::OfServer { name: name.to_owned() }));
        assert!(matches!(parse(Season::Season2021, &text), Err(ClientMessageError::Unreadable(_))));
    }
    let no_move = |class: &str| ClientMessageError::NotAMove { room: "r".to_owned(), class: class.to_owned() };
    assert_eq!(read(Season::Season2027, ""), Err(no_move("null")));
    assert!(matches!(read(Season::Season2021, ""), Err(ClientMessageError::Incomplete(_))));
    for &season in Season::ALL {
        let class = season.move_request_class();
        assert_eq!(read(season, &format!("<data class='{class}'/>")), Err(no_move(class)));
    }
}

/// Long texts and control characters are shown as excerpts.
#[test]
fn errors_are_one_short_line() {
    let bad = "\u{1b}[2J".repeat(1000);
    let class = bad.replace('\u{1b}', "&#xa;");
    for &season in Season::ALL {
        for text in [
            format!("<{bad}/>"),
            format!("<join><{bad}/></join>"),
            format!("<room roomId='r'><data class='{class}'/></room>"),
        ] {
            let error = parse(season, &text).unwrap_err().to_string();
            assert!(!error.contains(char::is_control) && error.chars().count() < 400, "{error}");
        }
    }
}
