//! Identifiers of rooms and reservations, which differ between servers.

use std::collections::{BTreeSet, HashMap};

/// The identifiers of rooms and reservations: the recorded ones and ours.
#[derive(Clone, Debug, Default)]
pub struct Ids(pub(super) HashMap<String, String>);

impl Ids {
    /// Compares our text with the recorded one: returns the number of equal bytes, and whether ours continues.
    pub fn follow(&mut self, recorded: &str, ours: &str) -> Followed {
        let (mut expected, mut got) = (recorded, ours);
        loop {
            let at = recorded.len() - expected.len();
            let (Some(one), Some(other)) = (expected.chars().next(), got.chars().next()) else {
                return if got.is_empty() { Followed::All(at) } else { Followed::Surplus(at) };
            };
            match (id_at(expected), id_at(got)) {
                (Some(recorded_id), Some(our_id)) => {
                    if self.0.entry(recorded_id.to_owned()).or_insert_with(|| our_id.to_owned()) != our_id {
                        return Followed::Differs(at);
                    }
                    (expected, got) = (&expected[ID..], &got[ID..]);
                }
                // Half of an identifier has arrived.
                (Some(_), None) if got.len() < ID => return Followed::All(at),
                (None, None) if one == other => {
                    (expected, got) = (&expected[one.len_utf8()..], &got[one.len_utf8()..]);
                }
                _ => return Followed::Differs(at),
            }
        }
    }

    /// A recorded message with our identifiers; `None` if one of `known` is not known yet.
    pub(super) fn translate(&self, message: &[u8], known: &BTreeSet<String>) -> Option<Vec<u8>> {
        let text = String::from_utf8_lossy(message);
        let mut translated = text.clone().into_owned();
        for id in ids(&text) {
            match self.0.get(&id) {
                Some(ours) => translated = translated.replace(&id, ours),
                None if known.contains(&id) => return None,
                None => {}
            }
        }
        // Binary data contains no identifiers.
        Some(if translated == text { message.to_vec() } else { translated.into_bytes() })
    }
}

/// Result of a comparison with the number of equal bytes of the recording.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Followed {
    /// All of it is recorded.
    All(usize),
    /// Our text continues after the end of the recording.
    Surplus(usize),
    /// It differs.
    Differs(usize),
}

/// Length of an identifier.
pub(super) const ID: usize = 36;

pub(super) fn id_at(text: &str) -> Option<&str> {
    let is_right = |(at, byte): (usize, u8)| match at {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    };
    text.get(..ID).filter(|id| id.bytes().enumerate().all(is_right))
}

pub(super) fn ids(text: &str) -> Vec<String> {
    text.char_indices().filter_map(|(at, _)| id_at(&text[at..])).map(str::to_owned).collect()
}
