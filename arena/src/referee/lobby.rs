//! Everything that clients can ask of the server.

use std::collections::BTreeMap;
use std::time::Instant;

use game::{Piece, Position, Team};
use protocol::{ClientMessage, Element, RequestError, Season, ServerMessage, Slot, State};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::ids::random_uuid;
use super::options::Options;
use super::outbox::{ClientId, Outbox, Output};
use super::room::{FinishedGame, Room};
use super::texts;
use super::verdict::Departure;

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

    fn administrate(&mut self, client: ClientId, message: &ClientMessage, now: Instant) {
        if !self.clients.get(&client).is_some_and(|client| client.is_admin) {
            // Season 2021 ignores such requests without a word.
            if self.options.season == Season::Season2027 {
                self.refuse(client, "sc.server.client.UnauthenticatedException: Not authenticated", message);
            }
            return;
        }
        let room = match message {
            ClientMessage::Prepare { game_type, pause, slots } => {
                return self.prepare_for(client, game_type, *pause, slots, message);
            }
            ClientMessage::Observe { room }
            | ClientMessage::Pause { room, .. }
            | ClientMessage::Step { room, .. }
            | ClientMessage::Cancel { room } => room,
            _ => return,
        };
        let Some((key, _)) = self.find(room) else { return self.unknown_room(client, room, message) };
        let Some(room) = self.rooms.get_mut(&key) else { return };
        match message {
            ClientMessage::Observe { .. } => {
                room.observe(client);
                self.outbox.send([client], &ServerMessage::Observed { room: room.id.clone() });
            }
            ClientMessage::Pause { pause, .. } => room.pause(*pause, now, &mut self.outbox),
            ClientMessage::Step { forced, .. } => room.step(*forced, now, &mut self.outbox),
            _ => room.cancel(&mut self.outbox),
        }
    }

    fn prepare_for(&mut self, client: ClientId, game_type: &str, pause: bool, slots: &[Slot], message: &ClientMessage) {
        let season = self.options.season;
        if game_type != season.game_type() {
            return self.unknown_game_type(client, game_type);
        }
        let any = || Slot { display_name: None, can_timeout: true, reserved: true };
        let mut slots = match slots {
            [] => [any(), any()],
            [one] => [one.clone(), any()],
            [one, two] => [one.clone(), two.clone()],
            _ => {
                let text = "sc.api.plugins.exceptions.GameRoomException: Too many slots, a game has 2";
                return self.refuse(client, text, message);
            }
        };
        if season == Season::Season2021 {
            slots.iter_mut().for_each(|slot| slot.reserved = true);
        }
        if self.rooms.len() >= self.options.limits.rooms {
            return self.refuse_for_limit(client, message);
        }
        let Prepared { room, reservations } = self.prepare(slots, pause);
        self.outbox.send([client], &ServerMessage::Prepared { room, reservations });
    }

    /// Joins any open game, or a new one.
    fn join(&mut self, client: ClientId, game_type: Option<&str>, now: Instant) {
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

    fn seat(&mut self, client: ClientId, key: u64, team: Team, now: Instant) {
        let seats = self.rooms.values().filter(|room| room.has_seat(client)).count();
        if seats >= self.options.limits.seats_per_client {
            return self.drop_client(client, Departure::ProtocolError, "it joins too many games");
        }
        if let Some(room) = self.rooms.get_mut(&key) {
            room.take_seat(team, client, now, &mut self.outbox);
        }
    }

    fn open_room(&mut self, slots: [Slot; 2], paused: bool) -> u64 {
        let start = self.start();
        let key = self.next_room;
        self.next_room += 1;
        self.rooms.insert(key, Room::new(random_uuid(), start, slots, self.options.clock, paused));
        key
    }

    /// The state in which the next game begins.
    fn start(&mut self) -> State {
        if let Some(start) = &self.options.start {
            return start.clone();
        }
        let rules = self.options.season.rules();
        let pieces: Vec<Piece> = rules.start_pieces().iter().collect();
        let piece = pieces.choose(&mut self.rng).copied();
        let position = Position::new(rules, piece).expect("a start piece of the rules makes a position");
        State::new(self.options.season, position, None, [""; 2])
    }

    fn find(&self, id: &str) -> Option<(u64, &Room)> {
        self.rooms.iter().find(|(_, room)| room.id == id && !room.is_over()).map(|(&key, room)| (key, room))
    }

    fn refuse_no_move(&mut self, client: ClientId, id: &str, class: &str, element: &Element) {
        let found = self.find(id).filter(|(_, room)| room.has_seat(client)).map(|(key, _)| key);
        if let Some(room) = found.and_then(|key| self.rooms.get_mut(&key)) {
            room.receive_no_move(client, class, &mut self.outbox);
        }
        if self.options.season == Season::Season2027 {
            let message = match found {
                Some(_) => format!("sc.api.plugins.exceptions.GameLogicException: {class} is not a move"),
                None => texts::unknown_room(id),
            };
            let request = Some(element.clone().quoted_as("originalRequest", element.name()));
            self.outbox.send([client], &ServerMessage::Error { message, request });
        }
    }

    fn unknown_room(&mut self, client: ClientId, room: &str, message: &ClientMessage) {
        match self.options.season {
            Season::Season2021 => self.outbox.dismiss(client),
            Season::Season2027 => self.refuse(client, &texts::unknown_room(room), message),
        }
    }

    fn unknown_game_type(&mut self, client: ClientId, game_type: &str) {
        match self.options.season {
            Season::Season2021 => self.outbox.dismiss(client),
            Season::Season2027 => {
                let reason = format!("it asks for the unknown game `{game_type}`");
                self.drop_client(client, Departure::ProtocolError, &reason);
            }
        }
    }

    fn refuse_for_limit(&mut self, client: ClientId, message: &ClientMessage) {
        self.refuse(client, "sc.api.plugins.exceptions.GameRoomException: Too many games", message);
    }

    /// Answers a request by an error that repeats it.
    fn refuse(&mut self, client: ClientId, text: &str, message: &ClientMessage) {
        let request = message.to_element(self.options.season);
        let class = request.name().to_owned();
        let request = Some(request.quoted_as("originalRequest", &class));
        self.outbox.send([client], &ServerMessage::Error { message: text.to_owned(), request });
    }

    /// Forgets the clients that were sent away. Whoever is dismissed in the way of season 2021 has
    /// not left its games: they wait for it until it is late.
    fn forget_closed(&mut self) {
        for client in self.outbox.take_closed() {
            self.clients.remove(&client);
            self.rooms.values_mut().for_each(|room| room.abandon(client));
        }
    }

    /// Closes without a word.
    fn drop_client(&mut self, client: ClientId, how: Departure, reason: &str) {
        log::info!("client {client} is dropped: {reason}");
        self.outbox.close(client, false);
        self.disconnect(client, how);
    }
}
