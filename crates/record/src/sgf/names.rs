//! The properties by name.

use crate::note::Property;

/// Properties of the root that are understood.
const OF_ROOT: &[&str] = &["GM", "CA", "RU", "BP", "PB", "PW", "GN", "RE", "FAULT"];

/// Properties of every node that are understood, old names of moves included.
const OF_NODE: &[&str] = &["1", "2", "3", "4", "BLUE", "YELLOW", "RED", "GREEN", "PASS", "C", "ENG"];

/// Properties by which pieces are set up.
pub(super) const SETUP: &[&str] = &["A1", "A2", "A3", "A4", "AE", "AB", "AW", "PL"];

/// Whether a property of this name may be among those that mean nothing here.
pub(crate) fn is_foreign(id: &str, at_start: bool) -> bool {
    let known = OF_NODE.contains(&id) || SETUP.contains(&id) || at_start && OF_ROOT.contains(&id);
    !known && !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// The value of a property that has one.
pub(super) fn value<'a>(properties: &'a [Property], id: &str) -> Option<&'a str> {
    let property = properties.iter().find(|property| property.id == id)?;
    property.values.first().map(String::as_str)
}
