//! Recognises the markup in a stream of bytes.

use game::excerpt;

use super::FrameError;

/// Returns the end of a tag, or the start of another tag inside it.
pub(super) fn end_of_tag(bytes: &[u8], quote: &mut Option<u8>, previous: &mut u8) -> Option<usize> {
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

/// Returns the end of a document type declaration. Single quotes hide `<` and `>` from the official server, double ones
/// do not.
pub(super) fn end_of_doctype(bytes: &[u8], depth: &mut usize, is_quoted: &mut bool) -> Option<usize> {
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

pub(super) fn rejected(reason: &'static str, text: &[u8]) -> FrameError {
    FrameError::Rejected { reason, text: excerpt(text) }
}

pub(super) fn line_feeds(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte == b'\n').count()
}

/// Blanks and the bytes of a byte order mark.
pub(super) fn may_precede_root(byte: &u8) -> bool {
    byte.is_ascii_whitespace() || BYTE_ORDER_MARK.contains(byte)
}

pub(super) const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

pub(super) const INSTRUCTION_END: &[u8] = b"?>";
pub(super) const COMMENT_END: &[u8] = b"-->";

/// Kind of markup that a `<` begins.
pub(super) enum Markup {
    Tag,
    Declaration,
    Doctype,
    Section { beginning: &'static [u8], end: &'static [u8] },
}

/// Returns the kind of markup, or `None` if more bytes are needed.
pub(super) fn recognize(markup: &[u8]) -> Result<Option<Markup>, FrameError> {
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

/// Returns the name at the start of a tag's content.
pub(super) fn name_of(tag: &[u8]) -> &[u8] {
    let end = tag.iter().position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>'));
    &tag[..end.unwrap_or(tag.len())]
}
