//! Outputs to clients.

use std::sync::Arc;

use protocol::{CLOSING, OPENING, Season, ServerMessage, State};

/// The number of a client, unique for the life of the server.
pub type ClientId = u64;

/// An output to a client. [`Document`] writes it to the wire.
///
/// ```
/// use server::Output;
///
/// let output = Output::Send("\n  <joined roomId=\"r\"/>".into());
/// assert_ne!(output, Output::Close { farewell: false });
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Output {
    /// Send this text, which several clients may share.
    Send(Arc<str>),
    /// Close the connection, with or without ending the document before.
    Close {
        /// `true` if `</protocol>` is sent.
        farewell: bool,
    },
}

/// The document that the server sends on one connection.
///
/// ```
/// use server::{Document, Output};
///
/// let mut document = Document::default();
/// assert_eq!(document.write(&Output::Send("\n  <joined/>".into())), "<protocol>\n  <joined/>");
/// assert_eq!(document.write(&Output::Close { farewell: true }), "\n</protocol>");
/// // A document without messages has no end tag.
/// assert_eq!(Document::default().write(&Output::Close { farewell: true }), "<protocol/>");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Document {
    has_begun: bool,
}

impl Document {
    /// The text of the next output. The first message opens the root; nothing may follow [`Output::Close`].
    pub fn write(&mut self, output: &Output) -> String {
        let is_first = !std::mem::replace(&mut self.has_begun, true);
        match output {
            Output::Send(text) if is_first => [OPENING, text].concat(),
            Output::Send(text) => text.to_string(),
            Output::Close { farewell: false } => String::new(),
            Output::Close { farewell: true } if is_first => "<protocol/>".to_owned(),
            Output::Close { farewell: true } => CLOSING.to_owned(),
        }
    }
}

/// Collects outputs in order.
#[derive(Clone, Debug)]
pub(super) struct Outbox {
    season: Season,
    pub(super) outputs: Vec<(ClientId, Output)>,
    /// The new states of games, for the host.
    pub(super) states: Vec<(String, State)>,
    /// The clients whose connections were closed.
    pub(super) closed: Vec<ClientId>,
}

impl Outbox {
    pub(super) fn new(season: Season) -> Self {
        Self { season, outputs: Vec::new(), states: Vec::new(), closed: Vec::new() }
    }

    /// Sends a message to clients; formats it once.
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

    /// Closes the connection like the server of season 2021 after a fault.
    pub(super) fn dismiss(&mut self, client: ClientId) {
        self.send([client], &ServerMessage::Close);
        self.close(client, true);
    }

    /// Publishes a new state of a game to the host.
    pub(super) fn publish(&mut self, room: &str, state: &State) {
        self.states.push((room.to_owned(), state.clone()));
    }
}
