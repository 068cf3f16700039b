//! Sessions with a server that is played by the test, without a network.

use std::io::{self, Cursor, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use client::{Entry, Event, GameOutcome, SessionError, Settings, play};
use game::{Move, Piece, Position, Rules, Team};
use player::{Budget, FromOptions, HeuristicPlayer, Options, Player, RandomPlayer, Report, SearchLimits};
use protocol::{
    Cause, ClientMessage, Element, Frame, Framer, GameResult, OPENING, RoomData, Score, Season, ServerMessage, State,
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

/// The state after some turns of placing the first placement that comes.
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

fn talk(season: Season, server: &str) -> (Result<GameOutcome, SessionError>, Vec<Element>) {
    let mut player = RandomPlayer::new(&Options::default());
    let mut output = Vec::new();
    let outcome =
        play(&settings(season), &mut player, Cursor::new(server), &mut output, &AtomicBool::new(false), &mut |_| {});
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
        assert_eq!(outcome.unwrap(), GameOutcome { team: Some(Team::One), result: None });
        assert_eq!(names(&sent), ["join", "room", "room", season.close_element()]);
    }
}

/// A server that keeps the connection open when it has said everything, read with a timeout.
struct Open<'a>(&'a [u8]);

impl Read for Open<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() {
            std::thread::sleep(Duration::from_millis(10));
            return Err(io::ErrorKind::WouldBlock.into());
        }
        self.0.read(buffer)
    }
}

/// The official test program takes clients that end before it has read the result itself for crashed.
#[test]
fn a_client_stays_for_a_moment_after_the_game() {
    let parting = Duration::from_millis(300);
    let settings = Settings { parting, ..settings(Season::Season2021) };
    let server = xml(Season::Season2021, &[joined(), room(RoomData::Result(result([(2, 5), (0, 4)], &[]))), left()]);
    let play = |server: &mut dyn Read, stop_when_over: bool| {
        let (mut player, mut output, stop) =
            (RandomPlayer::new(&Options::default()), Vec::new(), AtomicBool::new(false));
        let mut over = None;
        let outcome = play(&settings, &mut player, server, &mut output, &stop, &mut |event| {
            if let Event::Over(outcome) = event {
                over = Some((outcome.clone(), Instant::now()));
                stop.store(stop_when_over, Ordering::Relaxed);
            }
        });
        let (told, since) = over.expect("it is told that the game is over");
        assert_eq!(outcome.unwrap(), told);
        assert_eq!(names(&sent(&output)).last(), Some(&Season::Season2021.close_element()));
        since.elapsed()
    };
    assert!(play(&mut Open(server.as_bytes()), false) >= parting);
    assert!(play(&mut Open(server.as_bytes()), true) < parting, "it was told to stop");
    assert!(play(&mut Cursor::new(&server), false) < parting, "the server hung up");
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
        _ = play(&settings, &mut player, io::empty(), &mut output, &AtomicBool::new(false), &mut |_| {});
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
    // What is no state of this game changes nothing.
    for other in [
        "<room roomId='other'><data class='memento'/></room>",
        "<room roomId='r'><data class='result'/></room>",
        "<room/>",
        "<joined/>",
    ] {
        let (_, sent) = talk(season, &(xml(season, &[joined(), memento(season, 0)]) + other + &request));
        let is_played = names(&sent) == ["join", "room"];
        assert_eq!(is_played, other != "<room/>", "{other}");
    }
    // The next good state makes up for it.
    let good = memento(season, 4).to_element(season).to_xml(1);
    let (_, sent) = talk(season, &(xml(season, &[joined()]) + bad + &good + &request));
    assert_eq!(names(&sent), ["join", "room"]);
}

/// A client that asks for a second game while it plays gets a room in addition.
#[test]
fn a_second_room_does_not_end_the_game_in_the_first() {
    for season in Season::ALL {
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
fn a_game_is_played_also_if_joining_was_not_confirmed() {
    for season in Season::ALL {
        let messages = [memento(season, 0), room(RoomData::MoveRequest)];
        let (outcome, sent) = talk(season, &xml(season, &messages));
        assert_eq!(names(&sent), ["join", "room"]);
        assert_eq!(sent[1].attribute("roomId"), Some("r"));
        assert!(matches!(outcome, Err(SessionError::ConnectionLost(_))), "{outcome:?}");
    }
}

/// Never says anything more than this.
struct Silent<'a>(&'a [u8]);

impl Read for Silent<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.0.read(buffer)?;
        if length > 0 {
            return Ok(length);
        }
        std::thread::sleep(Duration::from_millis(1));
        Err(io::ErrorKind::WouldBlock.into())
    }
}

#[test]
fn patience_has_an_end_if_wanted() {
    for (season, entry, messages, reason) in [
        (Season::Season2027, Entry::Reservation("code".to_owned()), vec![], "not answered the request to join"),
        (Season::Season2021, Entry::Any, vec![], "not answered the request to join"),
        (Season::Season2021, Entry::Reservation("code".to_owned()), vec![], "when both players are there"),
        (Season::Season2027, Entry::Any, vec![joined()], "the game has not started"),
        (Season::Season2021, Entry::Any, vec![joined(), memento(Season::Season2021, 0)], "may be halted"),
    ] {
        let settings = Settings { entry, patience: Some(WHILE), ..settings(season) };
        let (server, mut output) = (xml(season, &messages), Vec::new());
        let mut player = RandomPlayer::new(&Options::default());
        let stop = AtomicBool::new(false);
        let error =
            play(&settings, &mut player, Silent(server.as_bytes()), &mut output, &stop, &mut |_| {}).unwrap_err();
        assert!(matches!(error, SessionError::Silent { time, .. } if time >= WHILE), "{error}");
        assert!(error.to_string().contains(reason) && error.to_string().contains("--patience"), "{error}");
        assert_eq!(names(&sent(&output)).last(), Some(&season.close_element()));
    }
}

/// Sends this, and then the same byte again and again.
struct Dripping<'a>(&'a [u8]);

impl Read for Dripping<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        std::thread::sleep(Duration::from_millis(1));
        let (next, rest) = self.0.split_at(1);
        self.0 = if rest.is_empty() { next } else { rest };
        buffer[0] = next[0];
        Ok(1)
    }
}

/// Bytes are no silence, but a message that never ends is.
#[test]
fn gives_up_on_endless_message() {
    let patience = Duration::from_millis(10);
    let settings = Settings { patience: Some(patience), ..settings(Season::Season2027) };
    let mut player = RandomPlayer::new(&Options::default());
    let server = format!("{OPENING}<joined roomId='");
    let (stop, mut output) = (AtomicBool::new(false), Vec::new());
    let error = play(&settings, &mut player, Dripping((server + "x").as_bytes()), &mut output, &stop, &mut |_| {});
    let error = error.unwrap_err();
    assert!(matches!(error, SessionError::Silent { time, .. } if time >= 10 * patience), "{error}");
}

/// A state with an unknown start piece, an unknown piece of the opponent, and a cell of two colours.
#[test]
fn plays_states_that_are_partly_unreadable() {
    let season = Season::Season2027;
    let request = room(RoomData::MoveRequest).to_element(season).to_xml(1);
    for (good, bad) in [
        ("startPiece=\"PENTO_L\"", "startPiece=\"HEXO_A\""),
        ("<shape>MONO</shape>", "<shape>HEXO_A</shape>"),
        ("content=\"BLUE\"/>", "content=\"BLUE\"/><field x=\"0\" y=\"0\" content=\"RED\"/>"),
        ("<color>GREEN</color>", "<color>PURPLE</color>"),
        ("x=\"0\" y=\"0\"", "x=\"20\" y=\"0\""),
    ] {
        let state = memento(season, 4).to_element(season).to_xml(1);
        assert!(state.contains(good), "{state}");
        let (_, sent) = talk(season, &(xml(season, &[joined()]) + &state.replacen(good, bad, 1) + &request));
        assert_eq!(names(&sent), ["join", "room"], "{bad}");
    }
}

/// Sets a flag when it is asked for a move.
struct Stopping(Arc<AtomicBool>);

impl Player for Stopping {
    fn name(&self) -> &'static str {
        "stopping"
    }

    fn new_game(&mut self) {}

    fn choose(&mut self, position: &Position, limit: &SearchLimits) -> Report {
        self.0.store(true, Ordering::Relaxed);
        RandomPlayer::new(&Options::default()).choose(position, limit)
    }
}

#[test]
fn a_game_that_is_to_stop_is_given_up_with_a_goodbye() {
    for season in Season::ALL {
        // While it waits, before and in the game.
        for messages in [vec![], vec![joined(), room(RoomData::Welcome(Team::Two)), memento(season, 0)]] {
            let (server, mut output) = (xml(season, &messages), Vec::new());
            let mut player = RandomPlayer::new(&Options::default());
            // It is of a season as soon as something has shown that.
            let stop = AtomicBool::new(false);
            let mut reads = 0;
            let reader = Hook(Silent(server.as_bytes()), || {
                reads += 1;
                stop.store(reads > 3, Ordering::Relaxed);
            });
            let error = play(&settings(season), &mut player, reader, &mut output, &stop, &mut |_| {}).unwrap_err();
            assert!(matches!(error, SessionError::Stopped), "{error}");
            assert_eq!(names(&sent(&output)), ["join", season.close_element()]);
            assert!(String::from_utf8(output).unwrap().ends_with("</protocol>"));
        }
        // While it thinks: the move is not sent.
        let messages = [joined(), memento(season, 0), room(RoomData::MoveRequest)];
        let mut player = Stopping(Arc::default());
        let (stop, mut output) = (player.0.clone(), Vec::new());
        let server = Cursor::new(xml(season, &messages));
        let error = play(&settings(season), &mut player, server, &mut output, &stop, &mut |_| {}).unwrap_err();
        assert!(matches!(error, SessionError::Stopped), "{error}");
        assert_eq!(names(&sent(&output)), ["join", season.close_element()]);
    }
}

/// A reader before each of whose reads something is done.
struct Hook<R, F>(R, F);

impl<R: Read, F: FnMut()> Read for Hook<R, F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1();
        self.0.read(buffer)
    }
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
    // Which kind of game was asked for, and not which one the server plays.
    let other = talk(season, &xml(Season::Season2021, &[ServerMessage::Close])).0.unwrap_err().to_string();
    assert!(other.contains("a server of season 2021 and does not play swc_2027_blokus."), "{other}");
    let same = talk(season, "<protocol></protocol>").0.unwrap_err().to_string();
    assert!(same.contains("it may not play swc_2027_blokus."), "{same}");
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
    fn name(&self) -> &'static str {
        "watchful"
    }

    fn new_game(&mut self) {}

    fn choose(&mut self, position: &Position, limit: &SearchLimits) -> Report {
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
    let mut player = Watchful { asked: Vec::new() };
    let mut output = Vec::new();
    let slow = Slow(vec![state, beginning.to_owned(), end.to_owned()]);
    _ = play(&settings(season), &mut player, slow, &mut output, &AtomicBool::new(false), &mut |_| {});
    let [(asked, deadline)] = player.asked[..] else { panic!("asked {} times", player.asked.len()) };
    assert!(deadline <= asked + TIME && deadline > asked + TIME - WHILE);
    assert_eq!(names(&sent(&output)), ["join", "room"]);
}

/// Answers only after the client has sent a message. Publishes the last placement first if `publishes`.
struct Stuck {
    sent: Arc<AtomicUsize>,
    publishes: bool,
}

impl Player for Stuck {
    fn name(&self) -> &'static str {
        "stuck"
    }

    fn new_game(&mut self) {}

    fn choose(&mut self, position: &Position, limit: &SearchLimits) -> Report {
        let placements = position.board().placements(position.color());
        if self.publishes {
            limit.publish(placements[placements.len() - 1]);
        }
        let (before, begin) = (self.sent.load(Ordering::SeqCst), Instant::now());
        while self.sent.load(Ordering::SeqCst) == before && begin.elapsed() < 20 * WHILE {
            std::thread::sleep(Duration::from_millis(1));
        }
        Report::without_search(placements[0].into())
    }
}

/// Counts the messages that are sent.
struct Counter<'a>(&'a mut Vec<u8>, Arc<AtomicUsize>);

impl Write for Counter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.1.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }
}

#[test]
fn stuck_player_is_answered_for_at_the_deadline() {
    let season = Season::Season2027;
    let request = || room(RoomData::MoveRequest);
    // The clock of the second request starts with a read of its own.
    let first = xml(season, &[joined(), memento(season, 0), request()]);
    let second: String =
        [memento(season, 2), request(), left()].map(|message| message.to_element(season).to_xml(1)).concat();
    let time = 3 * WHILE / 2;
    let settings = Settings { budget: Budget::time(time), ..settings(season) };
    for publishes in [true, false] {
        let sent_messages = Arc::new(AtomicUsize::new(0));
        let mut player = Stuck { sent: sent_messages.clone(), publishes };
        let (mut output, begin) = (Vec::new(), Instant::now());
        let writer = Counter(&mut output, sent_messages);
        let server = Cursor::new(&first).chain(Cursor::new(&second));
        play(&settings, &mut player, server, writer, &AtomicBool::new(false), &mut |_| {}).unwrap();
        assert!(begin.elapsed() > time, "two searches of more than half the time");
        let sent = sent(&output);
        assert_eq!(names(&sent), ["join", "room", "room", season.close_element()]);
        for (message, turns) in sent[1..3].iter().zip([0, 2]) {
            let ServerMessage::Room { data: RoomData::Memento(state), .. } = memento(season, turns) else { panic!() };
            let ClientMessage::Move { mv, .. } = ClientMessage::parse(message, season).unwrap() else { panic!() };
            let position = state.position;
            let placements = position.board().placements(position.color());
            let expected = match publishes {
                true => placements.last().copied().unwrap().into(),
                false => HeuristicPlayer::new(&Options::default()).choose(&position, &SearchLimits::UNLIMITED).mv,
            };
            assert_eq!(mv.check(&position).unwrap(), expected, "turn {turns}, publishes: {publishes}");
            assert_ne!(expected, placements[0].into(), "the late report");
        }
    }
}

/// Ponders as long as it may and plays at random.
struct Thoughtful {
    panics: bool,
    /// The turns of the positions, and how long the thinking took.
    pondered: Vec<(u16, Duration)>,
}

impl Player for Thoughtful {
    fn name(&self) -> &'static str {
        "thoughtful"
    }

    fn new_game(&mut self) {}

    fn choose(&mut self, position: &Position, limit: &SearchLimits) -> Report {
        RandomPlayer::new(&Options::default()).choose(position, limit)
    }

    fn ponder(&mut self, position: &Position, _: &SearchLimits, stop: &AtomicBool) {
        let begin = Instant::now();
        while !stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_micros(100));
        }
        self.pondered.push((position.turn(), begin.elapsed()));
        assert!(!self.panics, "too many thoughts");
    }
}

/// Gets ready for as long as it may and plays at random.
struct Prepared {
    panics: bool,
    asked: bool,
    /// How often it got ready before and after the first move.
    times: [usize; 2],
}

impl Player for Prepared {
    fn name(&self) -> &'static str {
        "prepared"
    }

    fn new_game(&mut self) {}

    fn prepare(&mut self, stop: &AtomicBool) {
        self.times[usize::from(self.asked)] += 1;
        while !stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_micros(100));
        }
        assert!(!self.panics, "not ready");
    }

    fn choose(&mut self, position: &Position, limit: &SearchLimits) -> Report {
        self.asked = true;
        RandomPlayer::new(&Options::default()).choose(position, limit)
    }
}

#[test]
fn the_time_before_the_first_move_is_used_to_get_ready() {
    let season = Season::Season2027;
    let text = |messages: &[ServerMessage]| -> String {
        messages.iter().map(|message| message.to_element(season).to_xml(1)).collect()
    };
    let request = || room(RoomData::MoveRequest);
    let pieces = [
        OPENING.to_owned() + &text(&[joined()]),
        text(&[room(RoomData::Welcome(Team::Two)), memento(season, 0)]),
        text(&[memento(season, 1), request()]),
        text(&[memento(season, 2)]),
        text(&[left()]),
    ];
    for panics in [false, true] {
        let mut player = Prepared { panics, asked: false, times: [0; 2] };
        let (stop, mut output) = (AtomicBool::new(false), Vec::new());
        play(&settings(season), &mut player, Slow(pieces.to_vec()), &mut output, &stop, &mut |_| {}).unwrap();
        assert_eq!(player.times, [3, 0]);
        assert_eq!(names(&sent(&output)), ["join", "room", season.close_element()]);
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
            play(&settings, &mut player, Slow(pieces.to_vec()), &mut output, &AtomicBool::new(false), &mut |_| {})
                .unwrap();
            assert_eq!(names(&sent(&output)), ["join", "room", "room", season.close_element()]);
            let turns: Vec<u16> = player.pondered.iter().map(|(turn, _)| *turn).collect();
            assert_eq!(turns, if wanted { vec![1, 3] } else { vec![] });
            assert!(player.pondered.iter().all(|(_, time)| *time < 10 * WHILE), "{:?}", player.pondered);
        }
    }
}
