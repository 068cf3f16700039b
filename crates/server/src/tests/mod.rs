//! The lobby without sockets and with a manual clock.

mod any_order;

use std::time::{Duration, Instant};

use game::{Move, Team};
use protocol::{ClientMessage, Element, RoomData, Season, ServerMessage, Slot, WireMove};

use crate::lobby::Lobby;
use crate::options::{Limits, ServerOptions};
use crate::outbox::{ClientId, ClientOutput};
use crate::verdict::{Ending, RuleBreach};

/// A lobby, the time, and the messages to all clients.
struct TestLobby {
    season: Season,
    inner: Lobby,
    now: Instant,
    received: Vec<(ClientId, ServerMessage)>,
    closed: Vec<ClientId>,
}

impl TestLobby {
    fn new(options: ServerOptions) -> Self {
        let season = options.season;
        Self { season, inner: Lobby::new(options), now: Instant::now(), received: Vec::new(), closed: Vec::new() }
    }

    fn of_season(season: Season) -> Self {
        Self::new(ServerOptions { season, seed: Some(1), ..ServerOptions::default() })
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
                ClientOutput::Send(text) => {
                    let element = Element::parse(&text).unwrap();
                    self.received.push((client, ServerMessage::parse(&element, self.season).unwrap()));
                }
                ClientOutput::Close { .. } => self.closed.push(client),
            }
        }
    }

    /// Returns the messages to a client since the last call.
    fn take(&mut self, client: ClientId) -> Vec<ServerMessage> {
        self.received.extract_if(.., |(receiver, _)| *receiver == client).map(|(_, message)| message).collect()
    }

    fn join(&mut self, client: ClientId) {
        self.say(client, &ClientMessage::Join { game_type: Some(self.season.game_type().to_owned()) });
    }

    /// Returns the first legal move in the last state that a client got.
    fn answer(&mut self, client: ClientId) -> ClientMessage {
        let mut states = self.take(client).into_iter().filter_map(|message| match message {
            ServerMessage::Room { room, data: RoomData::Memento(state) } => Some((room, state.position)),
            _ => None,
        });
        let (room, position) = states.next_back().expect("a state");
        let placements = position.placements();
        ClientMessage::Move { room, mv: WireMove::new(position.color(), Move::Place(placements[0])) }
    }
}

fn is_request(message: &ServerMessage) -> bool {
    matches!(message, ServerMessage::Room { data: RoomData::MoveRequest, .. })
}

fn slot(can_timeout: bool, reserved: bool) -> Slot {
    Slot { display_name: None, can_timeout, reserved }
}

/// An answer after more than 2 s loses, and so does silence for 10 s.
#[test]
fn clock_has_exact_limits() {
    for &season in Season::ALL {
        for (millis, answers, fault) in [
            (2_000, true, None),
            (2_001, true, Some(RuleBreach::Late)),
            (9_999, false, None),
            (10_000, false, Some(RuleBreach::Silent)),
        ] {
            let mut lobby = TestLobby::of_season(season);
            lobby.connect(0..2);
            lobby.join(0);
            lobby.join(1);
            assert_eq!(lobby.inner.next_deadline(), Some(lobby.now + Duration::from_secs(10)));
            let answer = lobby.answer(0);
            lobby.wait(millis);
            if answers {
                lobby.say(0, &answer);
                assert_eq!(lobby.take(1).iter().any(is_request), fault.is_none());
            }
            let endings: Vec<Ending> = lobby.inner.take_finished().into_iter().map(|game| game.ending).collect();
            let fault = fault.map(|fault| Ending::Fault { team: Team::One, fault });
            assert_eq!(endings, Vec::from_iter(fault), "{season}, {millis} ms");
        }
    }
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
}

#[test]
fn error_repeats_request_unless_long() {
    let mut lobby = TestLobby::of_season(Season::Season2027);
    lobby.connect(0..1);
    for (elements, is_repeated) in [(10, true), (2000, false)] {
        let element = (0..30)
            .fold(Element::new("a").with_children((0..elements).map(|_| Element::new("a"))), |inner, _| {
                Element::new("a").with_child(inner)
            });
        lobby.send(0, &Element::new("joined").with_child(element));
        let [ServerMessage::Error { request, .. }] = &lobby.take(0)[..] else { panic!("it is refused") };
        assert_eq!(request.is_some(), is_repeated);
    }
}

#[test]
fn reservations_outlive_their_games() {
    let limits = Limits { rooms: 2, ..Limits::default() };
    let mut lobby = TestLobby::new(ServerOptions { limits, ..ServerOptions::default() });
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
