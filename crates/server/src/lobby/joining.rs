//! Joining games.

use std::time::Instant;

use game::{Piece, Position, Team};
use protocol::{Season, ServerMessage, Slot, State};
use rand::seq::IndexedRandom;

use super::{ClientRequest, Lobby, Reservation};
use crate::ids::random_uuid;
use crate::outbox::ClientId;
use crate::room::Room;
use crate::texts;
use crate::verdict::DisconnectReason;

impl Lobby {
    /// Joins any open game, or a new one.
    pub(super) fn join(&mut self, client: ClientId, game_type: Option<&str>, request: &ClientRequest, now: Instant) {
        let season = self.options.season;
        let open = self.rooms.iter().find_map(|(&key, room)| Some((key, room.open_seat()?)));
        let existed = open.is_some();
        let (key, team) = match open {
            Some(place) => place,
            None => {
                // Season 2027 checks the kind of game only for a new one.
                match game_type {
                    Some(game_type) if game_type != season.game_type() => {
                        return self.unknown_game_type(client, game_type);
                    }
                    None if season == Season::Season2021 => {
                        return self.drop_client(
                            client,
                            DisconnectReason::ProtocolError,
                            "it joins without a game type",
                        );
                    }
                    _ => {}
                }
                if self.rooms.len() >= self.options.limits.rooms {
                    return self.refuse_for_limit(client, request);
                }
                (self.open_room(Vec::new(), false).0, Team::One)
            }
        };
        self.seat(client, key, team, now);
        if let Some(room) = self.rooms.get(&key) {
            let admins = self.clients.iter().filter(|(_, client)| client.is_admin).map(|(&id, _)| id);
            let players = match season {
                Season::Season2021 => 1 + usize::from(existed),
                Season::Season2027 => room.players(),
            };
            let joined = ServerMessage::JoinedGameRoom { room: room.id.clone(), players };
            self.outbox.send(admins, &joined);
        }
    }

    pub(super) fn seat(&mut self, client: ClientId, key: u64, team: Team, now: Instant) {
        let seats = self.rooms.values().filter(|room| room.has_seat(client)).count();
        if seats >= self.options.limits.seats_per_client {
            return self.drop_for_limit(client, DisconnectReason::ProtocolError, "it joins too many games");
        }
        let Some(room) = self.rooms.get_mut(&key) else { return };
        if !room.take_seat(team, client, now, &mut self.outbox) {
            self.drop_client(client, DisconnectReason::Unknown, "it completes a game with a nameless seat");
        }
    }

    /// Takes the seat that is reserved under a code.
    pub(super) fn join_prepared(&mut self, client: ClientId, code: &str, request: &ClientRequest, now: Instant) {
        let season = self.options.season;
        let known = self.reservations.iter().position(|known| known.code == code);
        let Some(Reservation { room, id, team, .. }) = known.and_then(|index| self.reservations.remove(index)) else {
            return self.refuse(client, texts::unknown_reservation(season), request);
        };
        match season {
            _ if self.rooms.get(&room).is_some_and(|room| !room.is_over()) => self.seat(client, room, team, now),
            // The code of a finished game gets no answer.
            Season::Season2021 => {}
            Season::Season2027 => self.outbox.send([client], &ServerMessage::Joined { room: id }),
        }
    }

    /// Creates a game; returns its key and its identifier.
    pub(super) fn open_room(&mut self, slots: Vec<Slot>, paused: bool) -> (u64, String) {
        let start = self.start();
        let (key, id) = (self.next_room, random_uuid());
        self.next_room += 1;
        self.rooms.insert(key, Room::new(id.clone(), start, slots, self.options.time_limits, paused));
        (key, id)
    }

    /// Returns the start state of the next game.
    pub(super) fn start(&mut self) -> State {
        if !self.options.start.is_empty() {
            return self.options.start[self.next_room as usize % self.options.start.len()].clone();
        }
        let rules = self.options.season.rules();
        let pieces: Vec<Piece> = rules.start_pieces().iter().collect();
        let piece = pieces.choose(&mut self.rng).copied();
        let position = Position::new(rules, piece).expect("a start piece of the rules makes a position");
        State::new(self.options.season, position, None, [""; 2])
    }
}
