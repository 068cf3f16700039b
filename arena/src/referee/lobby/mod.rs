//! Everything that clients can ask of the server.

mod administration;
mod joining;
mod refusals;

use std::collections::BTreeMap;
use std::time::Instant;

use game::Team;
use protocol::{ClientMessage, Element, RequestError, Season, Slot, State};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::referee::ids::random_uuid;
use crate::referee::options::Options;
use crate::referee::outbox::{ClientId, Outbox, Output};
use crate::referee::room::{FinishedGame, Room};
use crate::referee::texts;
use crate::referee::verdict::Departure;

/// The clients and the games of a server. What happens is told to it, with the time; what is to be
/// done about it comes out of [`take_outputs`](Self::take_outputs).
#[derive(Debug)]
pub(super) struct Lobby {
    options: Options,
    clients: BTreeMap<ClientId, Client>,
    /// The games that are not over, the oldest first.
    rooms: BTreeMap<u64, Room>,
    next_room: u64,
    reservations: Vec<Reservation>,
    rng: Xoshiro256PlusPlus,
    outbox: Outbox,
    finished: Vec<FinishedGame>,
}

#[derive(Debug)]
struct Client {
    is_admin: bool,
    last_heard: Instant,
}

/// The right to a seat.
#[derive(Debug)]
struct Reservation {
    code: String,
    room: u64,
    team: Team,
}

/// A game that has been prepared: its room, and the codes of its reserved seats.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prepared {
    /// The room's identifier.
    pub room: String,
    /// The codes in the order of the reserved seats.
    pub reservations: Vec<String>,
}

impl Lobby {
    pub(super) fn new(options: Options) -> Self {
        let rng =
            options.seed.map_or_else(|| Xoshiro256PlusPlus::from_rng(&mut rand::rng()), SeedableRng::seed_from_u64);
        let outbox = Outbox::new(options.season);
        Self {
            options,
            clients: BTreeMap::new(),
            rooms: BTreeMap::new(),
            next_room: 0,
            reservations: Vec::new(),
            rng,
            outbox,
            finished: Vec::new(),
        }
    }

    /// What is to be sent, in order.
    pub(super) fn take_outputs(&mut self) -> Vec<(ClientId, Output)> {
        self.outbox.take()
    }

    /// The games that have ended since the last call.
    pub(super) fn take_finished(&mut self) -> Vec<FinishedGame> {
        let over: Vec<u64> = self.rooms.iter().filter(|(_, room)| room.is_over()).map(|(&key, _)| key).collect();
        for key in over {
            self.reservations.retain(|reservation| reservation.room != key);
            self.finished.extend(self.rooms.remove(&key).and_then(Room::into_finished));
        }
        std::mem::take(&mut self.finished)
    }

    /// The new states of all games since the last call, each with its room.
    pub(super) fn take_states(&mut self) -> Vec<(String, State)> {
        self.outbox.take_states()
    }

    /// A client has come.
    pub(super) fn connect(&mut self, client: ClientId, now: Instant) {
        self.clients.insert(client, Client { is_admin: false, last_heard: now });
    }

    /// A client has gone, or is to go.
    pub(super) fn disconnect(&mut self, client: ClientId, how: Departure) {
        if self.clients.remove(&client).is_some() {
            for room in self.rooms.values_mut() {
                room.leave(client, how, &mut self.outbox);
            }
        }
    }

    /// A client sends an element, which arrived at `at`.
    pub(super) fn receive(&mut self, client: ClientId, element: &Element, at: Instant) {
        let Some(state) = self.clients.get_mut(&client) else { return };
        state.last_heard = at;
        let season = self.options.season;
        match ClientMessage::parse(element, season) {
            Ok(message) => self.handle(client, message, at),
            Err(RequestError::NotAMove { room, class }) => self.refuse_no_move(client, &room, &class, element),
            Err(RequestError::Unreadable(reason)) => self.drop_client(client, Departure::ProtocolError, &reason),
            Err(RequestError::Incomplete(reason)) => self.drop_client(client, Departure::Unknown, &reason),
        }
        self.forget_closed();
    }

    /// Acts on everything that has become due.
    pub(super) fn tick(&mut self, now: Instant) {
        for room in self.rooms.values_mut() {
            room.check_time(now, &mut self.outbox);
        }
        let idle = self.options.limits.idle;
        let bored = self.clients.iter().filter(|&(&id, client)| {
            let silent = now.saturating_duration_since(client.last_heard) > idle;
            silent && !client.is_admin && !self.rooms.values().any(|room| room.has_seat(id))
        });
        for client in bored.map(|(&id, _)| id).collect::<Vec<_>>() {
            self.drop_client(client, Departure::LostConnection, "it says nothing");
        }
        self.forget_closed();
    }

    /// The next moment at which something becomes due.
    pub(super) fn next_deadline(&self) -> Option<Instant> {
        self.rooms.values().filter_map(Room::deadline).min()
    }

    /// Prepares a game.
    pub(super) fn prepare(&mut self, slots: [Slot; 2], paused: bool) -> Prepared {
        let reserved = slots.each_ref().map(|slot| slot.reserved);
        let key = self.open_room(slots, paused);
        let mut prepared = Prepared { room: String::new(), reservations: Vec::new() };
        if let Some(room) = self.rooms.get_mut(&key) {
            room.prepared = true;
            prepared.room.clone_from(&room.id);
        }
        for team in Team::ALL.into_iter().filter(|&team| reserved[team as usize]) {
            let code = random_uuid();
            prepared.reservations.push(code.clone());
            self.reservations.push(Reservation { code, room: key, team });
        }
        prepared
    }

    fn handle(&mut self, client: ClientId, message: ClientMessage, now: Instant) {
        let season = self.options.season;
        match &message {
            ClientMessage::Join { game_type } => self.join(client, game_type.as_deref(), now),
            ClientMessage::JoinPrepared { reservation } => {
                let code = self.reservations.iter().position(|known| known.code == *reservation);
                match code.map(|index| self.reservations.swap_remove(index)) {
                    None => self.refuse(client, texts::unknown_reservation(season), &message),
                    Some(Reservation { room, team, .. }) => self.seat(client, room, team, now),
                }
            }
            ClientMessage::JoinRoom { room: id } => match self.find(id).map(|(key, room)| (key, room.open_seat())) {
                None => self.refuse(client, &texts::unknown_room(id), &message),
                Some((_, None)) => self.refuse(client, &texts::full_room(id), &message),
                Some((key, Some(team))) => self.seat(client, key, team, now),
            },
            ClientMessage::Move { room, mv } => match self.find(room).filter(|(_, room)| room.has_seat(client)) {
                Some((key, _)) => {
                    let Some(room) = self.rooms.get_mut(&key) else { return };
                    room.receive_move(client, *mv, now, &mut self.outbox);
                }
                None => self.unknown_room(client, room, &message),
            },
            ClientMessage::Authenticate { password } if *password == self.options.password => {
                self.clients.entry(client).and_modify(|client| client.is_admin = true);
            }
            ClientMessage::Authenticate { .. } => match season {
                Season::Season2021 => self.outbox.dismiss(client),
                Season::Season2027 => {
                    self.refuse(client, "sc.server.client.AuthenticationFailedException: Wrong password", &message);
                }
            },
            ClientMessage::Close => {
                self.outbox.close(client, true);
                self.disconnect(client, Departure::ReceivedDisconnect);
            }
            ClientMessage::Prepare { .. }
            | ClientMessage::Observe { .. }
            | ClientMessage::Pause { .. }
            | ClientMessage::Step { .. }
            | ClientMessage::Cancel { .. } => self.administrate(client, &message, now),
        }
    }

    fn find(&self, id: &str) -> Option<(u64, &Room)> {
        self.rooms.iter().find(|(_, room)| room.id == id && !room.is_over()).map(|(&key, room)| (key, room))
    }
}
