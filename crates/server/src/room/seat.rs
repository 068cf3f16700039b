//! The seats of a game.

use protocol::Slot;

use crate::outbox::ClientId;

/// A player's seat.
#[derive(Clone, Debug)]
pub(super) struct RoomSeat {
    pub(super) slot: Slot,
    pub(super) occupant: Occupant,
}

impl RoomSeat {
    pub(super) fn new(slot: Slot) -> Self {
        Self { slot, occupant: Occupant::Nobody }
    }
}

/// Returns a seat for anybody.
pub(super) fn open_slot() -> Slot {
    Slot { display_name: None, can_timeout: true, reserved: false }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Occupant {
    /// Free.
    Nobody,
    Client(ClientId),
    /// Left by its player.
    Gone,
}

impl Occupant {
    pub(super) fn client(self) -> Option<ClientId> {
        match self {
            Self::Client(client) => Some(client),
            Self::Nobody | Self::Gone => None,
        }
    }
}
