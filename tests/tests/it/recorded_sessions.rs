//! The client in all recorded sessions of the official servers.

use std::sync::atomic::AtomicBool;

use client::exit::Exit;
use client::{JoinMode, Settings, play};
use player::{FromOptions, Options, RandomPlayer};
use protocol::{ClientMessage, RoomData, Season, ServerMessage};
use tests::recordings::{self, Recording};

/// A client has finished if its game is over, and lost the connection if it has only joined. The rest, also
/// administrators, joined no game.
fn expected_exit(recording: &Recording) -> Exit {
    let text = String::from_utf8_lossy(&recording.bytes);
    match text.split_once("<joined ") {
        Some((_, rest)) if rest.contains("<left ") => Exit::Finished,
        Some(_) => Exit::ConnectionLost,
        None => Exit::Rejected,
    }
}

/// Checks the client's moves against the positions it received.
fn assert_answers_are_legal(recording: &Recording, sent: &[u8]) {
    let messages = |bytes| {
        let (elements, error) = recordings::elements(bytes, usize::MAX);
        assert_eq!(error, None);
        elements.into_iter()
    };
    let mut answers = messages(sent);
    let join = answers.next().expect("the client joins");
    assert_eq!((join.name(), join.attribute("reservationCode")), ("joinPrepared", Some("code")));
    let mut next_answer = || {
        let answer = answers.next().expect("the client answers");
        ClientMessage::parse(&answer, recording.season).expect("the server can read the answer")
    };
    let (mut joined, mut state, mut answered) = (false, None, None);
    for element in messages(&recording.bytes) {
        match ServerMessage::parse(&element, recording.season).expect("recordings can be read") {
            ServerMessage::Joined { .. } => joined = true,
            ServerMessage::Room { data: RoomData::Memento(memento), .. } => state = Some(memento),
            ServerMessage::Room { room, data: RoomData::MoveRequest } => {
                let position = state.as_ref().expect("the state comes first").position;
                if answered == Some(position.turn()) {
                    continue;
                }
                answered = Some(position.turn());
                let ClientMessage::Move { room: answer_room, mv } = next_answer() else { panic!("no move") };
                assert_eq!(answer_room, room);
                let mv = mv.check(&position);
                assert!(mv.is_ok(), "{}: {mv:?} in {position}", recording.name);
            }
            ServerMessage::Error { .. } if joined => {}
            ServerMessage::Left { .. } | ServerMessage::Error { .. } => {
                assert_eq!(next_answer(), ClientMessage::Close);
                break;
            }
            _ => {}
        }
    }
    assert_eq!(answers.next(), None, "the client says too much");
}

#[test]
fn plays_recorded_sessions() {
    for recording in recordings::of_servers() {
        // The client starts with the wrong season and must find out.
        let season = if recording.season == Season::Season2021 { Season::Season2027 } else { Season::Season2021 };
        let join_mode = JoinMode::Reservation("code".to_owned());
        let settings = Settings { season, join_mode, ..Settings::default() };
        let (mut player, mut sent) = (RandomPlayer::new(&Options::default()), Vec::new());
        let stop = AtomicBool::new(false);
        let exit = match play(&settings, &mut player, &recording.bytes[..], &mut sent, &stop, &mut |_| {}) {
            Ok(_) => Exit::Finished,
            Err(error) => Exit::of_error(&error),
        };
        assert_eq!(exit, expected_exit(recording), "{} {}", recording.season, recording.name);
        assert_answers_are_legal(recording, &sent);
    }
}
