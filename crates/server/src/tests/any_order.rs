//! Random actions in any order.

use std::collections::HashSet;

use proptest::prelude::*;
use protocol::{ClientMessage, Element, Replay, RoomData, Season, ServerMessage, Slot, WireMove};

use super::TestLobby;
use crate::outbox::ClientId;
use crate::verdict::{DisconnectReason, Ending};

/// An action of a client. In messages `ROOM` is the last known room and `CODE` a reservation.
#[derive(Clone, Debug)]
enum ClientAction {
    Say(ClientId, ClientMessage),
    /// Sends a legal or an illegal move.
    Play(ClientId, bool),
    Leave(ClientId),
    Wait(u64),
}

fn actions(season: Season) -> impl Strategy<Value = ClientAction> {
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
        1 => Just(ClientMessage::Close),
    ];
    prop_oneof![
        6 => (client.clone(), says).prop_map(|(client, message)| ClientAction::Say(client, message)),
        6 => (client.clone(), proptest::bool::weighted(0.9)).prop_map(|(client, legal)| ClientAction::Play(client, legal)),
        1 => client.prop_map(ClientAction::Leave),
        2 => (0..12_000u64).prop_map(ClientAction::Wait),
    ]
}

/// Mostly the game of the server.
fn game_type(season: Season) -> impl Strategy<Value = Option<String>> {
    let others = [Some("swc_2027_blokus"), Some("swc_2021_blokus"), Some("chess"), None];
    prop_oneof![9 => Just(Some(season.game_type())), 1 => proptest::sample::select(others.to_vec())]
        .prop_map(|game_type| game_type.map(str::to_owned))
}

/// Mostly two seats with names, without which no game begins.
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Nothing panics, no message goes to a client that has left, and every player and observer of a finished game gets
    /// its result and its end.
    #[test]
    fn handles_actions_in_any_order(
        (season, actions) in proptest::sample::select(Season::ALL)
            .prop_flat_map(|season| (Just(season), proptest::collection::vec(actions(season), 1..250))),
    ) {
        let mut lobby = TestLobby::of_season(season);
        let mut room = "none".to_owned();
        let mut codes = vec!["none".to_owned()];
        // The clients in each room, those with its result, and those that were removed.
        let [mut present, mut informed, mut released]: [HashSet<(ClientId, String)>; 3] = Default::default();
        let mut ids: Vec<ClientId> = (0..6).collect();
        let mut next_id = 6;
        lobby.connect(0..6);
        for action in actions {
            match action {
                ClientAction::Say(client, message) => {
                    let text = message.to_element(season).to_xml(0).replace("ROOM", &room).replace("CODE", &codes[0]);
                    lobby.send(ids[client as usize], &Element::parse(&text).unwrap());
                    // The next code, because each is valid once.
                    codes.rotate_left(1);
                }
                ClientAction::Play(client, legal) => {
                    let client = ids[client as usize];
                    if lobby.received.iter().any(|(receiver, _)| *receiver == client) {
                        let answer = match lobby.answer(client) {
                            ClientMessage::Move { room, mv } if !legal => {
                                let mv = WireMove::Skip { color: mv.color().filter(|_| client.is_multiple_of(2)) };
                                ClientMessage::Move { room, mv }
                            }
                            answer => answer,
                        };
                        lobby.say(client, &answer);
                    }
                }
                ClientAction::Leave(client) => {
                    lobby.inner.disconnect(ids[client as usize], DisconnectReason::LostConnection);
                    lobby.closed.push(ids[client as usize]);
                }
                ClientAction::Wait(millis) => lobby.wait(millis),
            }
            lobby.collect();
            for (client, message) in &lobby.received {
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
            lobby.received.retain(|(_, message)| {
                matches!(message, ServerMessage::Room { data: RoomData::Memento(_), .. })
            });
            for replay in lobby.inner.unfinished() {
                let read = Replay::parse(replay.to_xml().as_bytes()).and_then(|replay| replay.game());
                prop_assert!(read.is_ok(), "{read:?}");
            }
            for game in lobby.inner.take_finished() {
                let points: i32 = game.result.scores.iter().map(|score| score.victory_points).sum();
                prop_assert_eq!(points, if matches!(game.ending, Ending::Faults(_)) { 0 } else { 2 });
                prop_assert_eq!(game.result.regular, game.ending == Ending::Regular);
                prop_assert!(game.times.len() < game.states.len());
                for one in present.iter().filter(|(client, room)| *room == game.room && !lobby.closed.contains(client)) {
                    prop_assert!(informed.contains(one), "client {} is not told the result", one.0);
                    prop_assert!(released.contains(one), "client {} is not told that the game is over", one.0);
                }
            }
            // Clients that have left return as new ones.
            for id in &mut ids {
                if lobby.closed.contains(id) {
                    *id = next_id;
                    lobby.inner.connect(next_id, lobby.now);
                    next_id += 1;
                }
            }
        }
    }
}
