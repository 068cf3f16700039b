//! Cutting a stream of bytes into elements.

use game::excerpt;
use thiserror::Error;

use crate::element::{Element, XmlError};
use crate::official_xml::{check_declaration, check_tag, check_text};

/// Maximum nesting depth of elements, root included; the protocol needs 9.
pub const MAX_DEPTH: usize = 32;

/// Cuts the bytes of one direction of a connection into the children of the root element.
///
/// Elements end where their end tag ends: never wait for a line feed or for the next element. The
/// bytes may come in pieces of any size. A declaration, a byte order mark, comments and text
/// between elements are skipped. A document type declaration is refused, so that there are no
/// entities to expand. The name of the root does not matter. A server is stricter, see
/// [`as_official_server`](Self::as_official_server).
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
    /// `true` if bytes are read like the official server reads its clients.
    is_official: bool,
    /// Line feeds before the buffer.
    lines: usize,
    /// Where the last message begins in the buffer.
    message: usize,
    /// Whether nothing has been read but a byte order mark.
    at_start: bool,
    ended: bool,
}

/// The token in progress, from its first byte in the buffer.
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
    /// The official server does not accept this from clients.
    #[error("{reason}: `{text}`")]
    Refused {
        /// Violated rule, in words.
        reason: &'static str,
        /// The text where it stands.
        text: String,
    },
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
            is_official: false,
            lines: 0,
            message: 0,
            at_start: true,
            ended: false,
        }
    }

    /// Reads exactly like the official server reads its clients: skips text before the root and document type
    /// declarations; refuses XML declarations that are not at the beginning, undefined entities, `]]>` in text,
    /// comments that end with `--->`, and malformed attributes of the root.
    ///
    /// A client reads more generously, except that a server that begins with text speaks another protocol.
    ///
    /// ```
    /// use protocol::{Frame, FrameError, Framer};
    ///
    /// let mut framer = Framer::new(Framer::DEFAULT_LIMIT).as_official_server();
    /// framer.push(b"hello <protocol><join/>&nbsp;");
    /// assert!(matches!(framer.next_frame()?, Some(Frame::Element(join)) if join.name() == "join"));
    /// assert!(matches!(framer.next_frame(), Err(FrameError::Refused { .. })));
    /// # Ok::<(), protocol::FrameError>(())
    /// ```
    pub fn as_official_server(self) -> Self {
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

    /// The name of the message that has begun and is not complete yet.
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
                    if self.is_official {
                        self.at_start &= text.iter().all(|byte| BYTE_ORDER_MARK.contains(byte));
                        self.scanned += check_text(text, markup.is_some()).map_err(|reason| refused(reason, text))?;
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
                        return Err(refused("an XML declaration is not the beginning of the document", unread));
                    }
                    Some(Markup::Declaration) => self.token = Token::Declaration,
                    Some(Markup::Section { beginning, end }) => {
                        self.token = Token::Until(end);
                        self.scanned += beginning.len();
                    }
                    None => break,
                },
                Token::Tag { start, quote, previous } => match end_of_tag(unread, quote, previous) {
                    Some(at) if unread[at] == b'<' => {
                        return Err(FrameError::NoMarkup(excerpt(&self.buffer[*start..=self.scanned + at])));
                    }
                    Some(at) => {
                        let tag = *start..self.scanned + at + 1;
                        self.scanned = tag.end;
                        self.token = Token::Text;
                        self.at_start = false;
                        if self.is_official {
                            let bytes = &self.buffer[tag.clone()];
                            check_tag(bytes).map_err(|reason| refused(reason, bytes))?;
                        }
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
                        let body = &unread[..at];
                        if self.is_official && *end == COMMENT_END && body.ends_with(b"-") {
                            return Err(refused("a comment ends with --->", body));
                        }
                        self.scanned += at + end.len();
                        self.token = Token::Text;
                        self.at_start = false;
                    }
                    // One byte more is kept to tell `-->` from `--->`.
                    None => {
                        self.scanned += unread.len().saturating_sub(end.len());
                        break;
                    }
                },
                Token::Declaration => match unread.windows(2).position(|window| window == INSTRUCTION_END) {
                    Some(at) => {
                        let declaration = &unread[..at + 2];
                        if self.is_official {
                            check_declaration(declaration).map_err(|reason| refused(reason, declaration))?;
                        }
                        self.scanned += declaration.len();
                        self.token = Token::Text;
                        self.at_start = false;
                    }
                    None => break,
                },
                Token::Doctype { depth, is_quoted } => match end_of_doctype(unread, depth, is_quoted) {
                    Some(at) => {
                        self.scanned += at + 1;
                        self.token = Token::Text;
                        self.at_start = false;
                    }
                    None => {
                        self.scanned = self.buffer.len();
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

    /// Drops what lies between the messages, so that it does not count as part of one.
    fn skip_text(&mut self) {
        if self.open.len() <= 1 {
            self.start = match self.token {
                Token::Tag { start, .. } => start,
                Token::Text | Token::Markup | Token::Until(_) | Token::Declaration | Token::Doctype { .. } => {
                    self.scanned
                }
            };
        }
    }
}

/// Where a tag ends, or where another begins inside it.
fn end_of_tag(bytes: &[u8], quote: &mut Option<u8>, previous: &mut u8) -> Option<usize> {
    bytes.iter().position(|&byte| match *quote {
        Some(open) => {
            quote.take_if(|_| byte == open);
            false
        }
        None => {
            *quote = Some(byte).filter(|byte| *previous == b'=' && matches!(byte, b'"' | b'\''));
            if !byte.is_ascii_whitespace() {
                *previous = byte;
            }
            matches!(byte, b'>' | b'<')
        }
    })
}

/// Where a document type declaration ends. Single quotes hide `<` and `>` from the official server, double ones do not.
fn end_of_doctype(bytes: &[u8], depth: &mut usize, is_quoted: &mut bool) -> Option<usize> {
    bytes.iter().position(|byte| {
        match byte {
            b'\'' => *is_quoted = !*is_quoted,
            b'<' if !*is_quoted => *depth += 1,
            b'>' if !*is_quoted => *depth = depth.saturating_sub(1),
            _ => {}
        }
        *depth == 0
    })
}

fn refused(reason: &'static str, text: &[u8]) -> FrameError {
    FrameError::Refused { reason, text: excerpt(text) }
}

fn line_feeds(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte == b'\n').count()
}

/// Blanks and the bytes of a byte order mark.
fn may_precede_root(byte: &u8) -> bool {
    byte.is_ascii_whitespace() || BYTE_ORDER_MARK.contains(byte)
}

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

const INSTRUCTION_END: &[u8] = b"?>";
const COMMENT_END: &[u8] = b"-->";

/// Kind of markup that a `<` begins.
enum Markup {
    Tag,
    Declaration,
    Doctype,
    Section { beginning: &'static [u8], end: &'static [u8] },
}

/// Says what this `<` begins, if enough of it is there.
fn recognize(markup: &[u8]) -> Result<Option<Markup>, FrameError> {
    const DOCTYPE: &[u8] = b"<!DOCTYPE";
    const SECTIONS: [(&[u8], &[u8]); 3] = [(b"<?", INSTRUCTION_END), (b"<!--", COMMENT_END), (b"<![CDATA[", b"]]>")];
    if let Some(name) = markup.strip_prefix(b"<?") {
        const XML: &[u8] = b"xml";
        match (name.get(..XML.len()), name.get(XML.len())) {
            (None, _) if XML[..name.len()].eq_ignore_ascii_case(name) => return Ok(None),
            (Some(start), None) if XML.eq_ignore_ascii_case(start) => return Ok(None),
            (Some(start), Some(next)) if XML.eq_ignore_ascii_case(start) && next.is_ascii_whitespace() => {
                return Ok(Some(Markup::Declaration));
            }
            _ => {}
        }
    }
    for (beginning, end) in SECTIONS {
        if markup.starts_with(beginning) {
            return Ok(Some(Markup::Section { beginning, end }));
        }
        if beginning.starts_with(markup) {
            return Ok(None);
        }
    }
    match markup {
        _ if markup.starts_with(DOCTYPE) => Ok(Some(Markup::Doctype)),
        _ if DOCTYPE.starts_with(markup) => Ok(None),
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
        <room><![CDATA[</room>]]><data>ü</data\n></room><?pi <c>?></protocol> <d/>";

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
        let mut framer = Framer::new(30).as_official_server();
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

    /// Elements that are read from clients, or the reason why not.
    fn of_client(text: &str, size: usize) -> Result<usize, &'static str> {
        let mut framer = Framer::new(1000).as_official_server();
        let mut count = 0;
        for chunk in text.as_bytes().chunks(size) {
            framer.push(chunk);
            loop {
                match framer.next_frame() {
                    Ok(None) => break,
                    Ok(Some(_)) => count += 1,
                    Err(FrameError::Refused { reason, .. }) => return Err(reason),
                    Err(_) => return Err(""),
                }
            }
        }
        Ok(count)
    }

    /// The answers were taken from the XML library of the official server.
    #[test]
    fn clients_are_read_like_the_official_server() {
        let accepted = [
            "<?xml version=\"1.0\"?><p><a/>",
            "<?XML version='2.0' encoding='UTF-8' standalone='yes' ?><p><a/>",
            "<?xml version='1.0' encoding='ISO-8859-1'?><p><a/>",
            "\u{feff}<?xml version='1.0'?><p><a/>",
            "<?xml-stylesheet href='a'?><p><?xmlx?><a/>",
            "<!DOCTYPE p [<!ENTITY b '>'>]><p><!DOCTYPE p><a/>",
            "hello &amp; <p>&lt;&#65;&#x42;&gt; ]] > <a/>",
            "<![CDATA[&nbsp;]]><p><![CDATA[<b/>&nbsp;]]><a/>",
            "<p><!-- &nbsp; -- ]]> --><!----><a/>",
            "<p a=\"1\"b = '<>&amp;'><a c='1' c='2'/>",
            "<x:p><a x:b=''>text</a >",
        ];
        let declaration = "an XML declaration is not the beginning of the document";
        let undefined = "an entity is undefined";
        let unfinished = "a reference does not end";
        let refused = [
            (" <?xml version='1.0'?><p><a/>", declaration),
            ("<p><?xml version='1.0'?><a/>", declaration),
            ("<p><a><?xml version='1.0'?></a>", declaration),
            ("<!-- --><?XML version='1.0'?><p><a/>", declaration),
            (
                "<?xml encoding='UTF-8'?><p><a/>",
                "an XML declaration has other attributes than version, encoding, standalone in this order",
            ),
            (
                "<?xml version='1.0' encoding='UTF-16'?><p><a/>",
                "an XML declaration has an unknown encoding or standalone value",
            ),
            ("<?xml ?><p><a/>", "an XML declaration has no version"),
            ("&nbsp;<p><a/>", undefined),
            ("<p>&nbsp;<a/>", undefined),
            ("<p><a>&#xFFFFFFFF;</a>", undefined),
            ("<p b='&nbsp;'><a/>", undefined),
            ("<p><a b='&nbsp;'/>", undefined),
            ("<p> & <a/>", unfinished),
            ("<p>&amp<a/>", unfinished),
            ("<p><a b='a & b'/>", unfinished),
            ("<p>]]><a/>", "text contains ]]>"),
            ("<p><a b=']]>'/>", "text contains ]]>"),
            ("<p><!-- ---><a/>", "a comment ends with --->"),
            ("<p a><a/>", "an attribute has no value"),
            ("<p a=1><a/>", "the value of an attribute is not quoted"),
            ("<p><a b=it's><a/>", "the value of an attribute is not quoted"),
            ("<p 1a='1'><a/>", "an attribute has no name"),
            ("<p><a></a b='1'>", "an end tag has attributes"),
            ("<p><!ELEMENT a><a/>", ""),
            ("<p></q>", ""),
        ];
        for size in [1, 2, 3, 1000] {
            for text in accepted {
                assert_eq!(of_client(text, size), Ok(1), "{text} in pieces of {size}");
            }
            for (text, reason) in refused {
                assert_eq!(of_client(text, size), Err(reason), "{text} in pieces of {size}");
            }
        }
    }

    #[test]
    fn names_the_message_that_has_begun() {
        let mut framer = Framer::new(100);
        assert_eq!(framer.open_message(), None);
        framer.push(b"<p><a/><p><a>");
        while framer.next_frame().unwrap().is_some() {}
        assert_eq!(framer.open_message(), Some("p"));
    }
}
