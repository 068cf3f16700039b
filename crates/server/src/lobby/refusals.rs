//! Refusals of the server.

use std::time::Instant;

use game::excerpt;
use protocol::{Element, Season, ServerMessage};

use super::{ClientRequest, Lobby};
use crate::outbox::ClientId;
use crate::room::PlayerAnswer;
use crate::texts;
use crate::verdict::DisconnectReason;

impl Lobby {
    /// Handles data to a game that is not a move.
    pub(super) fn receive_no_move(&mut self, client: ClientId, id: &str, class: &str, element: &Element, at: Instant) {
        let found = self.find(id).map(|(key, room)| (key, room.has_seat(client)));
        let data = element.find("data");
        match (self.options.season, found) {
            (Season::Season2021, Some((key, true))) => {
                if let Some(data) = data {
                    self.answer(client, key, PlayerAnswer::Other { class, data }, at);
                }
            }
            (Season::Season2021, _) => self.outbox.dismiss(client),
            (Season::Season2027, None) => self.refuse_element(client, texts::unknown_room(id), element),
            (Season::Season2027, Some(_)) => self.refuse_element(client, texts::not_a_move(id, data), element),
        }
    }

    pub(super) fn unknown_room(&mut self, client: ClientId, room: &str, request: &ClientRequest) {
        self.refuse_or_dismiss(client, &texts::unknown_room(room), request);
    }

    /// Answers with an error in season 2027; closes the connection in season 2021.
    pub(super) fn refuse_or_dismiss(&mut self, client: ClientId, text: &str, request: &ClientRequest) {
        match self.options.season {
            Season::Season2021 => {
                log::warn!("client {client}: the official server would close the connection here: {}", excerpt(text));
                self.outbox.dismiss(client);
            }
            Season::Season2027 => self.refuse(client, text, request),
        }
    }

    pub(super) fn unknown_game_type(&mut self, client: ClientId, game_type: &str) {
        match self.options.season {
            Season::Season2021 => self.outbox.dismiss(client),
            Season::Season2027 => {
                let reason = format!("it asks for the unknown game `{}`", excerpt(game_type));
                self.drop_client(client, DisconnectReason::ProtocolError, &reason);
            }
        }
    }

    pub(super) fn refuse_for_limit(&mut self, client: ClientId, request: &ClientRequest) {
        self.refuse(client, "sc.api.plugins.exceptions.GameRoomException: Too many games", request);
    }

    /// Answers a request with an error that repeats it.
    pub(super) fn refuse(&mut self, client: ClientId, text: &str, request: &ClientRequest) {
        self.refuse_element(client, text.to_owned(), &request.repeated(self.options.season));
    }

    /// Answers a message with an error that repeats it, unless it exceeds the maximum length, as indentation can make
    /// it many times longer.
    pub(super) fn refuse_element(&mut self, client: ClientId, message: String, element: &Element) {
        log::warn!("client {client}: the official server would refuse this request: {}", excerpt(&message));
        let request = element.clone().quoted_as("originalRequest", element.name());
        let request = Some(request).filter(|request| request.to_xml(1).len() <= self.options.limits.message_bytes);
        self.outbox.send([client], &ServerMessage::Error { message, request });
    }

    /// Forgets the clients whose connections were closed. In season 2021 their games wait for them until a timeout.
    pub(super) fn forget_closed(&mut self) {
        for client in self.outbox.take_closed() {
            self.clients.remove(&client);
            self.rooms.values_mut().for_each(|room| room.remove_client(client));
        }
    }

    /// Closes the connection like the official server.
    pub(super) fn drop_client(&mut self, client: ClientId, how: DisconnectReason, reason: &str) {
        log::warn!("client {client}: the official server would close the connection here: {reason}");
        self.close(client, how);
    }

    /// Closes the connection because of a limit of this server.
    pub(super) fn drop_for_limit(&mut self, client: ClientId, how: DisconnectReason, reason: &str) {
        log::info!("client {client} is dropped: {reason}");
        self.close(client, how);
    }

    fn close(&mut self, client: ClientId, how: DisconnectReason) {
        self.outbox.close(client, false);
        self.disconnect(client, how);
    }
}
