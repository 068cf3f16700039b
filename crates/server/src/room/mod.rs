//! One game on the server: seats, observers, beginning and end.

mod answer;
mod finished;
mod moves;
mod request;
mod seat;

use std::time::{Duration, Instant};

use game::{Position, Team};
use protocol::{GameError, GameResult, NO_NAME, Replay, RoomData, Season, ServerMessage, Slot, State, WireMove};

pub(crate) use self::answer::PlayerAnswer;
pub use self::finished::FinishedGame;
use self::request::MoveRequest;
use self::seat::{Occupant, RoomSeat, open_slot};
use crate::outbox::{ClientId, Outbox};
use crate::time_limits::TimeLimits;
use crate::verdict::{DisconnectReason, Ending, RuleBreach};

/// A game with its seats, its observers and its clock.
#[derive(Clone, Debug)]
pub(super) struct Room {
    pub(super) id: String,
    season: Season,
    /// `true` if an administrator prepared the game.
    prepared: bool,
    /// The first prepared seat without a name. The official server of 2021 fails at it, so that the game never begins.
    nameless: Option<usize>,
    /// The number of players who joined before that seat.
    admitted: usize,
    /// The seats, team one first. Joining players add missing ones.
    seats: Vec<RoomSeat>,
    observers: Vec<ClientId>,
    position: Position,
    last_move: Option<WireMove>,
    time_limits: Option<TimeLimits>,
    phase: Phase,
    paused: bool,
    request: MoveRequest,
    /// The deadlines of repeated requests, which still count.
    running_clocks: Vec<(Team, Instant)>,
    states: Vec<State>,
    times: Vec<Duration>,
    error: Option<GameError>,
    outcome: Option<(Ending, GameResult)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Waiting,
    Running,
    Over,
}

impl Room {
    /// Creates a game without players; with `slots` it is a prepared one.
    pub(super) fn new(id: String, start: State, slots: Vec<Slot>, limits: Option<TimeLimits>, paused: bool) -> Self {
        let State { season, position, last_move, .. } = start;
        Self {
            id,
            season,
            prepared: !slots.is_empty(),
            nameless: None,
            admitted: 0,
            seats: slots.into_iter().map(RoomSeat::new).collect(),
            observers: Vec::new(),
            position,
            last_move,
            time_limits: limits,
            phase: Phase::Waiting,
            paused,
            request: MoveRequest::Never,
            running_clocks: Vec::new(),
            states: Vec::new(),
            times: Vec::new(),
            error: None,
            outcome: None,
        }
    }

    /// Marks a seat without a name, which prevents the game from starting.
    pub(super) fn set_nameless_seat(&mut self, nameless: usize) {
        self.nameless = Some(nameless);
    }

    /// Returns the replay of a running game.
    pub(super) fn unfinished(&self) -> Option<Replay> {
        let Self { id, season, states, .. } = self;
        let is_running = self.phase == Phase::Running && !states.is_empty();
        is_running.then(|| Replay {
            room: id.clone(),
            season: *season,
            states: states.clone(),
            error: None,
            result: None,
        })
    }

    pub(super) fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    /// Returns the number of taken seats.
    pub(super) fn players(&self) -> usize {
        self.seats.iter().filter(|seat| seat.occupant != Occupant::Nobody).count()
    }

    pub(super) fn has_seat(&self, client: ClientId) -> bool {
        self.team_of(client).is_some()
    }

    /// Returns the first seat that is free for anybody, also one not created yet.
    pub(super) fn open_seat(&self) -> Option<Team> {
        let is_open = |seat: &RoomSeat| !seat.slot.reserved && seat.occupant == Occupant::Nobody;
        let free = |&team: &Team| self.seat(team).is_none_or(is_open);
        Team::ALL.into_iter().find(free).filter(|_| self.phase == Phase::Waiting)
    }

    /// Adds an observer. Each repeated request adds a copy of all messages, up to `limit`.
    pub(super) fn observe(&mut self, client: ClientId, limit: usize) {
        if self.observers.iter().filter(|&&observer| observer == client).count() < limit {
            self.observers.push(client);
        }
    }

    /// Opens a reserved seat for anybody.
    pub(super) fn free(&mut self, team: Team) {
        if let Some(seat) = self.seats.get_mut(team as usize) {
            seat.slot.reserved = false;
        }
    }

    /// Turns the time limit of a seat on or off from the next request. Returns `false` if there is no such seat.
    pub(super) fn set_timeout(&mut self, slot: usize, activate: bool) -> bool {
        let team = Team::ALL.get(slot).copied();
        team.map(|team| self.make_seat(team).slot.can_timeout = activate).is_some()
    }

    fn seat(&self, team: Team) -> Option<&RoomSeat> {
        self.seats.get(team as usize)
    }

    /// Returns the seat of a team. Creates a missing one.
    fn make_seat(&mut self, team: Team) -> &mut RoomSeat {
        while self.seats.len() <= team as usize {
            self.seats.push(RoomSeat::new(open_slot()));
        }
        &mut self.seats[team as usize]
    }

    /// Seats a client; the last one starts the game. Returns `false` where the official server fails and closes
    /// the connection.
    #[must_use]
    pub(super) fn take_seat(&mut self, team: Team, client: ClientId, now: Instant, outbox: &mut Outbox) -> bool {
        self.make_seat(team).occupant = Occupant::Client(client);
        // In prepared games of 2021 the players join together when the game begins.
        if !self.is_prepared_2021() {
            outbox.send([client], &ServerMessage::Joined { room: self.id.clone() });
        }
        // The official server of 2021 does not notice games prepared for one player.
        let is_full = self.seats.len() == Team::ALL.len() || self.is_prepared_2021();
        if is_full && self.players() == self.seats.len() {
            return self.begin(now, outbox);
        }
        true
    }

    /// Returns `false` where the official server fails.
    fn begin(&mut self, now: Instant, outbox: &mut Outbox) -> bool {
        if self.is_prepared_2021() {
            let first = self.nameless.unwrap_or(self.seats.len());
            let admitted = self.seats.iter().take(first).skip(self.admitted);
            let clients = admitted.filter_map(|seat| seat.occupant.client());
            outbox.send(clients, &ServerMessage::Joined { room: self.id.clone() });
            self.admitted = first;
            if self.nameless.is_some() {
                return false;
            }
        }
        self.phase = Phase::Running;
        for team in Team::ALL {
            self.send_data(self.client(team), RoomData::Welcome(team), outbox);
        }
        self.record_state();
        if self.paused {
            self.send_data(self.observers.iter().copied(), self.memento(), outbox);
        } else {
            self.continue_game(now, outbox);
        }
        true
    }

    /// Removes a client from its seats and the observers without ending the game.
    pub(super) fn remove_client(&mut self, client: ClientId) {
        self.observers.retain(|&observer| observer != client);
        for seat in &mut self.seats {
            if seat.occupant == Occupant::Client(client) {
                seat.occupant = Occupant::Gone;
            }
        }
        // No client is left to end this game.
        let is_deserted = self.phase == Phase::Running && self.clients().next().is_none() && self.observers.is_empty();
        if is_deserted && self.deadline().is_none() {
            self.phase = Phase::Over;
        }
    }

    /// Removes a client that has left.
    pub(super) fn leave(&mut self, client: ClientId, how: DisconnectReason, outbox: &mut Outbox) {
        let team = self.team_of(client);
        self.remove_client(client);
        let Some(team) = team.filter(|_| !self.is_over()) else { return };
        if !self.awaits_prepared_players() {
            self.fail(team, RuleBreach::Left(how), outbox);
        } else if self.is_admitted(team) {
            // The official server ends such a game without a result.
            self.close(outbox);
        }
    }

    /// Returns `true` for a prepared game of season 2021 before it starts. The server does not know its players yet.
    fn awaits_prepared_players(&self) -> bool {
        self.is_prepared_2021() && self.phase == Phase::Waiting
    }

    fn is_prepared_2021(&self) -> bool {
        self.season == Season::Season2021 && self.prepared
    }

    /// Returns `true` if a player joined although the game cannot begin.
    fn is_admitted(&self, team: Team) -> bool {
        (team as usize) < self.admitted
    }

    /// Pauses the game after the open request, or continues it.
    pub(super) fn pause(&mut self, pause: bool, now: Instant, outbox: &mut Outbox) {
        if self.paused == pause {
            return;
        }
        self.paused = pause;
        match self.season {
            Season::Season2021 if !pause && self.phase == Phase::Running => self.continue_game(now, outbox),
            Season::Season2021 => {}
            Season::Season2027 => {
                self.send_data(self.observers.iter().copied(), RoomData::Paused(pause), outbox);
                match (pause, self.phase, self.request) {
                    (true, ..) | (_, _, MoveRequest::Open(_)) => {}
                    (false, Phase::Waiting, _) => self.continue_without_players(outbox),
                    (false, ..) => self.continue_game(now, outbox),
                }
            }
        }
    }

    /// Continues a game with missing players like the official server of 2027: it sends the state, ends the game at the
    /// first empty seat, and still asks for a move.
    fn continue_without_players(&mut self, outbox: &mut Outbox) {
        let present = self.seats.iter().map_while(|seat| seat.occupant.client());
        self.send_data(present.chain(self.observers.iter().copied()), self.memento(), outbox);
        if self.players() < self.seats.len() {
            self.end_early(None, outbox);
        }
        self.send_data(self.client(self.team_to_move()), RoomData::MoveRequest, outbox);
    }

    /// Allows one move of a paused game. If `forced`, a game begins with missing players. Returns `false` where the
    /// official server fails and closes the connection.
    #[must_use]
    pub(super) fn step(&mut self, forced: bool, now: Instant, outbox: &mut Outbox) -> bool {
        match (self.phase, self.season) {
            (Phase::Running, _) if self.paused => self.continue_game(now, outbox),
            (Phase::Waiting, Season::Season2021) if forced => return self.begin(now, outbox),
            (Phase::Waiting, Season::Season2027) if forced => {
                self.seats.resize_with(Team::ALL.len(), || RoomSeat::new(open_slot()));
                self.end_early(None, outbox);
            }
            _ => {}
        }
        true
    }

    /// Ends the game by points or by the absence of players; in season 2021 without a result.
    pub(super) fn cancel(&mut self, outbox: &mut Outbox) {
        match self.season {
            Season::Season2021 => self.close(outbox),
            Season::Season2027 => self.end_early(None, outbox),
        }
    }

    /// Returns the finished game, if it has a result.
    pub(super) fn into_finished(self) -> Option<FinishedGame> {
        let Self { id: room, season, states, times, error, outcome, .. } = self;
        outcome.map(|(ending, result)| FinishedGame { room, season, states, times, error, ending, result })
    }

    /// Ends the game by the fault of a team.
    fn fail(&mut self, team: Team, fault: RuleBreach, outbox: &mut Outbox) {
        match self.season {
            Season::Season2021 => self.end(Ending::Fault { team, fault }, outbox),
            Season::Season2027 => self.end_early(Some((team, fault)), outbox),
        }
    }

    /// Ends a game of season 2027; missing players are at fault, too.
    fn end_early(&mut self, fault: Option<(Team, RuleBreach)>, outbox: &mut Outbox) {
        // A seat that was never requested counts only with another fault.
        let is_missing = |team: Team| self.seat(team).map_or(fault.is_some(), |seat| seat.occupant == Occupant::Nobody);
        let mut faults =
            Team::ALL.map(|team| is_missing(team).then_some(RuleBreach::Left(DisconnectReason::NotConnected)));
        if let Some((team, fault)) = fault {
            faults[team as usize] = Some(fault);
        }
        let ending = match faults {
            [None, None] => Ending::Regular,
            [Some(fault), None] => Ending::Fault { team: Team::One, fault },
            [None, Some(fault)] => Ending::Fault { team: Team::Two, fault },
            [Some(one), Some(two)] => Ending::Faults([one, two]),
        };
        self.end(ending, outbox);
    }

    fn end(&mut self, ending: Ending, outbox: &mut Outbox) {
        let in_2021 = self.season == Season::Season2021;
        if self.states.is_empty() {
            self.record_state();
        }
        let name = |team: Team| self.seat(team)?.slot.display_name.clone();
        // In season 2027 an empty name is none.
        let names = Team::ALL.map(|team| name(team).filter(|name| in_2021 || !name.is_empty()));
        let mut result = ending.result(self.season, &self.position, &names, self.time_limits.unwrap_or_default());
        if self.is_lone() {
            result.is_lone = true;
            result.winners.retain(|&team| team == Team::One);
        }
        self.send_data(self.members(), RoomData::Result(result.clone()), outbox);
        self.outcome = Some((ending, result));
        self.close(outbox);
    }

    /// Returns `true` if the second seat was never taken nor prepared.
    fn is_lone(&self) -> bool {
        self.seat(Team::Two)
            .is_none_or(|seat| seat.occupant == Occupant::Nobody && self.season == Season::Season2021 && !self.prepared)
    }

    fn close(&mut self, outbox: &mut Outbox) {
        outbox.send(self.members(), &ServerMessage::Left { room: self.id.clone() });
        self.phase = Phase::Over;
    }

    fn record_state(&mut self) {
        self.states.push(self.state());
    }

    fn state(&self) -> State {
        let names = Team::ALL.map(|team| self.displayed_name(team));
        State::new(self.season, self.position, self.last_move, names)
    }

    fn memento(&self) -> RoomData {
        RoomData::Memento(Box::new(self.state()))
    }

    fn send_data(&self, clients: impl IntoIterator<Item = ClientId>, data: RoomData, outbox: &mut Outbox) {
        outbox.send(clients, &ServerMessage::Room { room: self.id.clone(), data });
    }

    fn client(&self, team: Team) -> Option<ClientId> {
        self.seat(team)?.occupant.client()
    }

    /// Returns the team of a client; the first if it has both seats.
    fn team_of(&self, client: ClientId) -> Option<Team> {
        Team::ALL.into_iter().find(|&team| self.client(team) == Some(client))
    }

    fn clients(&self) -> impl Iterator<Item = ClientId> {
        self.seats.iter().filter_map(|seat| seat.occupant.client())
    }

    fn members(&self) -> impl Iterator<Item = ClientId> {
        self.clients().chain(self.observers.iter().copied())
    }

    fn team_to_move(&self) -> Team {
        self.position.color().team()
    }

    /// Returns the name of a player in messages and in states of season 2021.
    fn displayed_name(&self, team: Team) -> &str {
        let Some(seat) = self.seat(team) else { return "" };
        seat.slot.display_name.as_deref().unwrap_or(match self.season {
            Season::Season2021 => NO_NAME,
            Season::Season2027 => "",
        })
    }
}
