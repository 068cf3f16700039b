//! The names of properties.

use crate::note::Property;

/// Known properties of the root.
const OF_ROOT: &[&str] = &["GM", "CA", "RU", "BP", "PB", "PW", "GN", "RE", "FAULT"];

/// Known properties of all nodes, including old names of moves.
const OF_NODE: &[&str] = &["1", "2", "3", "4", "BLUE", "YELLOW", "RED", "GREEN", "PASS", "C", "ENG"];

/// Setup properties.
pub(super) const SETUP: &[&str] = &["A1", "A2", "A3", "A4", "AE", "AB", "AW", "PL"];

/// Returns `true` if a property with this name has no meaning here.
pub(crate) fn is_foreign(id: &str, at_start: bool) -> bool {
    let known = OF_NODE.contains(&id) || SETUP.contains(&id) || at_start && OF_ROOT.contains(&id);
    !known && !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// The first value of a property.
pub(super) fn value<'a>(properties: &'a [Property], id: &str) -> Option<&'a str> {
    let property = properties.iter().find(|property| property.id == id)?;
    property.values.first().map(String::as_str)
}
