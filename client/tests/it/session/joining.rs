//! Joining a game, and failing to.

use super::*;

#[test]
fn joins_in_every_way() {
    for (season, join_mode, expected) in [
        (Season::Season2021, JoinMode::Any, "<join gameType=\"swc_2021_blokus\"/>"),
        (Season::Season2027, JoinMode::Any, "<join gameType=\"swc_2027_blokus\"/>"),
        (Season::Season2027, JoinMode::Reservation("a-b".to_owned()), "<joinPrepared reservationCode=\"a-b\"/>"),
        (Season::Season2027, JoinMode::Room("r".to_owned()), "<joinRoom roomId=\"r\"/>"),
    ] {
        let mut output = Vec::new();
        let settings = Settings { join_mode, ..settings(season) };
        _ = play(&settings, &mut random(), io::empty(), &mut output, &AtomicBool::new(false), &mut |_| {});
        assert_eq!(String::from_utf8(output).unwrap(), format!("<protocol>\n  {expected}"));
    }
}

#[test]
fn joins_loaded_game() {
    let (_, sent) = talk(
        Season::Season2021,
        &xml(Season::Season2027, &[joined(), memento(Season::Season2027, 30), room(RoomData::MoveRequest)]),
    );
    let answer = ClientMessage::parse(&sent[1], Season::Season2027).unwrap();
    let ClientMessage::Move { mv, .. } = answer else { panic!("{answer:?}") };
    let ServerMessage::Room { data: RoomData::Memento(state), .. } = memento(Season::Season2027, 30) else { panic!() };
    assert!(mv.check(&state.position).is_ok());
}

/// A client that asks for a second game while it plays gets a room in addition.
#[test]
fn second_room_does_not_end_game() {
    for &season in Season::ALL {
        let request = || room(RoomData::MoveRequest);
        let second = ServerMessage::Joined { room: "second".to_owned() };
        let start = [joined(), room(RoomData::Welcome(Team::One)), memento(season, 0), second, request()];
        let messages = [&start[..], &[memento(season, 2), request(), left()]].concat();
        let (outcome, sent) = talk(season, &xml(season, &messages));
        assert_eq!(outcome.unwrap(), GameOutcome { team: Some(Team::One), result: None });
        assert_eq!(names(&sent), ["join", "room", "room", season.close_element()]);
        assert!(sent[1..3].iter().all(|message| message.attribute("roomId") == Some("r")));
    }
}

#[test]
fn plays_without_confirmation_of_joining() {
    for &season in Season::ALL {
        let messages = [memento(season, 0), room(RoomData::MoveRequest)];
        let (outcome, sent) = talk(season, &xml(season, &messages));
        assert_eq!(names(&sent), ["join", "room"]);
        assert_eq!(sent[1].attribute("roomId"), Some("r"));
        assert!(matches!(outcome, Err(SessionError::ConnectionLost(_))), "{outcome:?}");
    }
}

/// A connection that the network resets.
struct Reset;

impl io::Read for Reset {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::ConnectionReset.into())
    }
}

#[test]
fn distinguishes_failures() {
    let season = Season::Season2027;
    let error = ServerMessage::Error { message: "no such room".to_owned(), request: None };
    let failure = |messages: &[ServerMessage]| talk(season, &xml(season, messages)).0.unwrap_err();
    assert!(matches!(failure(&[]), SessionError::Rejected(_)));
    assert!(matches!(failure(&[ServerMessage::Close]), SessionError::Rejected(_)));
    assert!(matches!(failure(std::slice::from_ref(&error)), SessionError::Rejected(text) if text == "no such room"));
    let unexplained = ServerMessage::Error { message: " ".to_owned(), request: None };
    assert!(matches!(failure(&[unexplained]), SessionError::Rejected(text) if text == "it gave no reason"));
    let lost = failure(&[joined(), error]);
    assert!(matches!(&lost, SessionError::ConnectionLost(text) if text.contains("no such room")), "{lost}");
    // The requested kind of game, not the one of the server.
    let other = talk(season, &xml(Season::Season2021, &[ServerMessage::Close])).0.unwrap_err().to_string();
    assert!(other.contains("a server of season 2021 and does not play swc_2027_blokus."), "{other}");
    let same = talk(season, "<protocol></protocol>").0.unwrap_err().to_string();
    assert!(same.ends_with("to join, as official servers do if they do not offer swc_2027_blokus."), "{same}");
    let fail = |join_mode, reader: &mut dyn io::Read| {
        let settings = Settings { join_mode, ..settings(season) };
        play(&settings, &mut random(), reader, io::sink(), &AtomicBool::new(false), &mut |_| {}).unwrap_err()
    };
    let reserved = fail(JoinMode::Reservation("c".to_owned()), &mut io::empty()).to_string();
    assert!(reserved.ends_with("without an answer to the request to join."), "{reserved}");
    let reset = fail(JoinMode::Any, &mut Reset).to_string();
    assert_eq!(reset, "the connection was lost before the game ended: connection reset.");
    for nonsense in ["HTTP/1.1 400 Bad Request\r\n", "<protocol><<", "<protocol><a></b>"] {
        let (outcome, _) = talk(season, nonsense);
        assert!(matches!(outcome, Err(SessionError::Protocol(_))), "{outcome:?}");
    }
}
