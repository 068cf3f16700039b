//! The client in all recorded sessions of the official servers, with bytes arriving in any pieces.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read};
use std::sync::atomic::AtomicBool;

use client::exit::Exit;
use client::{Entry, Event, Settings, play};
use player::{FromOptions, Options, Player, RandomPlayer};
use protocol::{ClientMessage, RoomData, Season, ServerMessage};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tests::recordings::{self, Recording};

/// A connection whose bytes arrive in pieces. Every second read times out.
struct Line<'a> {
    pieces: VecDeque<&'a [u8]>,
    is_silent: bool,
}

impl<'a> Line<'a> {
    /// Creates a line that delivers pieces of these sizes, and the rest in one.
    fn new(mut bytes: &'a [u8], sizes: impl IntoIterator<Item = usize>) -> Self {
        let pieces = sizes.into_iter().chain([usize::MAX]).map(|size| {
            let piece;
            (piece, bytes) = bytes.split_at(size.min(bytes.len()));
            piece
        });
        Self { pieces: pieces.filter(|piece| !piece.is_empty()).collect(), is_silent: false }
    }
}

impl Read for Line<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.is_silent = !self.is_silent;
        if self.is_silent {
            return Err(ErrorKind::WouldBlock.into());
        }
        let Some(piece) = self.pieces.front_mut() else { return Ok(0) };
        let length = piece.read(buffer)?;
        if piece.is_empty() {
            self.pieces.pop_front();
        }
        Ok(length)
    }
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
    let line = Line::new(&recording.bytes, sizes);
    let exit = match play(&settings, player, line, &mut sent, &AtomicBool::new(false), &mut watch) {
        Ok(_) => Exit::Finished,
        Err(error) => Exit::of_error(&error),
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

/// Bytes arrive one by one in short sessions, and in pieces of any size in long ones.
#[test]
fn plays_recorded_sessions() {
    for recording in recordings::of_servers() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let length = recording.bytes.len();
        let sizes = (0..length).map(|_| if length < 20_000 { 1 } else { 1 << rng.random_range(0..18) });
        let mut player = RandomPlayer::new(&Options::default());
        assert_replay(recording, &replay(recording, &mut player, sizes));
    }
}
