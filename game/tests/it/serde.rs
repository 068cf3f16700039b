//! Values with a notation are serialized as text in that notation.

use std::fmt::{Debug, Display};

use game::{Color, Move, Piece, Placement, Position, Rotation, Rules, Team};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn check<T: Serialize + DeserializeOwned + Display + PartialEq + Debug>(all: impl IntoIterator<Item = T>) {
    for thing in all {
        let json = serde_json::to_string(&thing).unwrap();
        assert_eq!(json, format!("\"{thing}\""));
        assert_eq!(serde_json::from_str::<T>(&json).unwrap(), thing);
        assert_eq!(serde_json::from_value::<T>(json.trim_matches('"').into()).unwrap(), thing);
    }
}

#[test]
fn every_value_round_trips() {
    check(Piece::ALL);
    check(Color::ALL);
    check(Team::ALL);
    check(Rules::ALL.iter().copied());
    check(Rotation::ALL);
    check(Placement::all());
    check([Move::Pass]);
    let mut position = Position::new(Rules::Season2027, Some(Piece::PentoW)).unwrap();
    while let Some(&mv) = position.legal_moves().first() {
        check([mv]);
        check([position]);
        position.play(mv);
    }
    check([position]);
}

#[test]
fn reports_errors_of_notation() {
    let error = |json| serde_json::from_str::<Vec<Move>>(json).unwrap_err().to_string();
    let refused: Result<Move, _> = "PENTO_W@18,0".parse();
    assert!(error(r#"["PASS", "PENTO_W@18,0"]"#).starts_with(&refused.unwrap_err().to_string()));
    assert!(error("[7]").contains("expected a move"), "{}", error("[7]"));
}
