//! Checks that the official server's XML parser makes.
//!
//! That parser (kXML) is strict in some places and lenient in others, and knows only the five entities of XML. The
//! checks work on the tokens of a [`Framer`](crate::Framer).

use std::ops::Range;

/// Encodings that an XML declaration may name. All agree with UTF-8 on the ASCII characters of a move.
const ENCODINGS: [&str; 8] =
    ["utf-8", "utf8", "us-ascii", "ascii", "iso-8859-1", "latin1", "iso-8859-15", "windows-1252"];

/// Maximum length of the name of a reference in bytes.
const MAX_REFERENCE: usize = 12;

/// Checks text between tags. Returns the number of checked bytes: a reference or a `]]>` at the end may continue in the
/// next bytes unless the text `is_complete`.
pub(crate) fn check_text(text: &[u8], is_complete: bool) -> Result<usize, &'static str> {
    let mut at = 0;
    while let Some(next) = text[at..].iter().position(|&byte| matches!(byte, b'&' | b']')) {
        at += next;
        let rest = &text[at..];
        if rest[0] == b'&' {
            match reference(rest)? {
                Some(length) => at += length,
                None if is_complete => return Err("a reference does not end"),
                None => return Ok(at),
            }
        } else if rest.starts_with(b"]]>") {
            return Err("text contains ]]>");
        } else if !is_complete && b"]]>".starts_with(rest) {
            return Ok(at);
        } else {
            at += 1;
        }
    }
    Ok(text.len())
}

/// Returns the length of the reference at the start of a text; `None` if it may be incomplete.
fn reference(text: &[u8]) -> Result<Option<usize>, &'static str> {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'#' | 0x80..);
    let length = text[1..].iter().take_while(|byte| is_name(byte)).count();
    if length > MAX_REFERENCE {
        return Err("an entity is undefined");
    }
    let name = &text[1..=length];
    match text.get(length + 1) {
        None => Ok(None),
        Some(b';') if is_defined(name) => Ok(Some(length + 2)),
        Some(b';') => Err("an entity is undefined"),
        Some(_) => Err("a reference does not end"),
    }
}

fn is_defined(name: &[u8]) -> bool {
    let Ok(name) = str::from_utf8(name) else { return false };
    match name.strip_prefix('#') {
        None => matches!(name, "amp" | "lt" | "gt" | "quot" | "apos"),
        Some(number) => match number.strip_prefix('x') {
            Some(digits) => i32::from_str_radix(digits, 16).is_ok(),
            None => number.parse::<i32>().is_ok(),
        },
    }
}

/// Checks a whole tag, from `<` to `>`.
pub(crate) fn check_tag(tag: &[u8]) -> Result<(), &'static str> {
    let inside = &tag[1..tag.len() - 1];
    if let Some(name) = inside.strip_prefix(b"/") {
        let name = &name[name_length(name)..];
        return if name.trim_ascii().is_empty() { Ok(()) } else { Err("an end tag has attributes") };
    }
    let inside = inside.strip_suffix(b"/").unwrap_or(inside);
    check_attributes(&inside[name_length(inside)..]).map(|_| ())
}

/// Checks `<?xml … ?>`.
pub(crate) fn check_declaration(declaration: &[u8]) -> Result<(), &'static str> {
    let inside = &declaration[5..declaration.len() - 2];
    let attributes = check_attributes(inside)?;
    let known = ["version", "encoding", "standalone"];
    let mut place = 0;
    for (name, value) in attributes {
        let (name, value) = (&inside[name], &inside[value]);
        let is = |known: &[&str]| known.iter().any(|known| value.eq_ignore_ascii_case(known.as_bytes()));
        match known.iter().skip(place).position(|known| known.as_bytes() == name) {
            Some(skipped) if place > 0 || skipped == 0 => place += skipped + 1,
            _ => {
                return Err("an XML declaration has other attributes than version, encoding, standalone in this order");
            }
        }
        if name == b"encoding" && !is(&ENCODINGS) || name == b"standalone" && !is(&["yes", "no"]) {
            return Err("an XML declaration has an unknown encoding or standalone value");
        }
    }
    if place == 0 { Err("an XML declaration has no version") } else { Ok(()) }
}

/// The places of an attribute's name and value.
type Attribute = (Range<usize>, Range<usize>);

fn check_attributes(text: &[u8]) -> Result<Vec<Attribute>, &'static str> {
    let mut attributes = Vec::new();
    let mut at = 0;
    loop {
        at += blanks(&text[at..]);
        if at == text.len() {
            return Ok(attributes);
        }
        let name = at..at + name_length(&text[at..]);
        at = name.end + blanks(&text[name.end..]);
        if name.is_empty() || !is_name_start(text[name.start]) {
            return Err("an attribute has no name");
        }
        if text.get(at) != Some(&b'=') {
            return Err("an attribute has no value");
        }
        at += 1 + blanks(&text[at + 1..]);
        let quote = text.get(at).filter(|byte| matches!(byte, b'"' | b'\''));
        let quote = quote.ok_or("the value of an attribute is not quoted")?;
        let length = text[at + 1..].iter().position(|byte| byte == quote);
        let value = at + 1..at + 1 + length.ok_or("the value of an attribute does not end")?;
        check_text(&text[value.clone()], true)?;
        at = value.end + 1;
        attributes.push((name, value));
    }
}

fn blanks(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':' | 0x80..)
}

fn name_length(text: &[u8]) -> usize {
    let is_name = |byte: &u8| is_name_start(*byte) || byte.is_ascii_digit() || matches!(byte, b'-' | b'.');
    text.iter().take_while(|byte| is_name(byte)).count()
}
