//! Cutting a stream of bytes into elements.

use game::excerpt;
use thiserror::Error;

use crate::element::{Element, XmlError};

/// Elements may not be nested deeper than this, the root included; those of the protocol reach 9.
pub const MAX_DEPTH: usize = 32;

/// Cuts the bytes of one direction of a connection into the children of the root element.
///
/// Elements end where their end tag ends: never wait for a line feed or for the next element. The
/// bytes may come in pieces of any size. A declaration, a byte order mark, comments and text
/// between elements are skipped. A document type declaration is refused, so that there are no
/// entities to expand. The name of the root does not matter.
///
/// ```
/// use protocol::{Frame, Framer};
///
/// let mut framer = Framer::new(Framer::DEFAULT_LIMIT);
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
    /// Everything before this is done with.
    start: usize,
    /// Everything before this has been looked at.
    scanned: usize,
    token: Token,
    /// The names of the elements that are open, the root first.
    open: Vec<Vec<u8>>,
    limit: usize,
    skips_preamble: bool,
    ended: bool,
}

/// What is being read, from its first byte in the buffer on.
#[derive(Debug)]
enum Token {
    /// Anything up to the next `<`.
    Text,
    /// Something that starts with `<`, perhaps too short to say what.
    Markup,
    /// A tag, up to a `>` outside quotes.
    Tag {
        start: usize,
        /// The kind of quotes that are open.
        quote: Option<u8>,
    },
    /// A comment, a processing instruction or a CDATA section, up to this.
    Until(&'static [u8]),
}

/// What comes out of a [`Framer`].
///
/// ```
/// use protocol::{Frame, Framer};
///
/// let mut framer = Framer::new(Framer::DEFAULT_LIMIT);
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
/// let mut framer = Framer::new(Framer::DEFAULT_LIMIT);
/// framer.push(b"HTTP/1.1 400 Bad Request");
/// assert!(matches!(framer.next_frame(), Err(FrameError::NoMarkup(_))));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
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
    /// An element cannot be read.
    #[error(transparent)]
    Xml(#[from] XmlError),
}

impl Framer {
    /// A limit far above every message of the official server (12 KB) or of its clients.
    pub const DEFAULT_LIMIT: usize = 1 << 20;

    /// A framer at the beginning of a document. No element may be longer than `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self {
            buffer: Vec::new(),
            start: 0,
            scanned: 0,
            token: Token::Text,
            open: Vec::new(),
            limit,
            skips_preamble: false,
            ended: false,
        }
    }

    /// Also skips text before the root, as the official server does with what clients send. A client must
    /// not: a server that begins with text speaks another protocol, and the client would wait for ever.
    ///
    /// ```
    /// use protocol::{Frame, Framer};
    ///
    /// let mut framer = Framer::new(Framer::DEFAULT_LIMIT).skipping_preamble();
    /// framer.push(b"hello <protocol><join/>");
    /// assert!(matches!(framer.next_frame()?, Some(Frame::Element(join)) if join.name() == "join"));
    /// # Ok::<(), protocol::FrameError>(())
    /// ```
    pub fn skipping_preamble(self) -> Self {
        Self { skips_preamble: true, ..self }
    }

    /// Takes bytes as they arrive.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.ended {
            return;
        }
        let done = std::mem::take(&mut self.start);
        self.buffer.drain(..done);
        self.scanned -= done;
        if let Token::Tag { start, .. } = &mut self.token {
            *start -= done;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// The next element that is complete, or `None` if more bytes are needed. After the end of the
    /// root there is nothing more.
    ///
    /// # Errors
    /// [`FrameError`]; the framer is of no use afterwards.
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
                    let is_foreign = self.open.is_empty() && !self.skips_preamble && !text.iter().all(may_precede_root);
                    // Between messages the official server stumbles over references, too.
                    if is_foreign || self.open.len() <= 1 && text.contains(&b'&') {
                        return Err(FrameError::NoMarkup(excerpt(text)));
                    }
                    self.scanned += text.len();
                    if markup.is_none() {
                        break;
                    }
                    self.token = Token::Markup;
                }
                Token::Markup => match recognize(unread)? {
                    Some(Markup::Tag) => {
                        self.token = Token::Tag { start: self.scanned, quote: None };
                        self.scanned += 1;
                    }
                    Some(Markup::Section { beginning, end }) => {
                        self.token = Token::Until(end);
                        self.scanned += beginning.len();
                    }
                    None => break,
                },
                Token::Tag { start, quote } => match end_of_tag(unread, quote) {
                    Some(at) if unread[at] == b'<' => {
                        return Err(FrameError::NoMarkup(excerpt(&self.buffer[*start..=self.scanned + at])));
                    }
                    Some(at) => {
                        let tag = *start..self.scanned + at + 1;
                        self.scanned = tag.end;
                        self.token = Token::Text;
                        if let Some(frame) = self.take_tag(tag)? {
                            return Ok(Some(frame));
                        }
                    }
                    None => {
                        self.scanned = self.buffer.len();
                        break;
                    }
                },
                Token::Until(end) => match unread.windows(end.len()).position(|window| window == *end) {
                    Some(at) => {
                        self.scanned += at + end.len();
                        self.token = Token::Text;
                    }
                    None => {
                        self.scanned += unread.len().saturating_sub(end.len() - 1);
                        break;
                    }
                },
            }
            self.skip_text();
        }
        self.skip_text();
        if self.buffer.len() - self.start > self.limit {
            return Err(FrameError::TooLong { limit: self.limit, start: excerpt(&self.buffer[self.start..]) });
        }
        Ok(None)
    }

    /// Deals with a complete tag; the result is what the tag completes.
    fn take_tag(&mut self, tag: std::ops::Range<usize>) -> Result<Option<Frame>, FrameError> {
        let bytes = &self.buffer[tag.clone()];
        if let Some(rest) = bytes.strip_prefix(b"</") {
            if self.open.pop().is_none_or(|open| open != name_of(rest)) {
                return Err(FrameError::UnexpectedEnd(excerpt(bytes)));
            }
        } else {
            if self.open.len() == 1 {
                self.start = tag.start;
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

    /// Drops what lies between the messages, so that it does not count as part of one.
    fn skip_text(&mut self) {
        if self.open.len() <= 1 {
            self.start = match self.token {
                Token::Tag { start, .. } => start,
                Token::Text | Token::Markup | Token::Until(_) => self.scanned,
            };
        }
    }
}

/// Where a tag ends, or where another begins inside it.
fn end_of_tag(bytes: &[u8], quote: &mut Option<u8>) -> Option<usize> {
    bytes.iter().position(|&byte| match *quote {
        Some(open) => {
            quote.take_if(|_| byte == open);
            false
        }
        None => {
            *quote = Some(byte).filter(|byte| matches!(byte, b'"' | b'\''));
            matches!(byte, b'>' | b'<')
        }
    })
}

/// Blanks and the bytes of a byte order mark.
fn may_precede_root(byte: &u8) -> bool {
    byte.is_ascii_whitespace() || "\u{feff}".as_bytes().contains(byte)
}

/// What a `<` begins.
enum Markup {
    Tag,
    Section { beginning: &'static [u8], end: &'static [u8] },
}

/// Says what this `<` begins, if enough of it is there.
fn recognize(markup: &[u8]) -> Result<Option<Markup>, FrameError> {
    const SECTIONS: [(&[u8], &[u8]); 3] = [(b"<?", b"?>"), (b"<!--", b"-->"), (b"<![CDATA[", b"]]>")];
    for (beginning, end) in SECTIONS {
        if markup.starts_with(beginning) {
            return Ok(Some(Markup::Section { beginning, end }));
        }
        if beginning.starts_with(markup) {
            return Ok(None);
        }
    }
    match markup {
        // Names may start with any letter; bytes of 0x80 and above belong to letters beyond ASCII.
        [_, b'/' | b'_' | b':' | b'A'..=b'Z' | b'a'..=b'z' | 0x80.., ..] => Ok(Some(Markup::Tag)),
        _ => Err(FrameError::NoMarkup(excerpt(markup))),
    }
}

/// The name at the beginning of the inside of a tag.
fn name_of(tag: &[u8]) -> &[u8] {
    let end = tag.iter().position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>'));
    &tag[..end.unwrap_or(tag.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(chunks: &[&[u8]], limit: usize) -> Result<Vec<Frame>, FrameError> {
        let mut framer = Framer::new(limit);
        let mut frames = Vec::new();
        for chunk in chunks {
            framer.push(chunk);
            while let Some(frame) = framer.next_frame()? {
                frames.push(frame);
            }
        }
        Ok(frames)
    }

    const STREAM: &str = "\u{feff}<?xml version='1.0'?><!-- <x> --><protocol a='>'>\n  text <a b=\"</a>\"/><!--<b>-->\
        <room><data>ü</data\n><![CDATA[</room>]]></room><?pi <c>?></protocol> <d/>";

    #[test]
    fn chunks_may_have_any_size() {
        let whole = frames(&[STREAM.as_bytes()], 100).unwrap();
        let [Frame::Element(a), Frame::Element(room), Frame::End] = whole.as_slice() else { panic!("{whole:?}") };
        assert_eq!((a.attribute("b"), room.field("data"), room.text()), (Some("</a>"), Some("ü"), "</room>"));
        for size in 1..STREAM.len() {
            let chunks: Vec<&[u8]> = STREAM.as_bytes().chunks(size).collect();
            assert_eq!(frames(&chunks, 100).unwrap(), whole, "chunks of {size}");
        }
    }

    #[test]
    fn an_element_is_complete_with_its_last_byte() {
        assert_eq!(frames(&[b"<protocol>\n  <joined roomId='1'/>"], 100).unwrap().len(), 1);
        assert_eq!(frames(&[b"<protocol><a><b/></a><c>"], 100).unwrap().len(), 1);
        assert_eq!(frames(&[b"<protocol/><a/>"], 100).unwrap(), [Frame::End]);
    }

    #[test]
    fn long_messages_are_refused_and_long_silence_is_not() {
        let long = "x".repeat(200);
        for text in
            [format!("<p><a>{long}</a>"), format!("<p><a b='{long}"), format!("<p><a>{long}"), format!("<{long}")]
        {
            let chunks: Vec<&[u8]> = text.as_bytes().chunks(7).collect();
            assert!(matches!(frames(&[text.as_bytes()], 100), Err(FrameError::TooLong { limit: 100, .. })), "{text}");
            assert!(matches!(frames(&chunks, 100), Err(FrameError::TooLong { limit: 100, .. })), "{text}");
        }
        assert_eq!(frames(&[format!("<p>{long}<!--{long}--><a/>").as_bytes()], 100).unwrap().len(), 1);
        assert_eq!(frames(&["<p>".as_bytes(), "<a/>".repeat(100).as_bytes()], 100).unwrap().len(), 100);
    }

    #[test]
    fn text_before_the_root_is_skipped_where_wanted() {
        let mut framer = Framer::new(30).skipping_preamble();
        for chunk in ["hello", " world, hello world, hello world\n", "<protocol><jo", "in/>"] {
            framer.push(chunk.as_bytes());
        }
        assert_eq!(framer.next_frame(), Ok(Some(Frame::Element(Element::new("join")))));
    }

    #[test]
    fn broken_streams_are_refused_at_once() {
        let error = |text: &str| frames(&[text.as_bytes()], 1000).unwrap_err();
        assert_eq!(error("<protocol>this is not xml <<<"), FrameError::NoMarkup("<<<".to_owned()));
        assert_eq!(
            error("<!DOCTYPE a [<!ENTITY b 'c'>]><p>"),
            FrameError::NoMarkup("<!DOCTYPE a [<!ENTITY b 'c'>]><p>".to_owned())
        );
        assert_eq!(error("\r\nSSH-2.0"), FrameError::NoMarkup("\\r\\nSSH-2.0".to_owned()));
        assert_eq!(error("<p><broken & <<<"), FrameError::NoMarkup("<broken & <".to_owned()));
        assert_eq!(error("<p>this & that"), FrameError::NoMarkup("this & that".to_owned()));
        assert_eq!(error("<p><a><b></p>"), FrameError::UnexpectedEnd("</p>".to_owned()));
        assert_eq!(error("</p>"), FrameError::UnexpectedEnd("</p>".to_owned()));
        assert!(matches!(error("<p><a b/>"), FrameError::Xml(_)));
        assert_eq!(error(&"<a>".repeat(MAX_DEPTH + 1)), FrameError::TooDeep("<a>".to_owned()));
    }
}
