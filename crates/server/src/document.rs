//! Writes the outputs of a connection as one document.

use protocol::{CLOSING, OPENING};

use crate::outbox::Output;

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
    /// Returns the text of the next output. The first message opens the root; nothing may follow [`Output::Close`].
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
