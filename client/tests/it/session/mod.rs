//! Sessions with a server that is played by the test, without a network.

mod ending;
mod joining;
mod messages;
mod pondering;
mod silence;
mod time;

use std::io::{self, Cursor, Read, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use client::{GameOutcome, JoinMode, SessionError, SessionEvent, Settings, play};
use game::{Move, Piece, Position, Rules, Team};
use player::{Budget, FromOptions, HeuristicPlayer, Options, Player, RandomPlayer, Report, SearchLimits};
use protocol::{
    Cause, ClientMessage, Element, Frame, Framer, GameResult, OPENING, RoomData, Score, Season, ServerMessage, State,
    WireMove,
};

const TIME: Duration = Duration::from_millis(1900);

fn settings(season: Season) -> Settings {
    Settings { season, budget: Budget::time(TIME), ..Settings::default() }
}

fn room(data: RoomData) -> ServerMessage {
    ServerMessage::Room { room: "r".to_owned(), data }
}

fn joined() -> ServerMessage {
    ServerMessage::Joined { room: "r".to_owned() }
}

fn left() -> ServerMessage {
    ServerMessage::Left { room: "r".to_owned() }
}

/// Returns the state after this number of turns with the first legal placements.
fn memento(season: Season, turns: u16) -> ServerMessage {
    let mut position = Position::new(season.rules(), Some(Piece::PentoL)).unwrap();
    while position.turn() < turns {
        let placements = position.board().placements(position.color());
        position.play(Move::Place(placements[0]));
    }
    room(RoomData::Memento(Box::new(State::new(season, position, None, ["", ""]))))
}

fn result(scores: [(i32, i32); 2], winners: &[Team]) -> GameResult {
    let scores = scores.map(|(victory, points)| Score::new(Cause::Regular, victory, points));
    GameResult { scores, is_lone: false, winners: winners.to_vec(), regular: true, reason: String::new() }
}

fn text(season: Season, messages: &[ServerMessage]) -> String {
    messages.iter().map(|message| message.to_element(season).to_xml(1)).collect()
}

/// Returns the messages with the beginning of the document.
fn xml(season: Season, messages: &[ServerMessage]) -> String {
    OPENING.to_owned() + &text(season, messages)
}

fn sent(bytes: &[u8]) -> Vec<Element> {
    let mut framer = Framer::default();
    framer.push(bytes);
    let frames = std::iter::from_fn(|| framer.next_frame().unwrap());
    frames.filter_map(|frame| if let Frame::Element(element) = frame { Some(element) } else { None }).collect()
}

/// Returns the outcome of a session with this server, and the messages of the client.
fn run(
    settings: &Settings,
    player: &mut dyn Player,
    server: impl Read,
) -> (Result<GameOutcome, SessionError>, Vec<Element>) {
    let mut output = Vec::new();
    let outcome = play(settings, player, server, &mut output, &AtomicBool::new(false), &mut |_| {});
    (outcome, sent(&output))
}

fn random() -> RandomPlayer {
    RandomPlayer::new(&Options::default())
}

/// Chooses moves with a function.
struct FnPlayer<F>(F);

impl<F: FnMut(&Position, &SearchLimits) -> Report + Send> Player for FnPlayer<F> {
    fn name(&self) -> &'static str {
        "function"
    }

    fn choose(&mut self, position: &Position, limit: &SearchLimits) -> Report {
        (self.0)(position, limit)
    }
}

fn talk(season: Season, server: &str) -> (Result<GameOutcome, SessionError>, Vec<Element>) {
    run(&settings(season), &mut random(), server.as_bytes())
}

fn names(sent: &[Element]) -> Vec<&str> {
    sent.iter().map(Element::name).collect()
}

/// Gives one piece after the other, each after a pause.
struct Slow(Vec<String>, Duration);

const WHILE: Duration = Duration::from_millis(100);

impl Read for Slow {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        std::thread::sleep(self.1);
        if self.0.is_empty() {
            return Ok(0);
        }
        let piece = self.0.remove(0);
        buffer[..piece.len()].copy_from_slice(piece.as_bytes());
        Ok(piece.len())
    }
}
