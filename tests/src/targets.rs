//! Functions for fuzzers: they take any bytes and panic if a program handles them wrongly.
//!
//! The fuzzers are in the folder `tools/fuzz`; the test `fuzz_corpus` calls the functions with the inputs stored there.

use std::error::Error;
use std::fs;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use client::Settings;
use client::gtp::Engine;
use game::{Move, Piece, Position, Rules};
use picture::{Labels, Picture};
use player::experience::{Experience, MoveExperience};
use player::model::{Model, WeightsFile};
use player::{Budget, FromOptions, MctsPlayer, Options, Player, RandomPlayer, SearchLimits};
use protocol::{ClientMessage, Element, Replay, RoomData, Season, ServerMessage};
use record::{file, json, selfplay, sgf};
use tempfile::tempdir;

use crate::recordings;

/// A function that takes any bytes.
pub type Target = fn(&[u8]);

/// All of them, by the names of their folders in `tools/fuzz/corpus`.
pub const ALL: [(&str, Target); 9] = [
    ("messages", messages),
    ("session", session),
    ("notation", notation),
    ("replay", replay),
    ("games", games),
    ("gtp", gtp),
    ("weights", weights),
    ("experience", experience),
    ("selfplay", selfplay),
];

/// Splits the bytes into elements, independent of the pieces they arrive in, and parses them as messages of servers and
/// clients. Parsed messages can be written and parsed again.
pub fn messages(bytes: &[u8]) {
    let size = bytes.first().map_or(1, |&byte| usize::from(byte).max(1));
    let (elements, error) = recordings::elements(bytes, usize::MAX);
    let (in_pieces, error_in_pieces) = recordings::elements(bytes, size);
    assert_eq!(elements, in_pieces, "in pieces of {size}");
    assert_eq!(error.is_some(), error_in_pieces.is_some(), "{error:?}, in pieces of {size} {error_in_pieces:?}");
    for element in elements {
        let again = Element::parse(&element.to_xml(1)).expect("the written file is valid");
        assert!(is_mixed(&element) || again.to_xml(1) == element.to_xml(1), "{element:?} {again:?}");
        for &season in Season::ALL {
            if let Ok(message) = ServerMessage::parse(&element, season) {
                let written = message.to_element(season);
                let again = ServerMessage::parse(&written, season).expect("the written file is valid");
                assert_eq!(again.to_element(season), written);
                if let ServerMessage::Room { data: RoomData::Memento(state), .. } = message {
                    _ = state.inconsistencies(None);
                    use_position(&state.position);
                }
            }
            if let Ok(message) = ClientMessage::parse(&element, season) {
                let written = message.to_element(season);
                let again = ClientMessage::parse(&written, season).expect("the written file is valid");
                assert_eq!(again.to_element(season), written);
            }
        }
    }
}

/// Lets a client play with a server that sends these bytes.
pub fn session(bytes: &[u8]) {
    let settings = Settings { budget: Budget::time(Duration::from_secs(2)), ..Settings::default() };
    let (mut player, mut sent) = (RandomPlayer::new(&Options::default()), Vec::new());
    let message = match client::play(&settings, &mut player, bytes, &mut sent, &AtomicBool::new(false), &mut |_| {}) {
        Ok(outcome) => outcome.to_string(),
        Err(error) => error.to_string(),
    };
    assert!(!message.is_empty());
    assert_eq!(recordings::elements(&sent, usize::MAX).1, None, "the client sends well-formed messages");
}

/// Reads the bytes as a position, a move, and a move of the Go Text Protocol.
pub fn notation(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    if let Ok(position) = text.parse::<Position>() {
        assert_eq!(position.to_string().parse(), Ok(position));
        use_position(&position);
        _ = Picture { labels: Labels::Points, ..Picture::new(&position) }.to_string();
    }
    if let Ok(mv) = text.parse::<Move>() {
        assert_eq!(mv.to_string().parse(), Ok(mv));
    }
    if let Some(mv) = protocol::gtp::read_move(text) {
        assert_eq!(protocol::gtp::read_move(&protocol::gtp::write_move(mv)), Some(mv));
    }
}

/// Reads the bytes as a replay, and its game.
pub fn replay(bytes: &[u8]) {
    let Ok(replay) = Replay::parse(bytes) else { return };
    let again = Replay::parse(replay.to_xml().as_bytes()).expect("the written file is valid");
    assert_eq!(again.states.len(), replay.states.len());
    if let Ok(game) = record::replay::read(&replay) {
        use_position(&game.end());
    }
}

/// Reads the bytes as a file of games of any kind, compressed or not. The games can be written in every format and read
/// again.
pub fn games(bytes: &[u8]) {
    let games = match file::read(bytes) {
        Ok(games) => games,
        Err(error) => return assert_is_message(&error),
    };
    for game in games {
        let game = match game {
            Ok(game) => game,
            Err(error) => {
                assert_is_message(&error);
                continue;
            }
        };
        assert_eq!(json::read_line(&json::write(&game), 1).as_ref(), Ok(&game));
        let of_pentobi = sgf::read(&sgf::write(&game)).expect("the written file is valid");
        assert_eq!(of_pentobi[0].end(), game.end());
        use_position(&game.end());
    }
}

/// Gives the bytes to an engine as commands. Every command gets one answer, and one that fails changes nothing.
pub fn gtp(bytes: &[u8]) {
    // `savesgf` would write an arbitrary file.
    let text = String::from_utf8_lossy(bytes);
    if text.replace(char::is_control, "").contains("savesgf") {
        return;
    }
    let engine = || {
        let make = Box::new(player::boxed::<RandomPlayer>);
        Engine::new(make, Rules::Season2027, Budget::nodes(1), Options::default())
    };
    let (mut engine, mut other) = (engine(), engine());
    for line in text.lines() {
        let before = *engine.game().position();
        let Some(answer) = client::gtp::answer(&mut engine, line) else { continue };
        assert!(
            answer.starts_with(['=', '?']) && answer.find("\n\n") == Some(answer.len() - 2),
            "{line:?}: {answer:?}"
        );
        let position = *engine.game().position();
        assert!(answer.starts_with('=') || position == before, "{line:?} failed and changed the position");
        assert_eq!(position.to_string().parse(), Ok(position));
    }
    let mut answers = Vec::new();
    client::gtp::serve(&mut other, bytes, &mut answers).expect("nothing fails in memory");
    let answers = String::from_utf8(answers).expect("answers are text");
    assert!(answers.is_empty() || answers.ends_with("\n\n"), "{answers:?}");
}

/// Reads the bytes as a file of weights, whatever its checksum, and lets a player search with them.
pub fn weights(bytes: &[u8]) {
    let signed = with_weights_checksum(bytes);
    let mut model = Model::clone(&Model::built_in());
    let used = WeightsFile::from_bytes(&signed).and_then(|file| {
        assert_eq!(file.to_bytes(), signed);
        model.replace(file)
    });
    if let Err(error) = used {
        return assert_is_message(&error);
    }
    search(Options { model: model.into(), ..Options::default() });
}

/// Reads the bytes as a file of experience, whatever its checksum, and lets a player search with it and add to it.
pub fn experience(bytes: &[u8]) {
    let folder = tempdir().expect("there is a folder for files of the moment");
    let path = folder.path().join("experience");
    fs::write(&path, with_experience_checksum(bytes)).expect("the file can be written");
    let experience = match Experience::open(&path) {
        Ok(experience) => experience,
        Err(error) => return assert_is_message(&error),
    };
    if !path.exists() {
        // The file was damaged and has been renamed.
        return;
    }
    let start = start();
    let before = experience.lookup(&start).len();
    search(Options { experience: Some(experience.clone()), ..Options::default() });
    let placement = start.placements()[0];
    experience.add([(start, placement, MoveExperience { games: 1, win: 0.5, simulations: 1.0 })]);
    let again = Experience::open(&path).expect("the written file is valid");
    assert_eq!(again.lookup(&start), experience.lookup(&start));
    assert!(again.lookup(&start).len() >= before.max(1), "known results are kept");
}

/// Reads the bytes as a self-play game. The game can be written and read again.
pub fn selfplay(bytes: &[u8]) {
    let (game, positions) = match selfplay::SelfPlayGame::read(bytes) {
        Ok(read) => read,
        Err(error) => return assert_is_message(&error),
    };
    let mut written = Vec::new();
    game.write(&mut written);
    assert_eq!(written, bytes);
    positions.iter().for_each(use_position);
}

/// Checks that an error is one short line without control characters. An excerpt of 120 characters has up to 1,200,
/// since each may be escaped.
fn assert_is_message(error: &impl Error) {
    let text = error.to_string();
    assert!(!text.contains(char::is_control) && text.chars().count() < 2000, "{text:?}");
}

/// Returns the start of a game of the running season.
fn start() -> Position {
    Position::new(Rules::Season2027, Some(Piece::PentoW)).expect("PENTO_W is a start piece")
}

/// Lets a player choose the first moves of a game. They must be legal.
fn search(options: Options) {
    let mut player = MctsPlayer::new(&Options { memory: 1 << 20, ..options });
    let mut position = start();
    for _ in 0..6 {
        let report = player.choose(&position, &SearchLimits::nodes(20));
        position.try_play(report.mv).expect("what a player chooses is legal");
    }
}

/// Returns the bytes with the length and checksum of weights that fit them, which a fuzzer would not come upon.
fn with_weights_checksum(bytes: &[u8]) -> Vec<u8> {
    // Signature and version stand before them.
    const LENGTH: usize = 12;
    const BODY: usize = 20;
    let mut signed = bytes.to_vec();
    if let Some(body) = bytes.get(BODY..) {
        signed[LENGTH..LENGTH + 4].copy_from_slice(&(body.len() as u32).to_le_bytes());
        signed[LENGTH + 4..BODY].copy_from_slice(&crc32fast::hash(body).to_le_bytes());
    }
    signed
}

/// Returns the bytes with a checksum at the end of their first line that fits the others.
fn with_experience_checksum(bytes: &[u8]) -> Vec<u8> {
    const DIGITS: usize = 8;
    let mut signed = bytes.to_vec();
    if let Some(end) = bytes.iter().position(|&byte| byte == b'\n').filter(|&end| end >= DIGITS) {
        let checksum = format!("{:08x}", crc32fast::hash(&bytes[end + 1..]));
        signed[end - DIGITS..end].copy_from_slice(checksum.as_bytes());
    }
    signed
}

/// Returns `true` if an element has children as well as text, between which spaces are not kept.
fn is_mixed(element: &Element) -> bool {
    let children = element.children();
    !children.is_empty() && !element.text().is_empty() || children.iter().any(is_mixed)
}

/// Makes all moves of a position that came from outside.
fn use_position(position: &Position) {
    let placements = position.placements();
    // A position from outside may be over although pieces fit.
    let count = if position.is_over() { 0 } else { position.board().count_placements(position.color()) };
    assert_eq!(placements.len(), count);
    for mv in placements.into_iter().map(Move::Place).chain([Move::Pass]) {
        let mut next = *position;
        let is_legal = position.check(mv).is_ok();
        assert_eq!(next.try_play(mv).is_ok(), is_legal);
        assert_eq!(next.zobrist_hash(), next.recomputed_hash());
    }
}
