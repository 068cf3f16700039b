//! One game on the server: its seats, its watchers, its beginning and its end.

mod moves;

use std::time::{Duration, Instant};

use game::{Position, Team};
use protocol::{GameResult, NO_NAME, RoomData, Season, ServerMessage, Slot, State, WireMove};

use crate::contest::Clock;
use crate::referee::outbox::{ClientId, Outbox};
use crate::referee::texts;
use crate::referee::verdict::{Departure, Ending, Offence};

/// A game with its seats, its watchers and its clock.
#[derive(Debug)]
pub(super) struct Room {
    pub(super) id: String,
    season: Season,
    /// Whether an administrator prepared the game.
    pub(super) prepared: bool,
    seats: [Seat; 2],
    observers: Vec<ClientId>,
    position: Position,
    last_move: Option<WireMove>,
    clock: Option<Clock>,
    phase: Phase,
    paused: bool,
    /// When the player on turn was asked for a move, if it was.
    asked: Option<Instant>,
    states: Vec<State>,
    times: Vec<Duration>,
    error: Option<RoomData>,
    outcome: Option<(Ending, GameResult)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Waiting,
    Running,
    Over,
}

/// A player's place.
#[derive(Debug)]
struct Seat {
    slot: Slot,
    occupant: Occupant,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Occupant {
    /// Nobody has come yet.
    Nobody,
    Client(ClientId),
    /// Somebody came and has left.
    Gone,
}

impl Occupant {
    fn client(self) -> Option<ClientId> {
        match self {
            Self::Client(client) => Some(client),
            Self::Nobody | Self::Gone => None,
        }
    }
}

/// A game that has ended.
#[derive(Clone, PartialEq, Debug)]
pub struct FinishedGame {
    /// The room's identifier.
    pub room: String,
    /// The season.
    pub season: Season,
    /// All states, the first before the first move.
    pub states: Vec<State>,
    /// How long the players took, one per state but the first.
    pub times: Vec<Duration>,
    /// The message about the mistake that ended the game, if one did.
    pub error: Option<RoomData>,
    /// How the game ended.
    pub ending: Ending,
    /// The result as it was sent.
    pub result: GameResult,
}

impl FinishedGame {
    /// The longest time that a team took for a move.
    pub fn slowest(&self, team: Team) -> Duration {
        let movers = self.states.iter().map(|state| state.position.color().team());
        movers.zip(&self.times).filter(|(mover, _)| *mover == team).map(|(_, time)| *time).max().unwrap_or_default()
    }
}

impl Room {
    /// A game whose players have not come yet.
    pub(super) fn new(id: String, start: State, slots: [Slot; 2], clock: Option<Clock>, paused: bool) -> Self {
        let State { season, position, last_move, .. } = start;
        Self {
            id,
            season,
            prepared: false,
            seats: slots.map(|slot| Seat { slot, occupant: Occupant::Nobody }),
            observers: Vec::new(),
            position,
            last_move,
            clock,
            phase: Phase::Waiting,
            paused,
            asked: None,
            states: Vec::new(),
            times: Vec::new(),
            error: None,
            outcome: None,
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    /// How many seats are taken.
    pub(super) fn players(&self) -> usize {
        self.seats.iter().filter(|seat| seat.occupant != Occupant::Nobody).count()
    }

    pub(super) fn has_seat(&self, client: ClientId) -> bool {
        self.seats.iter().any(|seat| seat.occupant == Occupant::Client(client))
    }

    pub(super) fn is_observer(&self, client: ClientId) -> bool {
        self.observers.contains(&client)
    }

    /// The first seat that is free for anybody.
    pub(super) fn open_seat(&self) -> Option<Team> {
        Team::ALL.into_iter().find(|&team| {
            let seat = &self.seats[team as usize];
            !seat.slot.reserved && seat.occupant == Occupant::Nobody && self.phase == Phase::Waiting
        })
    }

    pub(super) fn observe(&mut self, client: ClientId) {
        if !self.is_observer(client) {
            self.observers.push(client);
        }
    }

    /// Gives a seat to a client; with the last seat the game begins.
    pub(super) fn take_seat(&mut self, team: Team, client: ClientId, now: Instant, outbox: &mut Outbox) {
        self.seats[team as usize].occupant = Occupant::Client(client);
        let joined = ServerMessage::Joined { room: self.id.clone() };
        let all_came = self.players() == self.seats.len();
        match self.season {
            Season::Season2027 => outbox.send([client], &joined),
            Season::Season2021 if all_came => outbox.send(self.clients(), &joined),
            Season::Season2021 => {}
        }
        // Who takes the last seat of a game that the other player has left again waits for ever.
        if all_came && self.clients().count() == self.seats.len() {
            self.begin(now, outbox);
        }
    }

    fn begin(&mut self, now: Instant, outbox: &mut Outbox) {
        self.phase = Phase::Running;
        for team in Team::ALL {
            self.tell(self.client(team), RoomData::Welcome(team), outbox);
        }
        self.record_state(outbox);
        if self.paused {
            self.tell(self.observers.iter().copied(), self.memento(), outbox);
        } else {
            self.go_on(now, outbox);
        }
    }

    /// Makes a client's seats and watching end without ending the game.
    pub(super) fn abandon(&mut self, client: ClientId) {
        self.observers.retain(|&observer| observer != client);
        for seat in &mut self.seats {
            if seat.occupant == Occupant::Client(client) {
                seat.occupant = Occupant::Gone;
            }
        }
        // Nobody can join a game that was not prepared when its only player has gone.
        let nobody_left = self.seats.iter().all(|seat| seat.occupant == Occupant::Gone);
        let gone = self.seats.iter().any(|seat| seat.occupant == Occupant::Gone);
        if self.phase == Phase::Waiting && gone && (nobody_left || !self.prepared) {
            self.phase = Phase::Over;
        }
    }

    /// A client is not there any more.
    pub(super) fn leave(&mut self, client: ClientId, how: Departure, outbox: &mut Outbox) {
        let team = Team::ALL.into_iter().find(|&team| self.client(team) == Some(client));
        self.abandon(client);
        if let (Some(team), Phase::Running) = (team, self.phase) {
            self.fail(team, Offence::Left(how), outbox);
        }
    }

    /// Halts the game after the move that is being waited for, or lets it go on.
    pub(super) fn pause(&mut self, pause: bool, now: Instant, outbox: &mut Outbox) {
        if self.paused == pause {
            return;
        }
        self.paused = pause;
        if self.season == Season::Season2027 {
            self.tell(self.observers.iter().copied(), RoomData::Paused(pause), outbox);
        }
        if !pause && self.phase == Phase::Running && self.asked.is_none() {
            self.go_on(now, outbox);
        }
    }

    /// Lets a halted game make one move. If `forced`, a game whose players have not all come ends.
    pub(super) fn step(&mut self, forced: bool, now: Instant, outbox: &mut Outbox) {
        match self.phase {
            Phase::Running if self.paused && self.asked.is_none() => self.go_on(now, outbox),
            Phase::Waiting if forced => {
                let missing = Team::ALL.into_iter().find(|&team| self.client(team).is_none());
                let offence = Offence::Left(Departure::NotConnected);
                self.end(missing.map_or(Ending::Regular, |team| Ending::Fault { team, offence }), outbox);
            }
            _ => {}
        }
    }

    /// Ends the game by the points; in season 2021 without a result.
    pub(super) fn cancel(&mut self, outbox: &mut Outbox) {
        match self.season {
            Season::Season2021 => self.close(outbox),
            Season::Season2027 => self.end(Ending::Regular, outbox),
        }
    }

    /// The game as it ended, unless it ended without a result.
    pub(super) fn into_finished(self) -> Option<FinishedGame> {
        let Self { id: room, season, states, times, error, outcome, .. } = self;
        outcome.map(|(ending, result)| FinishedGame { room, season, states, times, error, ending, result })
    }

    fn fail(&mut self, team: Team, offence: Offence, outbox: &mut Outbox) {
        self.end(Ending::Fault { team, offence }, outbox);
    }

    fn end(&mut self, ending: Ending, outbox: &mut Outbox) {
        if self.states.is_empty() {
            self.record_state(outbox);
        }
        let names = self.seats.each_ref().map(|seat| seat.slot.display_name.clone());
        let result = ending.result(self.season, &self.position, &names, self.clock.unwrap_or_default());
        self.tell(self.everybody(), RoomData::Result(result.clone()), outbox);
        self.outcome = Some((ending, result));
        self.close(outbox);
    }

    fn close(&mut self, outbox: &mut Outbox) {
        outbox.send(self.everybody(), &ServerMessage::Left { room: self.id.clone() });
        self.phase = Phase::Over;
        self.asked = None;
    }

    fn record_state(&mut self, outbox: &mut Outbox) {
        let state = self.state();
        outbox.publish(&self.id, &state);
        self.states.push(state);
    }

    fn state(&self) -> State {
        let names = Team::ALL.map(|team| self.spoken_name(team));
        State::new(self.season, self.position, self.last_move, names)
    }

    fn memento(&self) -> RoomData {
        RoomData::Memento(Box::new(self.state()))
    }

    fn tell(&self, clients: impl IntoIterator<Item = ClientId>, data: RoomData, outbox: &mut Outbox) {
        outbox.send(clients, &ServerMessage::Room { room: self.id.clone(), data });
    }

    fn client(&self, team: Team) -> Option<ClientId> {
        self.seats[team as usize].occupant.client()
    }

    fn clients(&self) -> impl Iterator<Item = ClientId> {
        self.seats.iter().filter_map(|seat| seat.occupant.client())
    }

    fn everybody(&self) -> impl Iterator<Item = ClientId> {
        self.clients().chain(self.observers.iter().copied())
    }

    fn team_on_turn(&self) -> Team {
        self.position.color().team()
    }

    /// The name of a player in messages and in states of season 2021.
    fn spoken_name(&self, team: Team) -> &str {
        let name = self.seats[team as usize].slot.display_name.as_deref();
        name.unwrap_or(match self.season {
            Season::Season2021 => NO_NAME,
            Season::Season2027 => "",
        })
    }
}
