//! The requests of administrators.

use std::time::Instant;

use protocol::{ClientMessage, Season, ServerMessage, Slot};

use super::{ClientRequest, Lobby, Prepared, Reservation};
use crate::outbox::ClientId;
use crate::texts;
use crate::verdict::DisconnectReason;

impl Lobby {
    pub(super) fn administrate(&mut self, client: ClientId, request: &ClientRequest, now: Instant) {
        let message = &request.message;
        if !self.clients.get(&client).is_some_and(|client| client.is_admin) {
            // Season 2021 ignores such requests.
            if self.options.season == Season::Season2027 {
                self.refuse(client, &texts::unauthenticated(message), request);
            }
            return;
        }
        let room = match message {
            ClientMessage::Prepare { game_type, pause, slots } => {
                return self.prepare_for(client, game_type.as_deref(), *pause, slots, request);
            }
            ClientMessage::FreeReservation { reservation } => return self.free_reservation(client, reservation),
            ClientMessage::TestMode => {
                return self.drop_for_limit(client, DisconnectReason::Unknown, "this server has no test mode");
            }
            ClientMessage::Observe { room }
            | ClientMessage::Pause { room, .. }
            | ClientMessage::Step { room, .. }
            | ClientMessage::Cancel { room }
            | ClientMessage::Timeout { room, .. } => room,
            _ => return,
        };
        // Only here season 2027 requires a room.
        if self.options.season == Season::Season2027
            && matches!(message, ClientMessage::Cancel { .. })
            && request.leaves_out("roomId")
        {
            return self.drop_client(client, DisconnectReason::Unknown, "it cancels without a room");
        }
        let Some((key, _)) = self.find(room) else {
            // The official server of 2021 ignores a pause of an unknown room.
            if self.options.season == Season::Season2027 || !matches!(message, ClientMessage::Pause { .. }) {
                self.unknown_room(client, room, request);
            }
            return;
        };
        let Some(room) = self.rooms.get_mut(&key) else { return };
        match message {
            ClientMessage::Observe { .. } => {
                room.observe(client, self.options.limits.seats_per_client);
                self.outbox.send([client], &ServerMessage::Observed { room: room.id.clone() });
            }
            ClientMessage::Pause { pause, .. } => room.pause(*pause, now, &mut self.outbox),
            ClientMessage::Step { forced, .. } => {
                if !room.step(*forced, now, &mut self.outbox) {
                    self.drop_client(client, DisconnectReason::Unknown, "it forces a game with a nameless seat");
                }
            }
            ClientMessage::Timeout { slot, activate, .. } => {
                if !room.set_timeout(*slot, *activate) {
                    self.outbox.dismiss(client);
                }
            }
            _ => room.cancel(&mut self.outbox),
        }
    }

    pub(super) fn prepare_for(
        &mut self,
        client: ClientId,
        game_type: Option<&str>,
        pause: bool,
        slots: &[Slot],
        request: &ClientRequest,
    ) {
        let season = self.options.season;
        // The kind of game is optional in season 2027.
        if let Some(game_type) = game_type.filter(|&game_type| game_type != season.game_type()) {
            return self.unknown_game_type(client, game_type);
        }
        match (slots.len(), season) {
            (1 | 2, Season::Season2027) if slots.iter().any(|slot| slot.display_name.is_none()) => {
                return self.drop_client(client, DisconnectReason::Unknown, "it prepares a seat without a name");
            }
            (1 | 2, _) => {}
            (0, _) => return self.drop_client(client, DisconnectReason::Unknown, "it prepares a game without seats"),
            (_, Season::Season2021) => return self.outbox.dismiss(client),
            (_, Season::Season2027) => {
                return self.drop_client(client, DisconnectReason::Unknown, "it prepares more than two seats");
            }
        }
        if self.rooms.len() >= self.options.limits.rooms {
            return self.refuse_for_limit(client, request);
        }
        let Prepared { room, reservations } = self.prepare(slots.to_vec(), pause);
        let nameless = slots.iter().position(|slot| slot.display_name.is_none());
        if let Some(nameless) = nameless.filter(|_| season == Season::Season2021)
            && let Some(room) = self.rooms.values_mut().find(|prepared| prepared.id == room)
        {
            room.set_nameless_seat(nameless);
        }
        self.outbox.send([client], &ServerMessage::Prepared { room, reservations });
    }

    fn free_reservation(&mut self, client: ClientId, code: &str) {
        let Some(index) = self.reservations.iter().position(|known| known.code == code) else {
            return self.drop_client(client, DisconnectReason::Unknown, "it frees a seat that is not reserved");
        };
        if let Some(Reservation { room, team, .. }) = self.reservations.remove(index)
            && let Some(room) = self.rooms.get_mut(&room)
        {
            room.free(team);
        }
    }
}
