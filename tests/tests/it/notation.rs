//! Positions and moves as text: errors name the wrong field.

use game::{Color, Move, NotationError, Position, Rules, SetupError, UnknownName};

const POSITION: &str =
    "2027 PENTO_W 4 BYRG - B17YY/BB15YY1/1BB15Y1/20/20/20/20/20/20/20/20/20/20/20/20/20/20/1R15GG1/1RR15GG/RR17G";

/// Returns the position with one field replaced.
fn with_field(number: usize, text: &str) -> String {
    let mut fields: Vec<&str> = POSITION.split(' ').collect();
    fields[number] = text;
    fields.join(" ")
}

#[test]
fn errors_name_the_field() {
    let cases = [
        (1, "PENTO_Q", "start piece"),
        (2, "-1", "turn"),
        (2, "99999999", "turn"),
        (3, "BQ", "colours in play"),
        (4, "blue", "monomino last"),
        (5, "20/20", "board"),
        (5, &POSITION.split(' ').next_back().unwrap().replace("B17YY", "B18YY"), "row of the board"),
        (5, &POSITION.split(' ').next_back().unwrap().replace("B17YY", "B17YX"), "row of the board"),
    ];
    for (number, text, name) in cases {
        match with_field(number, text).parse::<Position>() {
            Err(error @ NotationError::Field { field, .. }) => {
                assert_eq!(field, name);
                assert!(error.to_string().starts_with(name), "{error}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
    let short = "2027 PENTO_W 4".parse::<Position>().unwrap_err().to_string();
    assert!(short.starts_with("position `2027 PENTO_W 4`: expected six fields"), "{short}");
    let unknown = NotationError::Name("2022".parse::<Rules>().unwrap_err());
    assert_eq!(with_field(0, "2022").parse::<Position>(), Err(unknown));
}

#[test]
fn errors_of_moves_name_the_wrong_part() {
    let error = |text: &str| text.parse::<Move>().unwrap_err();
    for (text, offender, wrong) in [
        ("PENTO_Q@0,0", "PENTO_Q", "piece"),
        ("@0,0", "", "piece"),
        ("PENTO_W-UP@0,0", "UP", "rotation"),
        ("PENTO_W-FLIPPED-LEFT@0,0", "FLIPPED-LEFT", "rotation"),
    ] {
        match error(text) {
            NotationError::Name(UnknownName { kind, text, .. }) => assert_eq!((kind, text.as_str()), (wrong, offender)),
            other => panic!("{other:?}"),
        }
    }
    for text in ["PENTO_W@19,19", "MONO@20,0", "MONO@0,-1", "PENTO_I-RIGHT@16,0", "DOMINO-LEFT@2147483647,-2147483648"]
    {
        assert_eq!(error(text), NotationError::OffBoard { text: text.to_owned() });
    }
    for (text, name) in [
        ("", "move"),
        ("pass", "move"),
        ("PENTO_W", "move"),
        ("PENTO_W@0", "placement"),
        ("PENTO_W@0,", "placement"),
        ("MONO@-0,0", "placement"),
        ("PENTO_W@0,0,0", "placement"),
        ("PENTO_W@0 0", "placement"),
        ("PENTO_W@0,9999999999", "placement"),
        ("PENTO_W@0@0,0", "placement"),
    ] {
        match error(text) {
            NotationError::Field { field, text: found, .. } => assert_eq!((field, found.as_str()), (name, text)),
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn rejects_contradictory_fields() {
    let setup_error = |text: String| match text.parse::<Position>() {
        Err(NotationError::Setup(error)) => error,
        other => panic!("{text}: {other:?}"),
    };
    assert!(matches!(setup_error(with_field(1, "-")), SetupError::StartPiece { piece: None, .. }));
    assert!(matches!(setup_error(with_field(1, "MONO")), SetupError::StartPiece { piece: Some(_), .. }));
    assert!(matches!(setup_error(with_field(0, "classic")), SetupError::StartPiece { .. }));
    assert!(matches!(setup_error(POSITION.replace("B17YY", "BB16YY")), SetupError::NoPiece(_)));
    assert!(matches!(setup_error(POSITION.replace("/20/20/20/1R", "/20/B1B17/20/1R")), SetupError::PieceTwice(..)));
}

#[test]
fn rejects_color_without_turn() {
    let no_turn = Err(NotationError::Setup(SetupError::NoTurn(Color::Blue)));
    assert_eq!(with_field(3, "YRG").parse::<Position>(), no_turn);
    assert!(with_field(3, "-").parse::<Position>().is_ok(), "the game is over");
    // Yellow covers the only cell where blue could go on.
    let rows = ["B19/1Y18", &["20"; 18].join("/")].join("/");
    assert_eq!(format!("classic - 4 BYRG - {rows}").parse::<Position>(), no_turn);
}

#[test]
fn turn_wraps_after_last_number() {
    let rows = ["20"; 20].join("/");
    let mut position: Position = format!("classic - 65535 BYRG - B19/{}", &rows[3..]).parse().unwrap();
    assert_eq!(position.color(), Color::Green);
    position.play(Move::Place("MONO@0,19".parse().unwrap()));
    assert_eq!((position.turn(), position.color()), (0, Color::Blue));
}
