//! What administrators can do.

use std::time::Instant;

use protocol::{ClientMessage, Season, ServerMessage, Slot};

use super::{Lobby, Prepared};
use crate::referee::outbox::ClientId;

impl Lobby {
    pub(super) fn administrate(&mut self, client: ClientId, message: &ClientMessage, now: Instant) {
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

    pub(super) fn prepare_for(
        &mut self,
        client: ClientId,
        game_type: &str,
        pause: bool,
        slots: &[Slot],
        message: &ClientMessage,
    ) {
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
}
