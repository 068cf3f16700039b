//! The client in all recorded sessions of the official servers, with bytes arriving in any pieces.

use std::sync::atomic::AtomicBool;

use client::exit::Exit;
use client::{Entry, Event, Settings, play};
use player::{FromOptions, HeuristicPlayer, Options, Player, RandomPlayer};
use protocol::{ClientMessage, RoomData, Season, ServerMessage};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tests::faulty::{Arrival, Line};
use tests::recordings::{self, Recording};

/// Bytes that arrive in pieces of these sizes, each after a silence, and the rest in one piece.
fn in_pieces(mut bytes: &[u8], sizes: impl IntoIterator<Item = usize>) -> Line<'_> {
    let pieces = sizes.into_iter().chain([usize::MAX]).map(|size| {
        let piece;
        (piece, bytes) = bytes.split_at(size.min(bytes.len()));
        piece
    });
    let pieces: Vec<_> = pieces.filter(|piece| !piece.is_empty()).collect();
    pieces.into_iter().flat_map(|piece| [Arrival::Silence, Arrival::Bytes(piece)]).collect()
}

/// The output of a session.
struct Replay {
    exit: Exit,
    /// Every state as the client parsed it, written again.
    states: Vec<String>,
    sent: Vec<u8>,
}

fn replay(recording: &Recording, player: &mut dyn Player, sizes: impl IntoIterator<Item = usize>) -> Replay {
    // The client starts with the wrong season and must find out.
    let season = if recording.season == Season::Season2021 { Season::Season2027 } else { Season::Season2021 };
    let entry = Entry::Reservation("code".to_owned());
    let settings = Settings { season, entry, ..Settings::default() };
    let mut states = Vec::new();
    let mut watch = |event: Event| {
        if let Event::State(state) = event {
            let data = RoomData::Memento(Box::new(state.clone()));
            let message = ServerMessage::Room { room: String::new(), data }.to_element(recording.season);
            let state = &message.children()[0].children()[0];
            states.push(state.to_xml(3));
        }
    };
    let mut sent = Vec::new();
    let line = in_pieces(&recording.bytes, sizes);
    let exit = match play(&settings, player, line, &mut sent, &AtomicBool::new(false), &mut watch) {
        Ok(_) => Exit::Finished,
        Err(error) => Exit::of_error(&error.into()),
    };
    Replay { exit, states, sent }
}

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

fn assert_replay(recording: &Recording, replay: &Replay) {
    let name = format!("{} {}", recording.season, recording.name);
    assert_eq!(replay.exit, expected_exit(recording), "{name}");
    let mut text = str::from_utf8(&recording.bytes).expect("recordings are UTF-8");
    assert_eq!(replay.states.len(), text.matches("<state ").count(), "{name}");
    for state in &replay.states {
        let at = text.find(state).unwrap_or_else(|| panic!("{name}: this is not what the server said: {state}"));
        text = &text[at + state.len()..];
    }
    assert_answers_are_legal(recording, &replay.sent);
}

#[test]
fn plays_session_in_one_piece() {
    for recording in recordings::of_servers() {
        let mut player = HeuristicPlayer::new(&Options::default());
        assert_replay(recording, &replay(recording, &mut player, []));
    }
}

/// Bytes arrive one by one in short sessions, and in random pieces in some long ones.
#[test]
fn plays_session_in_small_pieces() {
    for recording in recordings::of_servers() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let length = recording.bytes.len();
        if length > 100_000 && !recording.name.contains("mono-last") {
            continue;
        }
        let sizes = (0..length).map(|_| if length < 20_000 { 1 } else { rng.random_range(1..2000) });
        let mut player = RandomPlayer::new(&Options::default());
        assert_replay(recording, &replay(recording, &mut player, sizes));
    }
}
