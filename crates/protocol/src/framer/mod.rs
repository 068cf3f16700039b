//! Splits a stream of bytes into elements.

mod markup;
#[cfg(test)]
mod tests;

use game::excerpt;
use thiserror::Error;

use crate::element::{Element, XmlError};
use crate::official_xml::{check_declaration, check_tag, check_text};

use markup::{
    BYTE_ORDER_MARK, COMMENT_END, INSTRUCTION_END, Markup, end_of_doctype, end_of_tag, line_feeds, may_precede_root,
    name_of, recognize, rejected,
};

/// Maximum nesting depth of elements, root included; the protocol needs 9.
pub const MAX_DEPTH: usize = 32;

/// Cuts the bytes of one direction of a connection into the children of the root element.
///
/// Elements end where their end tag ends: never wait for a line feed or for the next element. The bytes may come in
/// pieces of any size. A declaration, a byte order mark, comments and text between elements are skipped. A document
/// type declaration is rejected, so that there are no entities to expand. The name of the root does not matter. A
/// server is stricter, see [`with_official_strictness`](Self::with_official_strictness).
///
/// ```
/// use protocol::{Frame, Framer};
///
/// let mut framer = Framer::default();
/// framer.push(b"<protocol><left room");
/// assert_eq!(framer.next_frame()?, None);
/// framer.push(b"Id='r'/></protocol>");
/// let Some(Frame::Element(left)) = framer.next_frame()? else { panic!() };
/// assert_eq!(left.attribute("roomId"), Some("r"));
/// assert_eq!(framer.next_frame()?, Some(Frame::End));
/// # Ok::<(), protocol::FrameError>(())
/// ```
#[derive(Debug)]
pub struct Framer {
    buffer: Vec<u8>,
    /// Bytes before this are consumed.
    start: usize,
    /// Bytes before this are scanned.
    scanned: usize,
    token: Token,
    /// The names of the elements that are open, the root first.
    open: Vec<Vec<u8>>,
    limit: usize,
    /// `true` if bytes are read like the official server reads its clients.
    is_official: bool,
    /// Line feeds before the buffer.
    lines: usize,
    /// Start of the last message in the buffer.
    message: usize,
    /// `true` if nothing has been read but a byte order mark.
    at_start: bool,
    ended: bool,
}

/// The token in progress, from its first byte in the buffer.
#[derive(Debug)]
enum Token {
    /// Anything up to the next `<`.
    Text,
    /// Markup that starts with `<`, perhaps too short to be recognised.
    Markup,
    /// A tag, up to a `>` outside quotes.
    Tag {
        start: usize,
        /// The kind of quotes that are open.
        quote: Option<u8>,
        /// The last byte that is not blank; quotes open after `=` only.
        previous: u8,
    },
    /// A comment, a processing instruction or a CDATA section, up to this.
    Until(&'static [u8]),
    /// `<?xml … ?>`.
    Declaration,
    /// A document type declaration, up to the `>` that closes all `<`.
    Doctype { depth: usize, is_quoted: bool },
}

/// Output of a [`Framer`].
///
/// ```
/// use protocol::{Frame, Framer};
///
/// let mut framer = Framer::default();
/// framer.push(b"<protocol><left roomId='r'/></protocol>");
/// assert!(matches!(framer.next_frame()?, Some(Frame::Element(left)) if left.name() == "left"));
/// assert_eq!(framer.next_frame()?, Some(Frame::End));
/// # Ok::<(), protocol::FrameError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Frame {
    /// A complete child of the root.
    Element(Element),
    /// The end of the root, `</protocol>`.
    End,
}

/// Bytes that cannot be cut into elements. Nothing that follows them can be read.
///
/// ```
/// use protocol::{FrameError, Framer};
///
/// let mut framer = Framer::default();
/// framer.push(b"HTTP/1.1 400 Bad Request");
/// assert!(matches!(framer.next_frame(), Err(FrameError::NoMarkup(_))));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum FrameError {
    /// An element is longer than the framer's limit.
    #[error("a message is longer than {limit} bytes; it starts with `{start}`")]
    TooLong {
        /// The limit in bytes.
        limit: usize,
        /// The beginning of the message.
        start: String,
    },
    /// Elements are nested deeper than [`MAX_DEPTH`].
    #[error("elements are nested more than {MAX_DEPTH} deep at `{0}`")]
    TooDeep(String),
    /// There is text before the root, a reference between messages, or something after a `<` that starts no
    /// tag, comment or instruction.
    #[error("`{0}` is not markup")]
    NoMarkup(String),
    /// An end tag does not fit the element that is open.
    #[error("`{0}` ends an element that is not open")]
    UnexpectedEnd(String),
    /// The official server does not accept this from clients.
    #[error("{reason}: `{text}`")]
    Rejected {
        /// Violated rule, in words.
        reason: &'static str,
        /// The text where it stands.
        text: String,
    },
    /// An element cannot be read.
    #[error(transparent)]
    Xml(#[from] XmlError),
}

impl Default for Framer {
    /// Creates a framer with the [default limit](Self::DEFAULT_LIMIT).
    fn default() -> Self {
        Self::new(Self::DEFAULT_LIMIT)
    }
}

impl Framer {
    /// A limit far above every message of the official server (12 KB) or of its clients.
    pub const DEFAULT_LIMIT: usize = 1 << 20;

    /// Creates a framer at the beginning of a document. No element may be longer than `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self {
            buffer: Vec::new(),
            start: 0,
            scanned: 0,
            token: Token::Text,
            open: Vec::new(),
            limit,
            is_official: false,
            lines: 0,
            message: 0,
            at_start: true,
            ended: false,
        }
    }

    /// Reads exactly like the official server reads its clients: skips text before the root and document type
    /// declarations; rejects XML declarations that are not at the beginning, undefined entities, `]]>` in text,
    /// comments that end with `--->`, and malformed attributes of the root.
    ///
    /// A client is more lenient, except that it rejects text before the root: such a server speaks another protocol.
    ///
    /// ```
    /// use protocol::{Frame, FrameError, Framer};
    ///
    /// let mut framer = Framer::default().with_official_strictness();
    /// framer.push(b"hello <protocol><join/>&nbsp;");
    /// assert!(matches!(framer.next_frame()?, Some(Frame::Element(join)) if join.name() == "join"));
    /// assert!(matches!(framer.next_frame(), Err(FrameError::Rejected { .. })));
    /// # Ok::<(), protocol::FrameError>(())
    /// ```
    #[must_use]
    pub fn with_official_strictness(self) -> Self {
        Self { is_official: true, ..self }
    }

    /// Returns the line of the last message's first byte, from 1.
    pub fn line_of_message(&self) -> usize {
        self.lines + line_feeds(&self.buffer[..self.message]) + 1
    }

    /// Returns the line of the next unread byte, from 1.
    pub fn line(&self) -> usize {
        self.lines + line_feeds(&self.buffer[..self.scanned]) + 1
    }

    /// Returns the name of the message that has begun and is not complete yet.
    #[doc(hidden)]
    pub fn open_message(&self) -> Option<&str> {
        self.open.get(1).and_then(|name| str::from_utf8(name).ok())
    }

    /// Takes bytes as they arrive.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.ended {
            return;
        }
        let done = std::mem::take(&mut self.start);
        self.lines += line_feeds(&self.buffer[..done]);
        self.buffer.drain(..done);
        self.scanned -= done;
        self.message = self.message.saturating_sub(done);
        if let Token::Tag { start, .. } = &mut self.token {
            *start -= done;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// Returns the next element that is complete, or `None` if more bytes are needed. Returns `None` after the end of
    /// the root.
    ///
    /// # Errors
    /// [`FrameError`]; do not use the framer afterwards.
    pub fn next_frame(&mut self) -> Result<Option<Frame>, FrameError> {
        if self.ended {
            return Ok(None);
        }
        loop {
            let unread = &self.buffer[self.scanned..];
            match &mut self.token {
                Token::Text => {
                    let markup = unread.iter().position(|&byte| byte == b'<');
                    let text = &unread[..markup.unwrap_or(unread.len())];
                    if self.is_official {
                        self.at_start &= text.iter().all(|byte| BYTE_ORDER_MARK.contains(byte));
                        self.scanned += check_text(text, markup.is_some()).map_err(|reason| rejected(reason, text))?;
                    } else {
                        let is_foreign = self.open.is_empty() && !text.iter().all(may_precede_root);
                        if is_foreign || self.open.len() <= 1 && text.contains(&b'&') {
                            self.scanned += text.iter().position(|&byte| byte == b'&').unwrap_or(0);
                            return Err(FrameError::NoMarkup(excerpt(text)));
                        }
                        self.scanned += text.len();
                    }
                    if markup.is_none() {
                        break;
                    }
                    self.token = Token::Markup;
                }
                Token::Markup => match recognize(unread)? {
                    Some(Markup::Tag) => {
                        self.token = Token::Tag { start: self.scanned, quote: None, previous: b'<' };
                        self.scanned += 1;
                    }
                    Some(Markup::Doctype) if self.is_official => {
                        self.token = Token::Doctype { depth: 0, is_quoted: false };
                    }
                    Some(Markup::Doctype) => return Err(FrameError::NoMarkup(excerpt(unread))),
                    Some(Markup::Declaration) if self.is_official && !self.at_start => {
                        return Err(rejected("an XML declaration is not the beginning of the document", unread));
                    }
                    Some(Markup::Declaration) => self.token = Token::Declaration,
                    Some(Markup::Section { beginning, end }) => {
                        self.token = Token::Until(end);
                        self.scanned += beginning.len();
                    }
                    None => break,
                },
                Token::Tag { start, quote, previous } => {
                    let Some(at) = end_of_tag(unread, quote, previous) else {
                        self.scanned = self.buffer.len();
                        break;
                    };
                    let tag = *start..self.scanned + at + 1;
                    if unread[at] == b'<' {
                        return Err(FrameError::NoMarkup(excerpt(&self.buffer[tag])));
                    }
                    self.finish_token(tag.end);
                    if self.is_official {
                        let bytes = &self.buffer[tag.clone()];
                        check_tag(bytes).map_err(|reason| rejected(reason, bytes))?;
                    }
                    if let Some(frame) = self.take_tag(tag)? {
                        return Ok(Some(frame));
                    }
                }
                Token::Until(end) => {
                    let Some(at) = unread.windows(end.len()).position(|window| window == *end) else {
                        // One byte more is kept to tell `-->` from `--->`.
                        self.scanned += unread.len().saturating_sub(end.len());
                        break;
                    };
                    let body = &unread[..at];
                    if self.is_official && *end == COMMENT_END && body.ends_with(b"-") {
                        return Err(rejected("a comment ends with --->", body));
                    }
                    let end = self.scanned + at + end.len();
                    self.finish_token(end);
                }
                Token::Declaration => {
                    let Some(at) = unread.windows(2).position(|window| window == INSTRUCTION_END) else { break };
                    let declaration = &unread[..at + 2];
                    if self.is_official {
                        check_declaration(declaration).map_err(|reason| rejected(reason, declaration))?;
                    }
                    self.finish_token(self.scanned + at + 2);
                }
                Token::Doctype { depth, is_quoted } => {
                    let Some(at) = end_of_doctype(unread, depth, is_quoted) else {
                        self.scanned = self.buffer.len();
                        break;
                    };
                    self.finish_token(self.scanned + at + 1);
                }
            }
            self.skip_text();
        }
        self.skip_text();
        if self.buffer.len() - self.start > self.limit {
            return Err(FrameError::TooLong { limit: self.limit, start: excerpt(&self.buffer[self.start..]) });
        }
        Ok(None)
    }

    /// Continues with text after a token that ends before `end`.
    fn finish_token(&mut self, end: usize) {
        self.scanned = end;
        self.token = Token::Text;
        self.at_start = false;
    }

    /// Handles a complete tag and returns the frame it completes.
    fn take_tag(&mut self, tag: std::ops::Range<usize>) -> Result<Option<Frame>, FrameError> {
        let bytes = &self.buffer[tag.clone()];
        if let Some(rest) = bytes.strip_prefix(b"</") {
            if self.open.pop().is_none_or(|open| open != name_of(rest)) {
                return Err(FrameError::UnexpectedEnd(excerpt(bytes)));
            }
        } else {
            if self.open.len() == 1 {
                self.start = tag.start;
                self.message = tag.start;
            }
            if !bytes.ends_with(b"/>") {
                if self.open.len() == MAX_DEPTH {
                    return Err(FrameError::TooDeep(excerpt(bytes)));
                }
                self.open.push(name_of(&bytes[1..]).to_owned());
                return Ok(None);
            }
        }
        match self.open.len() {
            0 => {
                self.ended = true;
                Ok(Some(Frame::End))
            }
            1 => {
                let element = &self.buffer[self.start..tag.end];
                if element.len() > self.limit {
                    return Err(FrameError::TooLong { limit: self.limit, start: excerpt(element) });
                }
                let element = Element::parse(&String::from_utf8_lossy(element))?;
                self.start = tag.end;
                Ok(Some(Frame::Element(element)))
            }
            _ => Ok(None),
        }
    }

    /// Drops text between messages, so that it does not count as part of one.
    fn skip_text(&mut self) {
        if self.open.len() <= 1 {
            self.start = if let Token::Tag { start, .. } = self.token { start } else { self.scanned };
        }
    }
}
