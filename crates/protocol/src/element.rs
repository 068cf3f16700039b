//! XML elements as small trees, and how the official server prints them.

use std::fmt::{Display, Write};

use game::excerpt;
use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::reader::Reader;
use thiserror::Error;

/// An XML element with its attributes, children and text.
///
/// Messages are at most a few kilobytes, so that a tree costs nothing and makes the order of attributes and children
/// irrelevant. Elements of the protocol have either children or text; spaces between children are not text.
///
/// ```
/// use protocol::Element;
///
/// let element = Element::new("piece").with("kind", "MONO").with_child(Element::new("color").with_text("RED"));
/// assert_eq!((element.field("kind"), element.field("color")), (Some("MONO"), Some("RED")));
/// assert_eq!(Element::parse(&element.to_xml(0))?, element);
/// # Ok::<(), protocol::XmlError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Element {
    name: String,
    attributes: Vec<(String, String)>,
    children: Vec<Element>,
    text: String,
}

/// Text that is not an XML element.
///
/// ```
/// let error = protocol::Element::parse("<a></b>").unwrap_err();
/// assert_eq!(error.text, "<a></b>");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("malformed XML ({reason}) in `{text}`")]
#[non_exhaustive]
pub struct XmlError {
    /// The problem of the element.
    pub reason: String,
    /// The beginning of the text.
    pub text: String,
}

impl Element {
    /// Creates an element without attributes and content.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Returns the element with one more attribute.
    pub fn with(mut self, name: &str, value: impl Display) -> Self {
        self.attributes.push((name.to_owned(), value.to_string()));
        self
    }

    /// Returns the element with one more attribute if there is a value.
    pub fn with_optional(self, name: &str, value: Option<impl Display>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// Returns the element with one more child.
    pub fn with_child(mut self, child: Element) -> Self {
        self.children.push(child);
        self
    }

    /// Returns the element with more children.
    pub fn with_children(mut self, children: impl IntoIterator<Item = Element>) -> Self {
        self.children.extend(children);
        self
    }

    /// Returns the element with text.
    pub fn with_text(mut self, text: impl Display) -> Self {
        self.text = text.to_string();
        self
    }

    /// Returns the element under another name with `class` as its first attribute. The server repeats requests in this
    /// form inside errors.
    #[doc(hidden)]
    pub fn quoted_as(mut self, name: &str, class: &str) -> Self {
        self.attributes.retain(|(name, _)| name != "class");
        self.attributes.insert(0, ("class".to_owned(), class.to_owned()));
        Self { name: name.to_owned(), ..self }
    }

    /// Returns the element with only the attributes for which `is_kept` returns `true`.
    #[doc(hidden)]
    pub fn keeping(mut self, is_kept: impl Fn(&str) -> bool) -> Self {
        self.attributes.retain(|(name, _)| is_kept(name));
        self
    }

    /// Returns the name of the tag.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Names and values of all attributes in order.
    pub(crate) fn attributes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.attributes.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Returns all children in order.
    pub fn children(&self) -> &[Element] {
        &self.children
    }

    /// Returns the first child of a name.
    pub fn find(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }

    /// Returns all children of a name in order.
    pub fn find_all(&self, name: &str) -> impl Iterator<Item = &Element> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// Returns the text between the tags.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the value of a field, which may be an attribute or a child with text.
    pub fn field(&self, name: &str) -> Option<&str> {
        self.attribute(name).or_else(|| self.find(name).map(Element::text))
    }

    /// Reads one element. Character references and the five entities of XML are replaced; other entities stay as they
    /// are written, so that nothing can expand.
    ///
    /// # Errors
    /// [`XmlError`] if the text does not start with a well-formed element.
    pub fn parse(text: &str) -> Result<Self, XmlError> {
        // The reason, too, may repeat any amount of any text.
        let error = |reason: String| XmlError { reason: excerpt(reason), text: excerpt(text) };
        let mut reader = Reader::from_str(text);
        let mut open: Vec<Self> = Vec::new();
        loop {
            let event = reader.read_event().map_err(|source| error(source.to_string()))?;
            let complete = match event {
                Event::Start(tag) => {
                    open.push(Self::of_tag(&tag).map_err(error)?);
                    continue;
                }
                Event::Empty(tag) => Self::of_tag(&tag).map_err(error)?,
                Event::End(_) => open.pop().ok_or_else(|| error("end tag without start tag".to_owned()))?,
                Event::Eof => return Err(error("the element does not end".to_owned())),
                other => {
                    // Text counts up to the first child, as for the official server.
                    if let Some(parent) = open.last_mut().filter(|parent| parent.children.is_empty()) {
                        parent.append(&other);
                    }
                    continue;
                }
            };
            match open.last_mut() {
                Some(parent) => parent.children.push(complete.without_blanks()),
                None => return Ok(complete.without_blanks()),
            }
        }
    }

    /// Returns the element as the official server prints it: a line feed and two spaces per level *before*
    /// each element, nothing after the last. Messages inside `<protocol>` have level 1.
    pub fn to_xml(&self, level: usize) -> String {
        let mut xml = String::new();
        self.write(&mut xml, level);
        xml
    }

    fn write(&self, xml: &mut String, level: usize) {
        let (name, indent) = (&self.name, 2 * level);
        _ = write!(xml, "\n{:indent$}<{name}", "");
        for (name, value) in &self.attributes {
            _ = write!(xml, " {name}=\"");
            escape(value, true, xml);
            xml.push('"');
        }
        if self.children.is_empty() && self.text.is_empty() {
            return xml.push_str("/>");
        }
        xml.push('>');
        escape(&self.text, false, xml);
        for child in &self.children {
            child.write(xml, level + 1);
        }
        if !self.children.is_empty() {
            _ = write!(xml, "\n{:indent$}", "");
        }
        _ = write!(xml, "</{name}>");
    }

    fn of_tag(tag: &BytesStart) -> Result<Self, String> {
        let mut element = Self::new(tag.name().into_inner());
        // The official server reads attributes of the same name without complaint.
        for attribute in tag.attributes().with_checks(false) {
            let attribute = attribute.map_err(|source| source.to_string())?;
            let value = attribute.normalized_value(XmlVersion::default());
            let value = value.map_or_else(|_| attribute.value.to_string(), |value| value.into_owned());
            element = element.with(attribute.key.into_inner(), value);
        }
        Ok(element)
    }

    fn append(&mut self, event: &Event) {
        match event {
            Event::Text(text) => self.text += &text.xml10_content(),
            Event::CData(text) => self.text += &text.xml10_content(),
            Event::GeneralRef(reference) => self.append_reference(reference),
            _ => {}
        }
    }

    fn append_reference(&mut self, reference: &BytesRef) {
        let name = reference.xml10_content();
        match (reference.resolve_char_ref(), resolve_predefined_entity(&name)) {
            (Ok(Some(character)), _) => self.text.push(character),
            (_, Some(replacement)) => self.text += replacement,
            _ => self.text += &format!("&{name};"),
        }
    }

    fn without_blanks(mut self) -> Self {
        if !self.children.is_empty() && self.text.trim().is_empty() {
            self.text.clear();
        }
        self
    }
}

/// Appends a text with its special characters escaped.
fn escape(text: &str, in_attribute: bool, xml: &mut String) {
    for character in text.chars() {
        match character {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '"' => xml.push_str("&quot;"),
            '\'' => xml.push_str("&apos;"),
            // XML has no way to write it.
            '\0' => xml.push(char::REPLACEMENT_CHARACTER),
            '\n' | '\t' if !in_attribute => xml.push(character),
            control if control.is_control() => _ = write!(xml, "&#x{:x};", control as u32),
            other => xml.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_element_round_trips() {
        let element = Element::new("a")
            .with("name", "Ünï & <Co> \"q\"\n\t'")
            .with_child(Element::new("b").with_text("x < y & z\r\n"))
            .with_child(Element::new("c"));
        let xml = element.to_xml(1);
        assert_eq!(
            xml,
            "\n  <a name=\"Ünï &amp; &lt;Co&gt; &quot;q&quot;&#xa;&#x9;&apos;\">\n    <b>x &lt; y &amp; z&#xd;\n</b>\n    <c/>\n  </a>"
        );
        assert_eq!(Element::parse(&xml).unwrap(), element);
    }

    #[test]
    fn errors_are_one_short_line() {
        for text in ["<a></a\nb>".to_owned(), format!("<a></{}>", "b".repeat(1000))] {
            let error = Element::parse(&text).unwrap_err().to_string();
            assert!(!error.contains(char::is_control) && error.chars().count() < 400, "{error}");
        }
    }

    #[test]
    fn null_characters_are_replaced() {
        assert_eq!(Element::new("a").with("b", "\0").with_text("\0").to_xml(0), "\n<a b=\"\u{fffd}\">\u{fffd}</a>");
    }

    #[test]
    fn accepts_variants_of_xml() {
        let text = "<a y = '2'\r\n x=\"1\"  ><!-- <b> --><?pi <b> ?><c><![CDATA[<&>]]>&#65;&#x42;&lt;</c\n></a>";
        let element = Element::parse(text).unwrap();
        assert_eq!(
            (element.field("x"), element.field("y"), element.field("c")),
            (Some("1"), Some("2"), Some("<&>AB<"))
        );
        assert_eq!(element.field("d"), None);
    }

    #[test]
    fn text_ends_at_the_first_child() {
        let element = Element::parse("<a b='1' b='2'>BLUE<c/>RED</a>").unwrap();
        assert_eq!((element.text(), element.attribute("b")), ("BLUE", Some("1")));
    }

    #[test]
    fn unknown_entities_stay_as_they_are() {
        let element = Element::parse("<a b='&bomb;'>&bomb;&#xFFFFFFFF;</a>").unwrap();
        assert_eq!((element.attribute("b"), element.text()), (Some("&bomb;"), "&bomb;&#xFFFFFFFF;"));
    }

    #[test]
    fn rejects_malformed_xml() {
        for text in ["", "a", "<a>", "<a></b>", "<a b></a>", "<a b=1/>", "</a>", "<a><b></a>"] {
            assert!(Element::parse(text).is_err(), "{text}");
        }
    }
}
