//! The client in all recorded sessions of the official servers, with bytes arriving in any pieces.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read};
use std::sync::atomic::AtomicBool;

use client::exit::Exit;
use client::{Entry, Event, Settings, play};
use player::{FromOptions, HeuristicPlayer, Options, Player, RandomPlayer};
use protocol::{ClientMessage, Frame, Framer, RoomData, Season, ServerMessage};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tests::recordings::{self, Recording};

/// Bytes that arrive in pieces, sometimes after a silence.
struct Line<'a> {
    pieces: VecDeque<&'a [u8]>,
    silent: bool,
}

impl<'a> Line<'a> {
    fn new(mut bytes: &'a [u8], sizes: impl IntoIterator<Item = usize>) -> Self {
        let mut pieces = VecDeque::new();
        for size in sizes {
            let (piece, rest) = bytes.split_at(size.min(bytes.len()));
            pieces.push_back(piece);
            bytes = rest;
        }
        pieces.push_back(bytes);
        pieces.retain(|piece| !piece.is_empty());
        Self { pieces, silent: false }
    }
}

impl Read for Line<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.silent = !self.silent;
        if self.silent {
            return Err(ErrorKind::WouldBlock.into());
        }
        let Some(piece) = self.pieces.pop_front() else { return Ok(0) };
        let length = piece.len().min(buffer.len());
        buffer[..length].copy_from_slice(&piece[..length]);
        if length < piece.len() {
            self.pieces.push_front(&piece[length..]);
        }
        Ok(length)
    }
}

/// What came out of a session.
struct Replay {
    exit: Exit,
    /// Every state as the client understood it, written down again.
    states: Vec<String>,
    sent: Vec<u8>,
}

fn replay(recording: &Recording, player: &mut dyn Player, sizes: impl IntoIterator<Item = usize>) -> Replay {
    // The client is told the wrong season and must find out.
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
        Err(error) => Exit::of_error(&error.into()),
    };
    Replay { exit, states, sent }
}

/// A client whose game was over has finished, any other that was let in has lost the connection, and the rest were
/// not let in, as administrators, who hear of games that they have not joined.
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
    let messages = |bytes: &[u8]| {
        let mut framer = Framer::new(Framer::DEFAULT_LIMIT);
        framer.push(bytes);
        let mut elements = Vec::new();
        while let Some(frame) = framer.next_frame().expect("bytes are well-formed") {
            if let Frame::Element(element) = frame {
                elements.push(element);
            }
        }
        elements
    };
    let mut answers = messages(sent).into_iter();
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
            ServerMessage::Room { data: RoomData::Memento(told), .. } => state = Some(told),
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
fn in_one_piece() {
    for recording in recordings::of_servers() {
        let mut player = HeuristicPlayer::new(&Options::default());
        assert_replay(&recording, &replay(&recording, &mut player, []));
    }
}

#[test]
fn in_the_recorded_pieces() {
    let mut recorded = 0;
    for recording in recordings::of_servers() {
        let Some(chunks) = recording.chunks() else { continue };
        assert!(chunks.iter().sum::<usize>() >= recording.bytes.len(), "{}", recording.name);
        let mut player = RandomPlayer::new(&Options::default());
        assert_replay(&recording, &replay(&recording, &mut player, chunks));
        recorded += 1;
    }
    assert!(recorded > 0 || recordings::of_servers().is_empty());
}

/// Whole games have ten million bytes, which would take minutes; they arrive in random pieces.
#[test]
fn byte_by_byte() {
    for recording in recordings::of_servers().into_iter().filter(|recording| recording.bytes.len() < 100_000) {
        let mut player = RandomPlayer::new(&Options::default());
        assert_replay(&recording, &replay(&recording, &mut player, std::iter::repeat_n(1, recording.bytes.len())));
    }
}

#[test]
fn in_random_pieces() {
    for recording in recordings::of_servers() {
        for seed in 0..3 {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let sizes: Vec<usize> = (0..recording.bytes.len() / 50).map(|_| rng.random_range(1..2000)).collect();
            let mut player = RandomPlayer::new(&Options { seed, ..Options::default() });
            assert_replay(&recording, &replay(&recording, &mut player, sizes));
        }
    }
}
