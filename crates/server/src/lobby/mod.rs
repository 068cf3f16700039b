//! The requests of clients.

mod administration;
mod joining;
mod refusals;

use std::collections::{BTreeMap, VecDeque};
use std::time::Instant;

use game::Team;
use protocol::{ClientMessage, ClientMessageError, Element, Replay, Season, Slot};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::ids::random_uuid;
use crate::options::ServerOptions;
use crate::outbox::{ClientId, ClientOutput, Outbox};
use crate::room::{FinishedGame, PlayerAnswer, Room};
use crate::texts;
use crate::verdict::DisconnectReason;

/// The clients and the games of a server, without sockets and without a clock: events carry their time, and
/// [`take_outputs`](Self::take_outputs) returns the outputs. [`Server`] connects it to the network.
///
/// ```
/// use std::time::Instant;
///
/// use protocol::Element;
/// use server::{ClientOutput, Lobby, ServerOptions};
///
/// let mut lobby = Lobby::new(ServerOptions::default());
/// lobby.connect(0, Instant::now());
/// lobby.receive(0, &Element::new("join"), Instant::now());
/// let outputs = lobby.take_outputs();
/// assert!(matches!(&outputs[..], [(0, ClientOutput::Send(text))] if text.contains("<joined roomId=")));
/// ```
///
/// [`Server`]: crate::Server
#[derive(Clone, Debug)]
pub struct Lobby {
    options: ServerOptions,
    clients: BTreeMap<ClientId, LobbyClient>,
    /// The unfinished games, the oldest first.
    rooms: BTreeMap<u64, Room>,
    next_room: u64,
    reservations: VecDeque<Reservation>,
    rng: Xoshiro256PlusPlus,
    outbox: Outbox,
    finished: Vec<FinishedGame>,
}

#[derive(Clone, Debug)]
struct LobbyClient {
    is_admin: bool,
    last_heard: Instant,
}

/// A client's request with its element, which errors repeat.
struct ClientRequest<'a> {
    message: ClientMessage,
    element: &'a Element,
}

impl ClientRequest<'_> {
    /// The text fields. Other fields have defaults.
    const TEXTS: [&'static str; 3] = ["roomId", "reservationCode", "password"];

    fn leaves_out(&self, field: &str) -> bool {
        self.element.field(field).is_none()
    }

    /// Returns the request as it is repeated in an error.
    fn repeated(&self, season: Season) -> Element {
        self.message.to_element(season).keeping(|name| !Self::TEXTS.contains(&name) || !self.leaves_out(name))
    }
}

/// The reservation of a seat. It outlives its game, as on the official server.
#[derive(Clone, Debug)]
struct Reservation {
    code: String,
    room: u64,
    /// The room's identifier.
    id: String,
    team: Team,
}

/// A prepared game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prepared {
    /// The room's identifier.
    pub room: String,
    /// The codes of the reserved seats, in order.
    pub reservations: Vec<String>,
}

impl Lobby {
    /// Creates a lobby without clients. It ignores the address and the limits of connections.
    pub fn new(options: ServerOptions) -> Self {
        let rng =
            options.seed.map_or_else(|| Xoshiro256PlusPlus::from_rng(&mut rand::rng()), SeedableRng::seed_from_u64);
        let outbox = Outbox::new(options.season);
        Self {
            options,
            clients: BTreeMap::new(),
            rooms: BTreeMap::new(),
            next_room: 0,
            reservations: VecDeque::new(),
            rng,
            outbox,
            finished: Vec::new(),
        }
    }

    /// Returns the outputs since the last call, in order.
    pub fn take_outputs(&mut self) -> Vec<(ClientId, ClientOutput)> {
        self.outbox.take()
    }

    /// Returns the replays of the running games, without results.
    pub fn unfinished(&self) -> Vec<Replay> {
        self.rooms.values().filter_map(Room::unfinished).collect()
    }

    /// Returns the games that ended since the last call.
    pub fn take_finished(&mut self) -> Vec<FinishedGame> {
        std::mem::take(&mut self.finished)
    }

    /// Adds a client.
    pub fn connect(&mut self, client: ClientId, now: Instant) {
        self.clients.insert(client, LobbyClient { is_admin: false, last_heard: now });
    }

    /// Removes a client that has left or has to leave.
    pub fn disconnect(&mut self, client: ClientId, how: DisconnectReason) {
        if self.clients.remove(&client).is_some() {
            for room in self.rooms.values_mut() {
                room.leave(client, how, &mut self.outbox);
            }
            self.remove_finished();
        }
    }

    /// Handles an element of a client, which arrived at `at`.
    pub fn receive(&mut self, client: ClientId, element: &Element, at: Instant) {
        let Some(state) = self.clients.get_mut(&client) else { return };
        state.last_heard = at;
        let season = self.options.season;
        match ClientMessage::parse(element, season) {
            Ok(message) => self.handle(client, &ClientRequest { message, element }, at),
            Err(ClientMessageError::NotAMove { room, class }) => {
                self.receive_no_move(client, &room, &class, element, at)
            }
            Err(ClientMessageError::OfServer { name }) => self.refuse_element(client, texts::unhandled(&name), element),
            Err(ClientMessageError::Unreadable(reason)) => {
                self.drop_client(client, DisconnectReason::ProtocolError, &reason)
            }
            Err(error) => self.drop_client(client, DisconnectReason::Unknown, &error.to_string()),
        }
        self.forget_closed();
        self.remove_finished();
    }

    /// Handles all deadlines up to `now`.
    pub fn tick(&mut self, now: Instant) {
        for room in self.rooms.values_mut() {
            room.check_time(now, &mut self.outbox);
        }
        let idle = self.options.limits.idle;
        let idle_clients = self.clients.iter().filter(|&(&id, client)| {
            let silent = now.saturating_duration_since(client.last_heard) > idle;
            silent && !client.is_admin && !self.rooms.values().any(|room| room.has_seat(id))
        });
        for client in idle_clients.map(|(&id, _)| id).collect::<Vec<_>>() {
            self.drop_for_limit(client, DisconnectReason::LostConnection, "it is silent");
        }
        self.forget_closed();
        self.remove_finished();
    }

    /// Returns the next deadline.
    pub fn next_deadline(&self) -> Option<Instant> {
        self.rooms.values().filter_map(Room::deadline).min()
    }

    /// Prepares a game for one player or two, team one first.
    pub fn prepare(&mut self, slots: Vec<Slot>, paused: bool) -> Prepared {
        let reserved: Vec<bool> = slots.iter().map(|slot| slot.reserved).collect();
        let (key, id) = self.open_room(slots, paused);
        let mut prepared = Prepared { room: id.clone(), reservations: Vec::new() };
        for (team, _) in Team::ALL.into_iter().zip(reserved).filter(|(_, reserved)| *reserved) {
            let code = random_uuid();
            prepared.reservations.push(code.clone());
            self.reservations.push_back(Reservation { code, room: key, id: id.clone(), team });
        }
        prepared
    }

    /// Removes the finished games.
    fn remove_finished(&mut self) {
        let over: Vec<u64> = self.rooms.iter().filter(|(_, room)| room.is_over()).map(|(&key, _)| key).collect();
        for key in over {
            let Some(room) = self.rooms.remove(&key) else { continue };
            self.finished.extend(room.into_finished());
        }
        self.forget_reservations();
    }

    /// Forgets the oldest reservations of finished games beyond a limit.
    fn forget_reservations(&mut self) {
        let mut surplus = self.reservations.len().saturating_sub(Team::ALL.len() * self.options.limits.rooms);
        self.reservations.retain(|reservation| {
            let is_kept = surplus == 0 || self.rooms.contains_key(&reservation.room);
            surplus -= usize::from(!is_kept);
            is_kept
        });
    }

    fn handle(&mut self, client: ClientId, request: &ClientRequest, now: Instant) {
        match &request.message {
            ClientMessage::Join { game_type } => self.join(client, game_type.as_deref(), request, now),
            ClientMessage::JoinPrepared { reservation } => self.join_prepared(client, reservation, request, now),
            ClientMessage::JoinRoom { room: id } => match self.find(id).map(|(key, room)| (key, room.open_seat())) {
                None => self.refuse(client, &texts::unknown_room(id), request),
                Some((_, None)) => self.refuse(client, &texts::full_room(id), request),
                Some((key, Some(team))) => self.seat(client, key, team, now),
            },
            ClientMessage::Move { room, mv } => match self.find(room).map(|(key, room)| (key, room.has_seat(client))) {
                None => self.unknown_room(client, room, request),
                Some((_, false)) => self.refuse_or_dismiss(client, &texts::no_member(room), request),
                Some((key, true)) => self.answer(client, key, PlayerAnswer::Move(*mv), now),
            },
            ClientMessage::Authenticate { password } if *password == self.options.password => {
                self.clients.entry(client).and_modify(|client| client.is_admin = true);
            }
            ClientMessage::Authenticate { .. } => self.refuse_or_dismiss(client, texts::WRONG_PASSWORD, request),
            ClientMessage::Close => {
                self.outbox.close(client, true);
                self.disconnect(client, DisconnectReason::ReceivedDisconnect);
            }
            ClientMessage::Prepare { .. }
            | ClientMessage::Observe { .. }
            | ClientMessage::Pause { .. }
            | ClientMessage::Step { .. }
            | ClientMessage::Cancel { .. }
            | ClientMessage::FreeReservation { .. }
            | ClientMessage::Timeout { .. }
            | ClientMessage::TestMode => self.administrate(client, request, now),
        }
    }

    /// Passes a player's answer to its game.
    fn answer(&mut self, client: ClientId, key: u64, answer: PlayerAnswer, now: Instant) {
        if let Some(room) = self.rooms.get_mut(&key) {
            room.receive(client, answer, now, &mut self.outbox);
        }
    }

    fn find(&self, id: &str) -> Option<(u64, &Room)> {
        self.rooms.iter().find(|(_, room)| room.id == id && !room.is_over()).map(|(&key, room)| (key, room))
    }
}
