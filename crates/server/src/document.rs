//! Writes the outputs of a connection as one document.

use protocol::{CLOSING, OPENING};

use crate::outbox::ClientOutput;

/// The document that the server sends on one connection.
///
/// ```
/// use server::{ClientOutput, Document};
///
/// let mut document = Document::default();
/// assert_eq!(document.write(&ClientOutput::Send("\n  <joined/>".into())), "<protocol>\n  <joined/>");
/// assert_eq!(document.write(&ClientOutput::Close { farewell: true }), "\n</protocol>");
/// // A document without messages has no end tag.
/// assert_eq!(Document::default().write(&ClientOutput::Close { farewell: true }), "<protocol/>");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Document {
    has_begun: bool,
}

impl Document {
    /// Returns the text of the next output. The first message opens the root; nothing may follow
    /// [`ClientOutput::Close`].
    pub fn write(&mut self, output: &ClientOutput) -> String {
        let is_first = !std::mem::replace(&mut self.has_begun, true);
        match output {
            ClientOutput::Send(text) if is_first => [OPENING, text].concat(),
            ClientOutput::Send(text) => text.to_string(),
            ClientOutput::Close { farewell: false } => String::new(),
            ClientOutput::Close { farewell: true } if is_first => "<protocol/>".to_owned(),
            ClientOutput::Close { farewell: true } => CLOSING.to_owned(),
        }
    }
}
