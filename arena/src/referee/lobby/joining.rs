//! How clients get their seats.

use std::time::Instant;

use game::{Piece, Position, Team};
use protocol::{ClientMessage, Season, ServerMessage, Slot, State};
use rand::seq::IndexedRandom;

use super::Lobby;
use crate::referee::ids::random_uuid;
use crate::referee::outbox::ClientId;
use crate::referee::room::Room;
use crate::referee::verdict::Departure;

impl Lobby {
    /// Joins any open game, or a new one.
    pub(super) fn join(&mut self, client: ClientId, game_type: Option<&str>, now: Instant) {
        let season = self.options.season;
        let open = self.rooms.iter().find_map(|(&key, room)| Some((key, room.open_seat()?)));
        let (key, team) = match open {
            Some(place) => place,
            None => {
                // Season 2027 looks at the kind of game only if it has to make one.
                match game_type {
                    Some(game_type) if game_type != season.game_type() => {
                        return self.unknown_game_type(client, game_type);
                    }
                    None if season == Season::Season2021 => {
                        return self.drop_client(client, Departure::ProtocolError, "it joins without a game type");
                    }
                    _ => {}
                }
                if self.rooms.len() >= self.options.limits.rooms {
                    let message = ClientMessage::Join { game_type: game_type.map(str::to_owned) };
                    return self.refuse_for_limit(client, &message);
                }
                let anybody = || Slot { display_name: None, can_timeout: true, reserved: false };
                (self.open_room([anybody(), anybody()], self.options.paused), Team::One)
            }
        };
        self.seat(client, key, team, now);
        if let Some(room) = self.rooms.get(&key) {
            let admins = self.clients.iter().filter(|(_, client)| client.is_admin).map(|(&id, _)| id);
            let joined = ServerMessage::JoinedGameRoom { room: room.id.clone(), players: room.players() };
            self.outbox.send(admins, &joined);
        }
    }

    pub(super) fn seat(&mut self, client: ClientId, key: u64, team: Team, now: Instant) {
        let seats = self.rooms.values().filter(|room| room.has_seat(client)).count();
        if seats >= self.options.limits.seats_per_client {
            return self.drop_client(client, Departure::ProtocolError, "it joins too many games");
        }
        if let Some(room) = self.rooms.get_mut(&key) {
            room.take_seat(team, client, now, &mut self.outbox);
        }
    }

    pub(super) fn open_room(&mut self, slots: [Slot; 2], paused: bool) -> u64 {
        let start = self.start();
        let key = self.next_room;
        self.next_room += 1;
        self.rooms.insert(key, Room::new(random_uuid(), start, slots, self.options.clock, paused));
        key
    }

    /// The state in which the next game begins.
    pub(super) fn start(&mut self) -> State {
        if let Some(start) = &self.options.start {
            return start.clone();
        }
        let rules = self.options.season.rules();
        let pieces: Vec<Piece> = rules.start_pieces().iter().collect();
        let piece = pieces.choose(&mut self.rng).copied();
        let position = Position::new(rules, piece).expect("a start piece of the rules makes a position");
        State::new(self.options.season, position, None, [""; 2])
    }
}
