//! What is to be sent.

use std::sync::Arc;

use protocol::{Season, ServerMessage, State};

/// A connected client. No two clients of a server have the same, however long ago one has gone.
pub type ClientId = u64;

/// Something to be done for a client. [`Document`](crate::Document) says what it is on the wire.
///
/// ```
/// use server::Output;
///
/// let output = Output::Send("\n  <joined roomId=\"r\"/>".into());
/// assert_ne!(output, Output::Close { farewell: false });
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Output {
    /// Send this text. It is shared by all who get the same.
    Send(Arc<str>),
    /// Close the connection, with or without ending the document before.
    Close {
        /// Whether `</protocol>` is sent.
        farewell: bool,
    },
}

/// Collects what is to be done for clients, in order.
#[derive(Clone, Debug)]
pub(super) struct Outbox {
    season: Season,
    outputs: Vec<(ClientId, Output)>,
    states: Vec<(String, State)>,
    closed: Vec<ClientId>,
}

impl Outbox {
    pub(super) fn new(season: Season) -> Self {
        Self { season, outputs: Vec::new(), states: Vec::new(), closed: Vec::new() }
    }

    /// Sends a message to clients; it is printed once.
    pub(super) fn send(&mut self, clients: impl IntoIterator<Item = ClientId>, message: &ServerMessage) {
        let mut clients = clients.into_iter().peekable();
        if clients.peek().is_some() {
            let text: Arc<str> = message.to_element(self.season).to_xml(1).into();
            self.outputs.extend(clients.map(|client| (client, Output::Send(text.clone()))));
        }
    }

    pub(super) fn close(&mut self, client: ClientId, farewell: bool) {
        self.outputs.push((client, Output::Close { farewell }));
        self.closed.push(client);
    }

    /// The clients that were sent away since the last call.
    pub(super) fn take_closed(&mut self) -> Vec<ClientId> {
        std::mem::take(&mut self.closed)
    }

    /// Closes in the way of season 2021 when the server has had enough of a client.
    pub(super) fn dismiss(&mut self, client: ClientId) {
        self.send([client], &ServerMessage::Close);
        self.close(client, true);
    }

    /// Tells whoever runs the server about a new state of a game.
    pub(super) fn publish(&mut self, room: &str, state: &State) {
        self.states.push((room.to_owned(), state.clone()));
    }

    /// The new states since the last call.
    pub(super) fn take_states(&mut self) -> Vec<(String, State)> {
        std::mem::take(&mut self.states)
    }

    /// Everything since the last call.
    pub(super) fn take(&mut self) -> Vec<(ClientId, Output)> {
        std::mem::take(&mut self.outputs)
    }
}
