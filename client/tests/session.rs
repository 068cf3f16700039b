//! Sessions with a server that is played by the test, without a network.

use std::io::{self, Cursor, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use client::{Entry, Outcome, SessionError, Settings, play};
use game::{Move, Piece, Position, Rules, Team};
use player::{Limit, Options, Player, RandomPlayer, Report};
use protocol::{
    Cause, ClientMessage, Element, Frame, Framer, GameResult, OPENING, RoomData, Score, Season, ServerMessage, State,
};

const TIME: Duration = Duration::from_millis(1900);

fn settings(season: Season) -> Settings {
    Settings { season, entry: Entry::Any, time: TIME, nodes: None, ponder: false }
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

/// The state after some turns of placing the first placement that comes.
fn memento(season: Season, turns: u16) -> ServerMessage {
    let mut position = Position::new(season.rules(), Some(Piece::PentoL)).unwrap();
    let mut placements = Vec::new();
    while position.turn() < turns {
        placements.clear();
        position.board().list_placements(position.color(), &mut placements);
        position.play(Move::Place(placements[0]));
    }
    room(RoomData::Memento(Box::new(State::new(season, position, None, ["", ""]))))
}

fn result(scores: [(i32, i32); 2], winners: &[Team]) -> GameResult {
    let scores = scores.map(|(victory, points)| Score::new(Cause::Regular, victory, points));
    GameResult { scores, winners: winners.to_vec(), regular: true, reason: String::new() }
}

fn xml(season: Season, messages: &[ServerMessage]) -> String {
    let messages: String = messages.iter().map(|message| message.to_element(season).to_xml(1)).collect();
    format!("{OPENING}{messages}")
}

fn sent(bytes: &[u8]) -> Vec<Element> {
    let mut framer = Framer::new(Framer::DEFAULT_LIMIT);
    framer.push(bytes);
    let frames = std::iter::from_fn(|| framer.next_frame().unwrap());
    frames.filter_map(|frame| if let Frame::Element(element) = frame { Some(element) } else { None }).collect()
}

fn talk(season: Season, server: &str) -> (Result<Outcome, SessionError>, Vec<Element>) {
    let mut player = RandomPlayer::new(&Options::default());
    let mut output = Vec::new();
    let outcome = play(&settings(season), &mut player, Cursor::new(server), &mut output, &mut |_| {});
    (outcome, sent(&output))
}

fn names(sent: &[Element]) -> Vec<&str> {
    sent.iter().map(Element::name).collect()
}

#[test]
fn a_repeated_request_is_answered_once() {
    for season in Season::ALL {
        let request = || room(RoomData::MoveRequest);
        let (outcome, sent) = talk(
            season,
            &xml(
                season,
                &[
                    joined(),
                    room(RoomData::Welcome(Team::One)),
                    memento(season, 0),
                    request(),
                    room(RoomData::Paused(true)),
                    memento(season, 0),
                    request(),
                    memento(season, 1),
                    memento(season, 2),
                    memento(season, 2),
                    request(),
                    left(),
                ],
            ),
        );
        assert_eq!(outcome.unwrap(), Outcome { team: Some(Team::One), result: None });
        assert_eq!(names(&sent), ["join", "room", "room", season.close_element()]);
    }
}

#[test]
fn every_way_to_join() {
    for (season, entry, expected) in [
        (Season::Season2021, Entry::Any, "<join gameType=\"swc_2021_blokus\"/>"),
        (Season::Season2027, Entry::Any, "<join gameType=\"swc_2027_blokus\"/>"),
        (Season::Season2027, Entry::Reservation("a-b".to_owned()), "<joinPrepared reservationCode=\"a-b\"/>"),
        (Season::Season2027, Entry::Room("r".to_owned()), "<joinRoom roomId=\"r\"/>"),
    ] {
        let mut output = Vec::new();
        let settings = Settings { entry, ..settings(season) };
        let mut player = RandomPlayer::new(&Options::default());
        _ = play(&settings, &mut player, io::empty(), &mut output, &mut |_| {});
        assert_eq!(String::from_utf8(output).unwrap(), format!("<protocol>\n  {expected}"));
    }
}

#[test]
fn a_loaded_game_can_be_joined() {
    let (_, sent) = talk(
        Season::Season2021,
        &xml(Season::Season2027, &[joined(), memento(Season::Season2027, 30), room(RoomData::MoveRequest)]),
    );
    let answer = ClientMessage::parse(&sent[1], Season::Season2027).unwrap();
    let ClientMessage::Move { mv, .. } = answer else { panic!("{answer:?}") };
    let ServerMessage::Room { data: RoomData::Memento(state), .. } = memento(Season::Season2027, 30) else { panic!() };
    assert!(mv.check(&state.position).is_ok());
}

#[test]
fn what_is_unknown_is_ignored() {
    let season = Season::Season2027;
    let unknown = "<news a='1'><b/></news><room roomId='r'><data class='weather' sun='1'/></room>\
        <room roomId='other'><data class='moveRequest'/></room><left roomId='other'/><joinedGameRoom roomId='r'/>";
    let server = xml(season, &[joined(), memento(season, 0)]) + unknown + &left().to_element(season).to_xml(1);
    let (outcome, sent) = talk(season, &server);
    assert!(outcome.is_ok());
    assert_eq!(names(&sent), ["join", "close"]);
}

#[test]
fn a_state_that_cannot_be_understood_is_not_played() {
    let season = Season::Season2027;
    let bad = "<room roomId='r'><data class='memento'><state turn='4'/></data></room>";
    let request = room(RoomData::MoveRequest).to_element(season).to_xml(1);
    let (outcome, sent) = talk(season, &(xml(season, &[joined(), memento(season, 0)]) + bad + &request));
    assert!(matches!(outcome, Err(SessionError::Protocol(_))), "{outcome:?}");
    assert_eq!(names(&sent), ["join"]);
    // The next good state makes up for it.
    let good = memento(season, 4).to_element(season).to_xml(1);
    let (_, sent) = talk(season, &(xml(season, &[joined()]) + bad + &good + &request));
    assert_eq!(names(&sent), ["join", "room"]);
}

#[test]
fn results_are_told_as_they_are() {
    for (scores, winners, team, expected) in [
        ([(2, 90), (0, 80)], vec![Team::One], Team::One, "won, 90 : 80 points"),
        ([(2, 90), (0, 80)], vec![Team::One], Team::Two, "lost, 90 : 80 points"),
        ([(1, 80), (1, 80)], vec![], Team::Two, "drawn, 80 : 80 points"),
        // In season 2021 the server may name the wrong team, or both.
        ([(0, 90), (2, 80)], vec![Team::One], Team::One, "lost, 90 : 80 points"),
        ([(0, 80), (2, 80)], vec![Team::One, Team::Two], Team::Two, "won, 80 : 80 points"),
    ] {
        for season in Season::ALL {
            let messages = [joined(), room(RoomData::Welcome(team)), room(RoomData::Result(result(scores, &winners)))];
            // With or without the goodbye of the server.
            for end in [left().to_element(season).to_xml(1), "</protocol>".to_owned(), String::new()] {
                let (outcome, _) = talk(season, &(xml(season, &messages) + &end));
                assert_eq!(outcome.unwrap().to_string(), expected);
            }
        }
    }
}

#[test]
fn failures_are_told_apart() {
    let season = Season::Season2027;
    let error = ServerMessage::Error { message: "no such room".to_owned(), request: None };
    let failure = |messages: &[ServerMessage]| talk(season, &xml(season, messages)).0.unwrap_err();
    assert!(matches!(failure(&[]), SessionError::Rejected(_)));
    assert!(matches!(failure(&[ServerMessage::Close]), SessionError::Rejected(_)));
    assert!(matches!(failure(std::slice::from_ref(&error)), SessionError::Rejected(text) if text == "no such room"));
    let lost = failure(&[joined(), error]);
    assert!(matches!(&lost, SessionError::ConnectionLost(text) if text.contains("no such room")), "{lost}");
    for nonsense in ["HTTP/1.1 400 Bad Request\r\n", "<protocol><<", "<protocol><a></b>"] {
        let (outcome, _) = talk(season, nonsense);
        assert!(matches!(outcome, Err(SessionError::Protocol(_))), "{outcome:?}");
    }
}

/// Remembers when it was asked and until when it may think.
struct Watchful {
    asked: Vec<(Instant, Instant)>,
}

impl Player for Watchful {
    fn new(_: &Options) -> Self {
        Self { asked: Vec::new() }
    }

    fn name(&self) -> &'static str {
        "watchful"
    }

    fn new_game(&mut self) {}

    fn choose(&mut self, position: &Position, limit: &Limit) -> Report {
        assert_eq!(position.rules(), Rules::Season2027);
        self.asked.push((Instant::now(), limit.deadline.unwrap()));
        panic!("no ideas");
    }
}

/// Gives one piece after the other, each after a while.
struct Slow(Vec<String>);

const WHILE: Duration = Duration::from_millis(100);

impl Read for Slow {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        std::thread::sleep(WHILE);
        if self.0.is_empty() {
            return Ok(0);
        }
        let piece = self.0.remove(0);
        buffer[..piece.len()].copy_from_slice(piece.as_bytes());
        Ok(piece.len())
    }
}

#[test]
fn the_clock_starts_with_the_request_and_panics_are_survived() {
    let season = Season::Season2027;
    let state = xml(season, &[joined(), memento(season, 0)]);
    let request = room(RoomData::MoveRequest).to_element(season).to_xml(1);
    let (beginning, end) = request.split_at(request.len() - 3);
    let mut player = Watchful::new(&Options::default());
    let mut output = Vec::new();
    let slow = Slow(vec![state, beginning.to_owned(), end.to_owned()]);
    _ = play(&settings(season), &mut player, slow, &mut output, &mut |_| {});
    let [(asked, deadline)] = player.asked[..] else { panic!("asked {} times", player.asked.len()) };
    assert!(deadline <= asked + TIME && deadline > asked + TIME - WHILE);
    assert_eq!(names(&sent(&output)), ["join", "room"]);
}

/// Answers so long after the end of the time that it is given.
struct Late {
    by: Duration,
    times: Vec<Duration>,
}

impl Player for Late {
    fn new(_: &Options) -> Self {
        Self { by: WHILE, times: Vec::new() }
    }

    fn name(&self) -> &'static str {
        "late"
    }

    fn new_game(&mut self) {}

    fn choose(&mut self, position: &Position, limit: &Limit) -> Report {
        let time = limit.deadline.unwrap().saturating_duration_since(Instant::now());
        self.times.push(time);
        std::thread::sleep(time + self.by);
        RandomPlayer::new(&Options::default()).choose(position, limit)
    }
}

#[test]
fn a_late_answer_shortens_the_thinking() {
    let season = Season::Season2027;
    let request = || room(RoomData::MoveRequest);
    let messages = [joined(), memento(season, 0), request(), memento(season, 2), request(), left()];
    let settings = Settings { time: 3 * WHILE, ..settings(season) };
    let mut player = Late::new(&Options::default());
    let server = xml(season, &messages);
    play(&settings, &mut player, Cursor::new(server), io::sink(), &mut |_| {}).unwrap();
    let [first, second] = player.times[..] else { panic!("asked {} times", player.times.len()) };
    assert!(first < settings.time && second + WHILE <= settings.time, "{:?}", player.times);
}

/// Ponders as long as it may and plays at random.
struct Thoughtful {
    panics: bool,
    /// The turns of the positions, and how long the thinking took.
    pondered: Vec<(u16, Duration)>,
}

impl Player for Thoughtful {
    fn new(_: &Options) -> Self {
        Self { panics: false, pondered: Vec::new() }
    }

    fn name(&self) -> &'static str {
        "thoughtful"
    }

    fn new_game(&mut self) {}

    fn choose(&mut self, position: &Position, limit: &Limit) -> Report {
        RandomPlayer::new(&Options::default()).choose(position, limit)
    }

    fn ponder(&mut self, position: &Position, stop: &AtomicBool) {
        let begin = Instant::now();
        while !stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_micros(100));
        }
        self.pondered.push((position.turn(), begin.elapsed()));
        assert!(!self.panics, "too many thoughts");
    }
}

#[test]
fn the_opponents_time_is_used_if_wanted() {
    for season in Season::ALL {
        let text = |messages: &[ServerMessage]| -> String {
            messages.iter().map(|message| message.to_element(season).to_xml(1)).collect()
        };
        let request = || room(RoomData::MoveRequest);
        let pieces = [
            OPENING.to_owned() + &text(&[joined(), room(RoomData::Welcome(Team::One)), memento(season, 0), request()]),
            text(&[memento(season, 1)]),
            text(&[memento(season, 2), request()]),
            text(&[memento(season, 3)]),
            text(&[room(RoomData::Result(result([(0, 1), (2, 3)], &[Team::Two]))), left()]),
        ];
        for (wanted, panics) in [(true, false), (true, true), (false, false)] {
            let settings = Settings { ponder: wanted, ..settings(season) };
            let mut player = Thoughtful { panics, pondered: Vec::new() };
            let mut output = Vec::new();
            play(&settings, &mut player, Slow(pieces.to_vec()), &mut output, &mut |_| {}).unwrap();
            assert_eq!(names(&sent(&output)), ["join", "room", "room", season.close_element()]);
            let turns: Vec<u16> = player.pondered.iter().map(|(turn, _)| *turn).collect();
            assert_eq!(turns, if wanted { vec![1, 3] } else { vec![] });
            assert!(player.pondered.iter().all(|(_, time)| *time < 10 * WHILE), "{:?}", player.pondered);
        }
    }
}
