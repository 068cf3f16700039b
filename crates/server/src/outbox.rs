//! Outputs to clients.

use std::sync::Arc;

use protocol::{Season, ServerMessage};

/// The number of a client, unique for the life of the server.
pub type ClientId = u64;

/// An output to a client. [`Document`](crate::Document) writes it to the wire.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClientOutput {
    /// Send this text, which several clients may share.
    Send(Arc<str>),
    /// Close the connection, with or without ending the document before.
    Close {
        /// `true` if `</protocol>` is sent.
        farewell: bool,
    },
}

/// Collects outputs in order.
#[derive(Clone, Debug)]
pub(super) struct Outbox {
    season: Season,
    outputs: Vec<(ClientId, ClientOutput)>,
    closed: Vec<ClientId>,
}

impl Outbox {
    pub(super) fn new(season: Season) -> Self {
        Self { season, outputs: Vec::new(), closed: Vec::new() }
    }

    /// Sends a message to clients; formats it once.
    pub(super) fn send(&mut self, clients: impl IntoIterator<Item = ClientId>, message: &ServerMessage) {
        let mut clients = clients.into_iter().peekable();
        if clients.peek().is_some() {
            let text: Arc<str> = message.to_element(self.season).to_xml(1).into();
            self.outputs.extend(clients.map(|client| (client, ClientOutput::Send(text.clone()))));
        }
    }

    pub(super) fn close(&mut self, client: ClientId, farewell: bool) {
        self.outputs.push((client, ClientOutput::Close { farewell }));
        self.closed.push(client);
    }

    /// Returns the clients whose connections were closed since the last call.
    pub(super) fn take_closed(&mut self) -> Vec<ClientId> {
        std::mem::take(&mut self.closed)
    }

    /// Closes the connection like the server of season 2021 after a fault.
    pub(super) fn dismiss(&mut self, client: ClientId) {
        self.send([client], &ServerMessage::Close);
        self.close(client, true);
    }

    /// Returns the outputs since the last call.
    pub(super) fn take(&mut self) -> Vec<(ClientId, ClientOutput)> {
        std::mem::take(&mut self.outputs)
    }
}
