//! The lobby without sockets and with a manual clock.

mod any_order;

use std::time::{Duration, Instant};

use game::{Move, Team};
use protocol::{ClientMessage, Element, RoomData, Season, ServerMessage, Slot, WireMove};

use crate::lobby::Lobby;
use crate::options::{Limits, Options};
use crate::outbox::{ClientId, Output};
use crate::verdict::{Departure, Ending, Offence};

/// A lobby, the time, and the messages to all clients.
struct TestLobby {
    season: Season,
    inner: Lobby,
    now: Instant,
    received: Vec<(ClientId, ServerMessage)>,
    closed: Vec<ClientId>,
}

impl TestLobby {
    fn new(options: Options) -> Self {
        let season = options.season;
        Self { season, inner: Lobby::new(options), now: Instant::now(), received: Vec::new(), closed: Vec::new() }
    }

    fn of_season(season: Season) -> Self {
        Self::new(Options { season, seed: Some(1), ..Options::default() })
    }

    fn connect(&mut self, clients: std::ops::Range<ClientId>) {
        clients.for_each(|client| self.inner.connect(client, self.now));
    }

    fn say(&mut self, client: ClientId, message: &ClientMessage) {
        self.send(client, &message.to_element(self.season));
    }

    fn send(&mut self, client: ClientId, element: &Element) {
        self.inner.receive(client, element, self.now);
        self.collect();
    }

    fn wait(&mut self, millis: u64) {
        self.now += Duration::from_millis(millis);
        self.inner.tick(self.now);
        self.collect();
    }

    fn collect(&mut self) {
        for (client, output) in self.inner.take_outputs() {
            assert!(!self.closed.contains(&client), "something is sent to client {client} after the end");
            match output {
                Output::Send(text) => {
                    let element = Element::parse(&text).unwrap();
                    self.received.push((client, ServerMessage::parse(&element, self.season).unwrap()));
                }
                Output::Close { .. } => self.closed.push(client),
            }
        }
    }

    /// The messages to a client since the last call.
    fn take(&mut self, client: ClientId) -> Vec<ServerMessage> {
        self.received.extract_if(.., |(receiver, _)| *receiver == client).map(|(_, message)| message).collect()
    }

    fn join(&mut self, client: ClientId) {
        self.say(client, &ClientMessage::Join { game_type: Some(self.season.game_type().to_owned()) });
    }

    /// The first legal move in the last state that a client got.
    fn answer(&mut self, client: ClientId) -> ClientMessage {
        let mut states = self.take(client).into_iter().filter_map(|message| match message {
            ServerMessage::Room { room, data: RoomData::Memento(state) } => Some((room, state.position)),
            _ => None,
        });
        let (room, position) = states.next_back().expect("a state");
        let placements = position.board().placements(position.color());
        ClientMessage::Move { room, mv: WireMove::new(position.color(), Move::Place(placements[0])) }
    }
}

fn is_request(message: &ServerMessage) -> bool {
    matches!(message, ServerMessage::Room { data: RoomData::MoveRequest, .. })
}

fn slot(can_timeout: bool, reserved: bool) -> Slot {
    Slot { display_name: None, can_timeout, reserved }
}

#[test]
fn answer_after_two_seconds_is_late() {
    for (season, millis, in_time) in [
        (Season::Season2021, 2000, true),
        (Season::Season2021, 2001, false),
        (Season::Season2027, 2000, true),
        (Season::Season2027, 2001, false),
    ] {
        let mut lobby = TestLobby::of_season(season);
        lobby.connect(0..2);
        lobby.join(0);
        lobby.join(1);
        let answer = lobby.answer(0);
        lobby.wait(millis);
        lobby.say(0, &answer);
        let finished = lobby.inner.take_finished();
        assert_eq!(finished.is_empty(), in_time);
        assert_eq!(lobby.take(1).iter().any(is_request), in_time);
        let late = Ending::Fault { team: Team::One, offence: Offence::Late };
        assert!(finished.iter().all(|game| game.ending == late));
    }
}

#[test]
fn silent_player_loses_after_ten_seconds() {
    let mut lobby = TestLobby::of_season(Season::Season2027);
    lobby.connect(0..2);
    lobby.join(0);
    lobby.join(1);
    assert_eq!(lobby.inner.next_deadline(), Some(lobby.now + Duration::from_secs(10)));
    lobby.wait(9_999);
    assert!(lobby.inner.take_finished().is_empty());
    lobby.wait(1);
    let finished = lobby.inner.take_finished();
    assert_eq!(finished[0].ending, Ending::Fault { team: Team::One, offence: Offence::Silent });
    assert_eq!(lobby.inner.next_deadline(), None);
    assert!(matches!(lobby.take(0).last(), Some(ServerMessage::Left { .. })));
}

#[test]
fn player_without_time_limit_never_loses() {
    let mut lobby = TestLobby::of_season(Season::Season2027);
    lobby.connect(0..2);
    let prepared = lobby.inner.prepare(vec![slot(false, true), slot(true, true)], false);
    for (client, code) in (0..).zip(prepared.reservations) {
        lobby.say(client, &ClientMessage::JoinPrepared { reservation: code });
    }
    lobby.wait(1_000_000);
    let answer = lobby.answer(0);
    lobby.say(0, &answer);
    assert!(lobby.take(1).iter().any(is_request));
    lobby.wait(10_000);
    assert_eq!(lobby.inner.take_finished()[0].ending, Ending::Fault { team: Team::Two, offence: Offence::Silent });
}

#[test]
fn reserved_seat_needs_its_code() {
    let mut lobby = TestLobby::of_season(Season::Season2027);
    lobby.connect(0..4);
    let prepared = lobby.inner.prepare(vec![slot(true, true), slot(true, false)], false);
    let [code] = prepared.reservations.as_slice() else { panic!() };
    // The open seat is free for members.
    lobby.say(0, &ClientMessage::JoinRoom { room: prepared.room.clone() });
    assert_eq!(lobby.take(0), [ServerMessage::Joined { room: prepared.room.clone() }]);
    lobby.say(1, &ClientMessage::JoinRoom { room: prepared.room.clone() });
    let refused = |message: &ServerMessage, text: &str| matches!(message, ServerMessage::Error { message, .. } if message.contains(text));
    assert!(refused(&lobby.take(1)[0], "is already full"));
    // Joining any game gives another one.
    lobby.join(2);
    assert!(!lobby.take(2).contains(&ServerMessage::Joined { room: prepared.room.clone() }));
    lobby.say(3, &ClientMessage::JoinPrepared { reservation: code.clone() });
    let welcome = ServerMessage::Room { room: prepared.room.clone(), data: RoomData::Welcome(Team::One) };
    assert!(lobby.take(3).contains(&welcome));
    // A code is valid once.
    lobby.say(1, &ClientMessage::JoinPrepared { reservation: code.clone() });
    assert!(refused(&lobby.take(1)[0], "Couldn't find a reservation"));
}

#[test]
fn error_repeats_request_unless_long() {
    let mut lobby = TestLobby::of_season(Season::Season2027);
    lobby.connect(0..1);
    for (elements, is_repeated) in [(10, true), (2000, false)] {
        let element = (0..30)
            .fold(Element::new("a").containing((0..elements).map(|_| Element::new("a"))), |inner, _| {
                Element::new("a").child(inner)
            });
        lobby.send(0, &Element::new("joined").child(element));
        let [ServerMessage::Error { request, .. }] = &lobby.take(0)[..] else { panic!("it is refused") };
        assert_eq!(request.is_some(), is_repeated);
    }
}

#[test]
fn forced_step_ends_game_without_players() {
    let mut lobby = TestLobby::of_season(Season::Season2027);
    lobby.connect(0..2);
    lobby.say(0, &ClientMessage::Authenticate { password: "examplepassword".to_owned() });
    let prepared = lobby.inner.prepare(vec![slot(true, true), slot(true, true)], true);
    lobby.say(1, &ClientMessage::JoinPrepared { reservation: prepared.reservations[0].clone() });
    lobby.say(0, &ClientMessage::Step { room: prepared.room.clone(), forced: false });
    assert!(lobby.inner.take_finished().is_empty());
    lobby.say(0, &ClientMessage::Step { room: prepared.room.clone(), forced: true });
    let offence = Offence::Left(Departure::NotConnected);
    assert_eq!(lobby.inner.take_finished()[0].ending, Ending::Fault { team: Team::Two, offence });
}

#[test]
fn winner_of_paused_game_gets_welcome_and_result() {
    let mut lobby = TestLobby::of_season(Season::Season2027);
    lobby.connect(0..2);
    let prepared = lobby.inner.prepare(vec![slot(true, true), slot(true, true)], true);
    for (client, code) in (0..).zip(prepared.reservations) {
        lobby.say(client, &ClientMessage::JoinPrepared { reservation: code });
    }
    lobby.inner.disconnect(0, Departure::LostConnection);
    lobby.collect();
    let got = lobby.take(1);
    let is_result = |data: &RoomData| matches!(data, RoomData::Result(result) if result.winner() == Some(Team::Two));
    assert!(
        matches!(&got[..], [
            ServerMessage::Joined { .. },
            ServerMessage::Room { data: RoomData::Welcome(Team::Two), .. },
            ServerMessage::Room { data, .. },
            ServerMessage::Left { .. },
        ] if is_result(data)),
        "{got:?}"
    );
}

#[test]
fn reports_move_out_of_turn_to_offender_only() {
    for (offender, is_out_of_turn) in [(1, true), (0, false)] {
        let mut lobby = TestLobby::of_season(Season::Season2027);
        lobby.connect(0..3);
        lobby.say(2, &ClientMessage::Authenticate { password: "examplepassword".to_owned() });
        lobby.join(0);
        let [ServerMessage::JoinedGameRoom { room, .. }] = &lobby.take(2)[..] else { panic!("one has joined") };
        lobby.say(2, &ClientMessage::Observe { room: room.clone() });
        lobby.join(1);
        let mv = WireMove::Skip { color: None };
        lobby.say(offender, &ClientMessage::Move { room: room.clone(), mv });
        let is_error =
            |message: &ServerMessage| matches!(message, ServerMessage::Room { data: RoomData::Error { .. }, .. });
        assert!(lobby.take(offender).iter().any(is_error));
        assert_eq!(lobby.take(2).iter().any(is_error), !is_out_of_turn);
        assert_eq!(lobby.inner.take_finished()[0].error.is_none(), is_out_of_turn);
    }
}

#[test]
fn reservations_outlive_their_games() {
    let limits = Limits { rooms: 2, ..Limits::default() };
    let mut lobby = TestLobby::new(Options { limits, ..Options::default() });
    lobby.connect(0..2);
    let mut codes = Vec::new();
    for _ in 0..4 {
        let prepared = lobby.inner.prepare(vec![slot(true, true), slot(true, true)], false);
        lobby.say(0, &ClientMessage::Authenticate { password: "examplepassword".to_owned() });
        lobby.say(0, &ClientMessage::Cancel { room: prepared.room });
        codes.extend(prepared.reservations);
    }
    for (number, reservation) in codes.into_iter().enumerate() {
        lobby.say(1, &ClientMessage::JoinPrepared { reservation });
        let is_known = matches!(&lobby.take(1)[..], [ServerMessage::Joined { .. }]);
        assert_eq!(is_known, number >= 4, "code {number}");
    }
}

#[test]
fn administration_needs_the_password() {
    let mut lobby = TestLobby::of_season(Season::Season2027);
    lobby.connect(0..1);
    let observe = ClientMessage::Observe { room: "nowhere".to_owned() };
    lobby.say(0, &observe);
    lobby.say(0, &ClientMessage::Authenticate { password: "guess".to_owned() });
    lobby.say(0, &observe);
    let texts: Vec<String> = lobby
        .take(0)
        .into_iter()
        .map(|message| match message {
            ServerMessage::Error { message, .. } => message,
            other => panic!("{other:?}"),
        })
        .collect();
    assert!(texts[0].contains("Unauthenticated") && texts[1].contains("Failed to authenticate"), "{texts:?}");
    assert_eq!(texts[0], texts[2]);
    lobby.say(0, &ClientMessage::Authenticate { password: "examplepassword".to_owned() });
    lobby.say(0, &observe);
    assert!(matches!(&lobby.take(0)[0], ServerMessage::Error { message, .. } if message.contains("nowhere")));
}

#[test]
fn departure_of_waiting_player_frees_seat() {
    for season in Season::ALL {
        let mut lobby = TestLobby::of_season(season);
        lobby.connect(0..3);
        lobby.join(0);
        lobby.inner.disconnect(0, Departure::LostConnection);
        lobby.inner.take_finished();
        lobby.join(1);
        lobby.join(2);
        assert!(lobby.take(1).iter().any(is_request), "season {season}");
    }
}
