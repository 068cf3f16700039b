//! The moves of a game and the clock.

use std::time::{Duration, Instant};

use game::{IllegalMove, Team};
use protocol::{Element, GameError, RoomData, Season, WireMove};

use super::answer::PlayerAnswer;
use super::request::MoveRequest;
use super::{Phase, Room};
use crate::outbox::{ClientId, Outbox};
use crate::texts;
use crate::time_limits::TimeLimits;
use crate::verdict::{Ending, RuleBreach};

impl Room {
    /// Sends the state and asks for a move, or ends the game.
    pub(super) fn continue_game(&mut self, now: Instant, outbox: &mut Outbox) {
        self.send_data(self.members(), self.memento(), outbox);
        if self.position.is_over() {
            return self.end(Ending::Regular, outbox);
        }
        self.ask(now, outbox);
    }

    /// Asks for a move.
    fn ask(&mut self, now: Instant, outbox: &mut Outbox) {
        // The official server does not stop the clock of an open request that it repeats.
        self.running_clocks.extend(self.open_deadline());
        let team = self.team_to_move();
        self.send_data(self.client(team), RoomData::MoveRequest, outbox);
        self.request = MoveRequest::Open(now);
    }

    /// Handles a client's message, which arrived at `at`.
    pub(crate) fn receive(&mut self, client: ClientId, answer: PlayerAnswer, at: Instant, outbox: &mut Outbox) {
        let Some(team) = self.team_of(client) else { return };
        let is_waiting = self.phase == Phase::Waiting;
        let in_2021 = self.season == Season::Season2021;
        if self.awaits_prepared_players() && !self.is_admitted(team) {
            return outbox.dismiss(client);
        }
        let got = (team, self.displayed_name(team));
        let expected = Some(self.team_to_move()).filter(|_| !(is_waiting && in_2021));
        if expected != Some(team) {
            let expected = expected.map(|team| (team, self.displayed_name(team)));
            let text = texts::not_your_turn(self.season, expected, got, &answer.describe());
            return self.refuse_out_of_turn(client, team, text, answer, outbox);
        }
        let time = match self.request {
            MoveRequest::Open(since) => at.saturating_duration_since(since),
            // The official server of 2021 reads the stopped clock of the last request.
            MoveRequest::Answered if in_2021 => Duration::ZERO,
            MoveRequest::Never | MoveRequest::Answered => {
                let text = texts::not_requested(self.season, got);
                return self.refuse_out_of_turn(client, team, text, answer, outbox);
            }
        };
        self.request = MoveRequest::Answered;
        if self.limit(team, |limits| limits.soft).is_some_and(|soft| time > soft) {
            return self.fail(team, RuleBreach::Late, outbox);
        }
        match answer {
            PlayerAnswer::Other { .. } => self.refuse_illegal(client, team, texts::NO_MOVE, None, None, outbox),
            PlayerAnswer::Move(mv) => self.make_move(client, team, mv, (time, at), outbox),
        }
    }

    /// Plays a move of the team to move. `when` is the time it took and the moment of its arrival.
    fn make_move(
        &mut self,
        client: ClientId,
        team: Team,
        mv: WireMove,
        when: (Duration, Instant),
        outbox: &mut Outbox,
    ) {
        match mv.check(&self.position) {
            Err(reason) => {
                if mv.color().is_none() {
                    log::warn!(
                        "client {client}: the move names no colour. A pass names it in a child: <color>BLUE</color>"
                    );
                }
                // The official servers omit the move for these reasons, the one of 2021 entirely.
                let is_lost = matches!(reason, IllegalMove::NotStartPiece | IllegalMove::PieceNotLeft);
                let text = (!is_lost).then(|| texts::describe(&mv));
                let repeated = !is_lost || self.season == Season::Season2027;
                let original = repeated.then(|| PlayerAnswer::Move(mv).to_element(self.season));
                self.refuse_illegal(client, team, texts::illegal_move(reason, self.season), text, original, outbox);
            }
            Ok(legal) => {
                let (time, now) = when;
                self.position.play(legal);
                self.last_move = Some(mv);
                self.times.push(time);
                self.record_state();
                if self.paused && !self.position.is_over() {
                    self.send_data(self.observers.iter().copied(), self.memento(), outbox);
                } else {
                    self.continue_game(now, outbox);
                }
            }
        }
    }

    /// Ends the game after an illegal move and reports it to the player, the observers and the replay.
    fn refuse_illegal(
        &mut self,
        client: ClientId,
        team: Team,
        reason: &str,
        mv: Option<String>,
        original: Option<Element>,
        outbox: &mut Outbox,
    ) {
        log::warn!(
            "client {client}: the official server would end the game here: {reason} ({})",
            mv.as_deref().unwrap_or("?")
        );
        let message = texts::invalid_move(self.displayed_name(team), reason, mv.as_deref());
        let error = GameError { message, mv: original };
        let receivers = [client].into_iter().chain(self.observers.iter().copied());
        self.send_data(receivers, RoomData::Error(error.clone()), outbox);
        self.error = Some(error);
        self.fail(team, RuleBreach::IllegalMove { reason: reason.to_owned(), mv }, outbox);
        if self.season == Season::Season2021 {
            outbox.dismiss(client);
        }
    }

    /// Refuses a move without a request; only its team is told. In season 2021 its connection is closed, but the game
    /// continues until the next request to it times out.
    fn refuse_out_of_turn(
        &mut self,
        client: ClientId,
        team: Team,
        message: String,
        answer: PlayerAnswer,
        outbox: &mut Outbox,
    ) {
        log::warn!("client {client}: the official server would refuse this move: {message}");
        let error = GameError { message: message.clone(), mv: Some(answer.to_element(self.season)) };
        self.send_data([client], RoomData::Error(error), outbox);
        match self.season {
            Season::Season2021 => outbox.dismiss(client),
            Season::Season2027 => self.fail(team, RuleBreach::OutOfTurn(message), outbox),
        }
    }

    /// Returns the next deadline of a player.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.running_clocks.iter().copied().chain(self.open_deadline()).map(|(_, deadline)| deadline).min()
    }

    /// Returns the team with the open request, and its deadline.
    fn open_deadline(&self) -> Option<(Team, Instant)> {
        let MoveRequest::Open(since) = self.request else { return None };
        let team = self.team_to_move();
        Some((team, since.checked_add(self.limit(team, |limits| limits.hard)?)?))
    }

    /// Ends the game if a player has not answered in time.
    pub(crate) fn check_time(&mut self, now: Instant, outbox: &mut Outbox) {
        let mut clocks = self.running_clocks.iter().copied().chain(self.open_deadline());
        let late = clocks.find(|(_, deadline)| *deadline <= now).filter(|_| self.phase != Phase::Over);
        if let Some((team, _)) = late {
            self.fail(team, RuleBreach::Silent, outbox);
        }
    }

    /// Returns a time limit, unless the player has none.
    fn limit(&self, team: Team, limit: impl Fn(TimeLimits) -> Duration) -> Option<Duration> {
        let seat = self.seat(team)?;
        self.time_limits.filter(|_| seat.slot.can_timeout).map(limit)
    }
}
