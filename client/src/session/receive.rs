//! The messages of the server, and the answers to its requests.

use std::io::Write;
use std::time::Instant;

use game::{excerpt, printable};
use protocol::{ClientMessage, Element, RoomData, Season, ServerMessage, WireMove};

use super::Session;
use crate::outcome::{GameOutcome, SessionError};
use crate::settings::SessionEvent;

impl<W: Write> Session<'_, W> {
    /// Handles a message; the last one of the game returns the outcome.
    pub(super) fn receive(&mut self, element: &Element, arrived: Instant) -> Result<Option<GameOutcome>, SessionError> {
        log::trace!("received {}", element.to_xml(0).trim_start());
        if let Some(season) = Season::from_message(element)
            && season != self.season
        {
            log::info!("this is a server of season {season}");
            self.season = season;
        }
        let message = match ServerMessage::parse(element, self.season) {
            Ok(message) => message,
            Err(error) => {
                log::error!("ignoring an unreadable message: {error}");
                if self.may_be_state(element) {
                    // A move in an old state would be meaningless.
                    self.state = None;
                }
                return Ok(None);
            }
        };
        match message {
            ServerMessage::Joined { room } if self.is_other(&room) => {
                log::warn!(
                    "staying in the first room, although the server reports that this client has joined room {}",
                    excerpt(&room)
                );
            }
            ServerMessage::Joined { room } => {
                log::info!(target: "summary", "joined room {}, waiting for the game to start", excerpt(&room));
                self.room = Some(room);
            }
            ServerMessage::Room { room, .. } | ServerMessage::Left { room } if self.is_other(&room) => {
                log::debug!("ignoring a message about room {}", excerpt(&room));
            }
            ServerMessage::Room { room, data } => self.receive_data(room, data, arrived)?,
            ServerMessage::Left { .. } => {
                self.is_released = true;
                return Ok(Some(self.outcome()));
            }
            ServerMessage::Error { mut message, .. } if self.room.is_none() => {
                self.send_close();
                if message.trim().is_empty() {
                    message = "it gave no reason".to_owned();
                }
                return Err(SessionError::Rejected(message));
            }
            ServerMessage::Error { message, .. } => self.note_error(message),
            ServerMessage::Close => log::debug!("the server is about to close the connection"),
            ServerMessage::Unknown { name } => log::debug!("ignoring an unknown message <{}>", excerpt(&name)),
            _ => log::debug!("ignoring a message that this client does not use"),
        }
        Ok(None)
    }

    /// Returns `true` if an unreadable message may be the state of this game.
    fn may_be_state(&self, element: &Element) -> bool {
        let is_here = element.attribute("roomId").is_none_or(|room| !self.is_other(room));
        let class = element.find("data").and_then(|data| data.attribute("class"));
        element.name() == "room" && is_here && class.is_none_or(|class| class == "memento")
    }

    fn receive_data(&mut self, room: String, data: RoomData, arrived: Instant) -> Result<(), SessionError> {
        match data {
            RoomData::Welcome(team) => {
                log::info!(target: "summary", "playing team {team} with {}", self.player.name);
                self.team = Some(team);
                self.player.new_game();
            }
            RoomData::Memento(mut state) => {
                let before = self.state.as_ref().map(|before| before.position);
                for error in &state.unreadable {
                    log::warn!("turn {}: ignoring an unreadable part of the state: {error}", state.position.turn());
                }
                for inconsistency in state.inconsistencies(before.as_ref()) {
                    log::warn!("turn {}: {inconsistency}", state.position.turn());
                }
                if !state.unreadable.is_empty()
                    && let Some(position) = before.and_then(|before| state.by_last_move(&before))
                {
                    log::info!(
                        "turn {}: rebuilt the position from the previous state and the last move",
                        position.turn()
                    );
                    state.position = position;
                }
                (self.watch)(SessionEvent::State(&state));
                self.state = Some(*state);
            }
            RoomData::MoveRequest => self.answer(room, arrived)?,
            RoomData::Result(result) => {
                (self.watch)(SessionEvent::Result(&result));
                self.result = Some(result);
            }
            RoomData::Error(error) => self.note_error(error.message),
            RoomData::Paused(paused) => log::info!("the game {}", if paused { "is paused" } else { "continues" }),
            RoomData::Unknown { class } => log::debug!("ignoring unknown data of class {}", excerpt(&class)),
            _ => log::debug!("ignoring data that is not for players"),
        }
        Ok(())
    }

    fn answer(&mut self, room: String, arrived: Instant) -> Result<(), SessionError> {
        let Some(position) = self.state.as_ref().map(|state| state.position) else {
            return Err(SessionError::Protocol(
                "it asks for a move before it has sent the state of the game".to_owned(),
            ));
        };
        // The server does not have to confirm that the client has joined.
        let room = self.room.get_or_insert(room);
        if self.answered == Some(position.turn()) {
            log::info!("turn {}: the request is repeated and has been answered", position.turn());
            return Ok(());
        }
        if self.team.is_some_and(|team| team != position.color().team()) {
            log::warn!("turn {}: asked for a move of the other team", position.turn());
        }
        let Some(report) = self.timer.choose_in_time(self.player, &position, arrived, self.stop) else {
            return self.give_up(SessionError::Stopped);
        };
        let mv = WireMove::new(position.color(), report.mv);
        let message = ClientMessage::Move { room: room.clone(), mv };
        let xml = message.to_element(self.season).to_xml(1);
        self.answered = Some(position.turn());
        self.send(&xml);
        self.timer.note_answer(&position, &report, arrived.elapsed());
        (self.watch)(SessionEvent::Answer(&report));
        Ok(())
    }

    fn note_error(&mut self, message: String) {
        log::warn!("the server reports an error: {}", printable(&message));
        self.last_error = Some(message);
    }

    fn is_other(&self, room: &str) -> bool {
        self.room.as_deref().is_some_and(|own| own != room)
    }
}
