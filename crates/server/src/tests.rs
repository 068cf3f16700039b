//! The lobby without sockets, with a clock that stands still until it is moved.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use game::{Move, Team};
use proptest::prelude::*;
use protocol::{ClientMessage, Element, RoomData, Season, ServerMessage, Slot, WireMove};

use crate::lobby::Lobby;
use crate::options::{Limits, Options};
use crate::outbox::{ClientId, Output};
use crate::verdict::{Departure, Ending, Offence};

/// A lobby, the time, and what every client got.
struct Table {
    season: Season,
    lobby: Lobby,
    now: Instant,
    received: Vec<(ClientId, ServerMessage)>,
    closed: Vec<ClientId>,
}

impl Table {
    fn new(options: Options) -> Self {
        let season = options.season;
        Self { season, lobby: Lobby::new(options), now: Instant::now(), received: Vec::new(), closed: Vec::new() }
    }

    fn of_season(season: Season) -> Self {
        Self::new(Options { season, seed: Some(1), ..Options::default() })
    }

    fn connect(&mut self, clients: std::ops::Range<ClientId>) {
        clients.for_each(|client| self.lobby.connect(client, self.now));
    }

    fn say(&mut self, client: ClientId, message: &ClientMessage) {
        self.send(client, &message.to_element(self.season));
    }

    fn send(&mut self, client: ClientId, element: &Element) {
        self.lobby.receive(client, element, self.now);
        self.collect();
    }

    fn wait(&mut self, millis: u64) {
        self.now += Duration::from_millis(millis);
        self.lobby.tick(self.now);
        self.collect();
    }

    fn collect(&mut self) {
        for (client, output) in self.lobby.take_outputs() {
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

    /// What a client got since the last call.
    fn take(&mut self, client: ClientId) -> Vec<ServerMessage> {
        self.received.extract_if(.., |(receiver, _)| *receiver == client).map(|(_, message)| message).collect()
    }

    fn join(&mut self, client: ClientId) {
        self.say(client, &ClientMessage::Join { game_type: Some(self.season.game_type().to_owned()) });
    }

    /// The first legal move of the last state that a client got, in its room.
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
fn answers_are_in_time_until_two_seconds_have_passed() {
    for (season, millis, in_time) in [
        (Season::Season2021, 2000, true),
        (Season::Season2021, 2001, false),
        (Season::Season2027, 2000, true),
        (Season::Season2027, 2001, false),
    ] {
        let mut table = Table::of_season(season);
        table.connect(0..2);
        table.join(0);
        table.join(1);
        let answer = table.answer(0);
        table.wait(millis);
        table.say(0, &answer);
        let finished = table.lobby.take_finished();
        assert_eq!(finished.is_empty(), in_time);
        assert_eq!(table.take(1).iter().any(is_request), in_time);
        let late = Ending::Fault { team: Team::One, offence: Offence::Late };
        assert!(finished.iter().all(|game| game.ending == late));
    }
}

#[test]
fn silence_loses_after_ten_seconds() {
    let mut table = Table::of_season(Season::Season2027);
    table.connect(0..2);
    table.join(0);
    table.join(1);
    assert_eq!(table.lobby.next_deadline(), Some(table.now + Duration::from_secs(10)));
    table.wait(9_999);
    assert!(table.lobby.take_finished().is_empty());
    table.wait(1);
    let finished = table.lobby.take_finished();
    assert_eq!(finished[0].ending, Ending::Fault { team: Team::One, offence: Offence::Silent });
    assert_eq!(table.lobby.next_deadline(), None);
    assert!(matches!(table.take(0).last(), Some(ServerMessage::Left { .. })));
}

#[test]
fn some_players_may_think_for_ever() {
    let mut table = Table::of_season(Season::Season2027);
    table.connect(0..2);
    let prepared = table.lobby.prepare(vec![slot(false, true), slot(true, true)], false);
    for (client, code) in (0..).zip(prepared.reservations) {
        table.say(client, &ClientMessage::JoinPrepared { reservation: code });
    }
    table.wait(1_000_000);
    let answer = table.answer(0);
    table.say(0, &answer);
    assert!(table.take(1).iter().any(is_request));
    table.wait(10_000);
    assert_eq!(table.lobby.take_finished()[0].ending, Ending::Fault { team: Team::Two, offence: Offence::Silent });
}

#[test]
fn reserved_places_are_for_their_holders() {
    let mut table = Table::of_season(Season::Season2027);
    table.connect(0..4);
    let prepared = table.lobby.prepare(vec![slot(true, true), slot(true, false)], false);
    let [code] = prepared.reservations.as_slice() else { panic!() };
    // The open place can be had by anyone who names the room, or who joins any game.
    table.say(0, &ClientMessage::JoinRoom { room: prepared.room.clone() });
    assert_eq!(table.take(0), [ServerMessage::Joined { room: prepared.room.clone() }]);
    table.say(1, &ClientMessage::JoinRoom { room: prepared.room.clone() });
    let refused = |message: &ServerMessage, text: &str| matches!(message, ServerMessage::Error { message, .. } if message.contains(text));
    assert!(refused(&table.take(1)[0], "is already full"));
    // Whoever joins any game gets another one.
    table.join(2);
    assert!(!table.take(2).contains(&ServerMessage::Joined { room: prepared.room.clone() }));
    table.say(3, &ClientMessage::JoinPrepared { reservation: code.clone() });
    let welcome = ServerMessage::Room { room: prepared.room.clone(), data: RoomData::Welcome(Team::One) };
    assert!(table.take(3).contains(&welcome));
    // A code is good for one player.
    table.say(1, &ClientMessage::JoinPrepared { reservation: code.clone() });
    assert!(refused(&table.take(1)[0], "Couldn't find a reservation"));
}

#[test]
fn errors_repeat_requests_but_no_long_ones() {
    let mut table = Table::of_season(Season::Season2027);
    table.connect(0..1);
    for (elements, is_repeated) in [(10, true), (2000, false)] {
        let element = (0..30)
            .fold(Element::new("a").containing((0..elements).map(|_| Element::new("a"))), |inner, _| {
                Element::new("a").child(inner)
            });
        table.send(0, &Element::new("joined").child(element));
        let [ServerMessage::Error { request, .. }] = &table.take(0)[..] else { panic!("it is refused") };
        assert_eq!(request.is_some(), is_repeated);
    }
}

#[test]
fn forced_steps_end_games_without_players() {
    let mut table = Table::of_season(Season::Season2027);
    table.connect(0..2);
    table.say(0, &ClientMessage::Authenticate { password: "examplepassword".to_owned() });
    let prepared = table.lobby.prepare(vec![slot(true, true), slot(true, true)], true);
    table.say(1, &ClientMessage::JoinPrepared { reservation: prepared.reservations[0].clone() });
    table.say(0, &ClientMessage::Step { room: prepared.room.clone(), forced: false });
    assert!(table.lobby.take_finished().is_empty());
    table.say(0, &ClientMessage::Step { room: prepared.room.clone(), forced: true });
    let offence = Offence::Left(Departure::NotConnected);
    assert_eq!(table.lobby.take_finished()[0].ending, Ending::Fault { team: Team::Two, offence });
}

#[test]
fn winner_of_paused_game_gets_welcome_and_result() {
    let mut table = Table::of_season(Season::Season2027);
    table.connect(0..2);
    let prepared = table.lobby.prepare(vec![slot(true, true), slot(true, true)], true);
    for (client, code) in (0..).zip(prepared.reservations) {
        table.say(client, &ClientMessage::JoinPrepared { reservation: code });
    }
    table.lobby.disconnect(0, Departure::LostConnection);
    table.collect();
    let got = table.take(1);
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

/// The error of an illegal move is part of the replay, that of a move out of turn is not.
#[test]
fn moves_out_of_turn_are_reported_to_the_offender_only() {
    for (offender, is_out_of_turn) in [(1, true), (0, false)] {
        let mut table = Table::of_season(Season::Season2027);
        table.connect(0..3);
        table.say(2, &ClientMessage::Authenticate { password: "examplepassword".to_owned() });
        table.join(0);
        let [ServerMessage::JoinedGameRoom { room, .. }] = &table.take(2)[..] else { panic!("one has joined") };
        table.say(2, &ClientMessage::Observe { room: room.clone() });
        table.join(1);
        let mv = WireMove::Skip { color: None };
        table.say(offender, &ClientMessage::Move { room: room.clone(), mv });
        let is_error =
            |message: &ServerMessage| matches!(message, ServerMessage::Room { data: RoomData::Error { .. }, .. });
        assert!(table.take(offender).iter().any(is_error));
        assert_eq!(table.take(2).iter().any(is_error), !is_out_of_turn);
        assert_eq!(table.lobby.take_finished()[0].error.is_none(), is_out_of_turn);
    }
}

/// A code is good for as long as the server remembers it, also after the game; the oldest are forgotten.
#[test]
fn reservations_outlive_their_games() {
    let limits = Limits { rooms: 2, ..Limits::default() };
    let mut table = Table::new(Options { limits, ..Options::default() });
    table.connect(0..2);
    let mut codes = Vec::new();
    for _ in 0..4 {
        let prepared = table.lobby.prepare(vec![slot(true, true), slot(true, true)], false);
        table.say(0, &ClientMessage::Authenticate { password: "examplepassword".to_owned() });
        table.say(0, &ClientMessage::Cancel { room: prepared.room });
        codes.extend(prepared.reservations);
    }
    for (number, reservation) in codes.into_iter().enumerate() {
        table.say(1, &ClientMessage::JoinPrepared { reservation });
        let is_known = matches!(&table.take(1)[..], [ServerMessage::Joined { .. }]);
        assert_eq!(is_known, number >= 4, "code {number}");
    }
}

#[test]
fn administration_needs_the_password() {
    let mut table = Table::of_season(Season::Season2027);
    table.connect(0..1);
    let observe = ClientMessage::Observe { room: "nowhere".to_owned() };
    table.say(0, &observe);
    table.say(0, &ClientMessage::Authenticate { password: "guess".to_owned() });
    table.say(0, &observe);
    let texts: Vec<String> = table
        .take(0)
        .into_iter()
        .map(|message| match message {
            ServerMessage::Error { message, .. } => message,
            other => panic!("{other:?}"),
        })
        .collect();
    assert!(texts[0].contains("Unauthenticated") && texts[1].contains("Failed to authenticate"), "{texts:?}");
    assert_eq!(texts[0], texts[2]);
    table.say(0, &ClientMessage::Authenticate { password: "examplepassword".to_owned() });
    table.say(0, &observe);
    assert!(matches!(&table.take(0)[0], ServerMessage::Error { message, .. } if message.contains("nowhere")));
}

#[test]
fn a_waiting_player_who_leaves_makes_room() {
    for season in Season::ALL {
        let mut table = Table::of_season(season);
        table.connect(0..3);
        table.join(0);
        table.lobby.disconnect(0, Departure::LostConnection);
        table.lobby.take_finished();
        table.join(1);
        table.join(2);
        assert!(table.take(1).iter().any(is_request), "season {season}");
    }
}

/// What clients may do in any order.
#[derive(Clone, Debug)]
enum Deed {
    Say(ClientId, ClientMessage),
    /// Sends a move that the client could make, or one that it could not.
    Play(ClientId, bool),
    Leave(ClientId),
    Wait(u64),
}

fn deeds(season: Season) -> impl Strategy<Value = Deed> {
    let client = 0..6 as ClientId;
    let room = || Just("ROOM".to_owned());
    let says = prop_oneof![
        4 => game_type(season).prop_map(|game_type| ClientMessage::Join { game_type }),
        4 => Just(ClientMessage::Authenticate { password: "examplepassword".to_owned() }),
        1 => Just(ClientMessage::Authenticate { password: String::new() }),
        4 => room().prop_map(|room| ClientMessage::JoinRoom { room }),
        6 => Just(ClientMessage::JoinPrepared { reservation: "CODE".to_owned() }),
        4 => (game_type(season), proptest::bool::weighted(0.2), slots())
            .prop_map(|(game_type, pause, slots)| ClientMessage::Prepare { game_type, pause, slots }),
        2 => room().prop_map(|room| ClientMessage::Observe { room }),
        2 => (room(), any::<bool>()).prop_map(|(room, pause)| ClientMessage::Pause { room, pause }),
        2 => (room(), any::<bool>()).prop_map(|(room, forced)| ClientMessage::Step { room, forced }),
        1 => room().prop_map(|room| ClientMessage::Cancel { room }),
        1 => Just(ClientMessage::FreeReservation { reservation: "CODE".to_owned() }),
        1 => (room(), 0..3usize, any::<bool>())
            .prop_map(|(room, slot, activate)| ClientMessage::Timeout { room, slot, activate }),
        1 => any::<bool>().prop_map(|enabled| ClientMessage::TestMode { enabled }),
        1 => Just(ClientMessage::ScoreForPlayer { name: "Unknown".to_owned() }),
        1 => Just(ClientMessage::Close),
    ];
    prop_oneof![
        6 => (client.clone(), says).prop_map(|(client, message)| Deed::Say(client, message)),
        6 => (client.clone(), proptest::bool::weighted(0.9)).prop_map(|(client, legal)| Deed::Play(client, legal)),
        1 => client.prop_map(Deed::Leave),
        2 => (0..12_000u64).prop_map(Deed::Wait),
    ]
}

/// Mostly the game that the server plays.
fn game_type(season: Season) -> impl Strategy<Value = Option<String>> {
    let others = [Some("swc_2027_blokus"), Some("swc_2021_blokus"), Some("chess"), None];
    prop_oneof![9 => Just(Some(season.game_type())), 1 => proptest::sample::select(others.to_vec())]
        .prop_map(|game_type| game_type.map(str::to_owned))
}

/// Mostly as many places as a game has, and with names, without which no game begins.
fn slots() -> impl Strategy<Value = Vec<Slot>> {
    let name = proptest::option::weighted(0.9, Just("Ann".to_owned()));
    let slot = (name, any::<bool>(), any::<bool>()).prop_map(|(display_name, can_timeout, reserved)| Slot {
        display_name,
        can_timeout,
        reserved,
    });
    let count = prop_oneof![4 => Just(2usize), 1 => 0..4usize];
    count.prop_flat_map(move |count| proptest::collection::vec(slot.clone(), count))
}

/// Puts the last room that anybody heard of and the next code into a message. A code is good once, so that after it was
/// used it is the turn of the others.
fn with_identifiers(message: ClientMessage, room: &str, codes: &mut [String]) -> ClientMessage {
    let room = || room.to_owned();
    match message {
        ClientMessage::JoinRoom { .. } => ClientMessage::JoinRoom { room: room() },
        ClientMessage::JoinPrepared { .. } => {
            codes.rotate_left(1);
            ClientMessage::JoinPrepared { reservation: codes[codes.len() - 1].clone() }
        }
        ClientMessage::Observe { .. } => ClientMessage::Observe { room: room() },
        ClientMessage::Pause { pause, .. } => ClientMessage::Pause { room: room(), pause },
        ClientMessage::Step { forced, .. } => ClientMessage::Step { room: room(), forced },
        ClientMessage::Cancel { .. } => ClientMessage::Cancel { room: room() },
        ClientMessage::FreeReservation { .. } => ClientMessage::FreeReservation { reservation: codes[0].clone() },
        ClientMessage::Timeout { slot, activate, .. } => ClientMessage::Timeout { room: room(), slot, activate },
        other => other,
    }
}

proptest! {
    /// Whatever clients do, nothing panics, nobody who has gone is spoken to, every game that ends
    /// has a result, and everybody who plays or watches it is told that, and that it is over.
    #[test]
    fn any_order_of_deeds_is_survived(
        (season, deeds) in proptest::sample::select(&Season::ALL[..])
            .prop_flat_map(|season| (Just(season), proptest::collection::vec(deeds(season), 1..250))),
    ) {
        let mut table = Table::of_season(season);
        let mut room = "none".to_owned();
        let mut codes = vec!["none".to_owned()];
        // Who plays in which room or watches it, and who was told there that the game has a result and is over.
        let [mut present, mut informed, mut released]: [HashSet<(ClientId, String)>; 3] = Default::default();
        let mut ids: Vec<ClientId> = (0..6).collect();
        let mut next_id = 6;
        table.connect(0..6);
        for deed in deeds {
            match deed {
                Deed::Say(client, message) => {
                    table.say(ids[client as usize], &with_identifiers(message, &room, &mut codes));
                }
                Deed::Play(client, legal) => {
                    let client = ids[client as usize];
                    // Of what was received before, only states are left.
                    if table.received.iter().any(|(receiver, _)| *receiver == client) {
                        let answer = match table.answer(client) {
                            ClientMessage::Move { room, mv } if !legal => {
                                let mv = WireMove::Skip { color: mv.color().filter(|_| client.is_multiple_of(2)) };
                                ClientMessage::Move { room, mv }
                            }
                            answer => answer,
                        };
                        table.say(client, &answer);
                    }
                }
                Deed::Leave(client) => {
                    table.lobby.disconnect(ids[client as usize], Departure::LostConnection);
                    table.closed.push(ids[client as usize]);
                }
                Deed::Wait(millis) => table.wait(millis),
            }
            table.collect();
            for (client, message) in &table.received {
                match message {
                    ServerMessage::Joined { room: heard } | ServerMessage::Observed { room: heard } => {
                        room.clone_from(heard);
                        present.insert((*client, heard.clone()));
                    }
                    ServerMessage::Prepared { room: heard, reservations } => {
                        room.clone_from(heard);
                        codes.splice(0..0, reservations.iter().cloned());
                    }
                    ServerMessage::Room { room, data: RoomData::Result(_) } => {
                        informed.insert((*client, room.clone()));
                    }
                    ServerMessage::Left { room } => _ = released.insert((*client, room.clone())),
                    _ => {}
                }
            }
            table.received.retain(|(_, message)| {
                matches!(message, ServerMessage::Room { data: RoomData::Memento(_), .. })
            });
            for game in table.lobby.take_finished() {
                let points: i32 = game.result.scores.iter().map(|score| score.victory_points).sum();
                prop_assert_eq!(points, if matches!(game.ending, Ending::Faults(_)) { 0 } else { 2 });
                prop_assert_eq!(game.result.regular, game.ending == Ending::Regular);
                prop_assert!(game.times.len() < game.states.len());
                for one in present.iter().filter(|(client, room)| *room == game.room && !table.closed.contains(client)) {
                    prop_assert!(informed.contains(one), "client {} is not told the result", one.0);
                    prop_assert!(released.contains(one), "client {} is not told that the game is over", one.0);
                }
            }
            // Whoever has gone comes back as somebody new.
            for id in &mut ids {
                if table.closed.contains(id) {
                    *id = next_id;
                    table.lobby.connect(next_id, table.now);
                    next_id += 1;
                }
            }
        }
    }
}
