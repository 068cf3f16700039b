//! The moves of a game on the server, and the clock.

use std::time::{Duration, Instant};

use game::Team;
use protocol::{Element, RoomData, Season, WireMove};

use super::{Room, texts};
use crate::contest::Clock;
use crate::referee::outbox::{ClientId, Outbox};
use crate::referee::verdict::{Ending, Offence};

impl Room {
    /// Tells everybody the state and asks for a move, or ends the game.
    pub(super) fn go_on(&mut self, now: Instant, outbox: &mut Outbox) {
        self.tell(self.everybody(), self.memento(), outbox);
        if self.position.is_over() {
            return self.end(Ending::Regular, outbox);
        }
        self.tell(self.client(self.team_on_turn()), RoomData::MoveRequest, outbox);
        self.asked = Some(now);
    }

    /// A client sends a move, which arrived at `at`.
    pub(in crate::referee) fn receive_move(
        &mut self,
        client: ClientId,
        mv: WireMove,
        at: Instant,
        outbox: &mut Outbox,
    ) {
        let expected = self.team_on_turn();
        let is_asked = self.asked.is_some() && self.client(expected) == Some(client);
        let Some(asked) = self.asked.filter(|_| is_asked) else {
            return self.refuse_out_of_turn(client, expected, &mv, outbox);
        };
        let time = at.saturating_duration_since(asked);
        if self.deadline_of(expected, |clock| clock.soft).is_some_and(|soft| time > soft) {
            return self.fail(expected, Offence::Late, outbox);
        }
        match mv.check(&self.position) {
            Err(refusal) => {
                let text = texts::describe(&mv);
                let original = mv.to_element(self.season.original_move_element(), self.season);
                self.refuse(client, expected, texts::refusal(refusal, self.season), &text, Some(original), outbox);
            }
            Ok(legal) => {
                self.position.play(legal);
                self.last_move = Some(mv);
                self.asked = None;
                self.times.push(time);
                self.record_state(outbox);
                if self.paused && !self.position.is_over() {
                    self.tell(self.observers.iter().copied(), self.memento(), outbox);
                } else {
                    self.go_on(at, outbox);
                }
            }
        }
    }

    /// A client sends something that is no move: ignored but for an answer in season 2027, an
    /// illegal move in season 2021.
    pub(in crate::referee) fn receive_no_move(&mut self, client: ClientId, class: &str, outbox: &mut Outbox) {
        let team = Team::ALL.into_iter().find(|&team| self.client(team) == Some(client));
        if let Some(team) = team.filter(|_| self.season == Season::Season2021) {
            self.refuse(client, team, "Unbekannte Nachricht", class, None, outbox);
        }
    }

    /// The player on turn made an illegal move.
    pub(super) fn refuse(
        &mut self,
        client: ClientId,
        team: Team,
        mistake: &str,
        mv: &str,
        original: Option<Element>,
        outbox: &mut Outbox,
    ) {
        let message = texts::invalid_move(self.spoken_name(team), mistake, mv);
        self.tell_error(client, message, original, outbox);
        self.fail(team, Offence::IllegalMove { mistake: mistake.to_owned(), mv: mv.to_owned() }, outbox);
        if self.season == Season::Season2021 {
            outbox.dismiss(client);
        }
    }

    /// A client moved without being asked. In season 2021 the server stops listening to it but the
    /// game goes on until the next request of a move remains unanswered.
    pub(super) fn refuse_out_of_turn(&mut self, client: ClientId, expected: Team, mv: &WireMove, outbox: &mut Outbox) {
        let Some(team) = Team::ALL.into_iter().rev().find(|&team| self.client(team) == Some(client)) else { return };
        let [expected, got] = [expected, team].map(|team| (team, self.spoken_name(team)));
        let message = texts::not_your_turn(self.season, expected, got, &texts::describe(mv));
        let original = mv.to_element(self.season.original_move_element(), self.season);
        self.tell_error(client, message.clone(), Some(original), outbox);
        match self.season {
            Season::Season2021 => outbox.dismiss(client),
            Season::Season2027 => self.fail(team, Offence::OutOfTurn(message), outbox),
        }
    }

    /// The moment when the player on turn loses if it has not answered.
    pub(in crate::referee) fn deadline(&self) -> Option<Instant> {
        let hard = self.deadline_of(self.team_on_turn(), |clock| clock.hard)?;
        self.asked?.checked_add(hard)
    }

    /// Ends the game if the player on turn has not answered in time.
    pub(in crate::referee) fn check_time(&mut self, now: Instant, outbox: &mut Outbox) {
        if self.deadline().is_some_and(|deadline| deadline <= now) {
            self.fail(self.team_on_turn(), Offence::Silent, outbox);
        }
    }

    pub(super) fn tell_error(&mut self, client: ClientId, message: String, mv: Option<Element>, outbox: &mut Outbox) {
        let error = RoomData::Error { message, mv };
        let watchers = self.observers.iter().copied().filter(|_| self.season == Season::Season2027);
        self.tell([client].into_iter().chain(watchers), error.clone(), outbox);
        self.error = Some(error);
    }

    pub(super) fn deadline_of(&self, team: Team, limit: impl Fn(Clock) -> Duration) -> Option<Duration> {
        self.clock.filter(|_| self.seats[team as usize].slot.can_timeout).map(limit)
    }
}
