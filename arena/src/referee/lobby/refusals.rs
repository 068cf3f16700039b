//! How the server says no.

use protocol::{ClientMessage, Element, Season, ServerMessage};

use super::Lobby;
use crate::referee::outbox::ClientId;
use crate::referee::texts;
use crate::referee::verdict::Departure;

impl Lobby {
    pub(super) fn refuse_no_move(&mut self, client: ClientId, id: &str, class: &str, element: &Element) {
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

    pub(super) fn unknown_room(&mut self, client: ClientId, room: &str, message: &ClientMessage) {
        match self.options.season {
            Season::Season2021 => self.outbox.dismiss(client),
            Season::Season2027 => self.refuse(client, &texts::unknown_room(room), message),
        }
    }

    pub(super) fn unknown_game_type(&mut self, client: ClientId, game_type: &str) {
        match self.options.season {
            Season::Season2021 => self.outbox.dismiss(client),
            Season::Season2027 => {
                let reason = format!("it asks for the unknown game `{game_type}`");
                self.drop_client(client, Departure::ProtocolError, &reason);
            }
        }
    }

    pub(super) fn refuse_for_limit(&mut self, client: ClientId, message: &ClientMessage) {
        self.refuse(client, "sc.api.plugins.exceptions.GameRoomException: Too many games", message);
    }

    /// Answers a request by an error that repeats it.
    pub(super) fn refuse(&mut self, client: ClientId, text: &str, message: &ClientMessage) {
        let request = message.to_element(self.options.season);
        let class = request.name().to_owned();
        let request = Some(request.quoted_as("originalRequest", &class));
        self.outbox.send([client], &ServerMessage::Error { message: text.to_owned(), request });
    }

    /// Forgets the clients that were sent away. Whoever is dismissed in the way of season 2021 has
    /// not left its games: they wait for it until it is late.
    pub(super) fn forget_closed(&mut self) {
        for client in self.outbox.take_closed() {
            self.clients.remove(&client);
            self.rooms.values_mut().for_each(|room| room.abandon(client));
        }
    }

    /// Closes without a word.
    pub(super) fn drop_client(&mut self, client: ClientId, how: Departure, reason: &str) {
        log::info!("client {client} is dropped: {reason}");
        self.outbox.close(client, false);
        self.disconnect(client, how);
    }
}
