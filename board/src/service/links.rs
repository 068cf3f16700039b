//! Who may do what by which link.
//!
//! A link is 128 random bits in hexadecimal. Nobody can guess one, so who has it was given it.

use std::fmt::Write;

use game::{Color, ColorSet};
use rand::Rng;

use crate::session::By;

/// A new secret.
pub(super) fn secret() -> String {
    let mut bytes = [0; 16];
    rand::rng().fill_bytes(&mut bytes);
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// What a link is for, as the database keeps it: the reverse of [`role_name`](crate::talk::role_name).
pub(super) fn role(name: &str) -> Option<By> {
    match name {
        "host" => Some(By::Host),
        "watch" => Some(By::Watcher),
        _ => name.chars().map(Color::from_letter).collect::<Option<ColorSet>>().map(By::Guest),
    }
}

/// The links of a new game: the host's, one for every colour, and that of the watchers.
pub(super) fn new_links() -> Vec<(String, By)> {
    let guests = Color::ALL.map(|color| By::Guest([color].into_iter().collect()));
    [By::Host].into_iter().chain(guests).chain([By::Watcher]).map(|by| (secret(), by)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::talk::role_name;

    #[test]
    fn roles_are_read_as_they_are_written() {
        let links = new_links();
        assert_eq!(links.len(), 6);
        for (token, by) in &links {
            assert_eq!(role(&role_name(*by)), Some(*by));
            assert_eq!(token.len(), 32);
        }
        assert_eq!(role("owner"), None);
        let mut tokens: Vec<&String> = links.iter().map(|(token, _)| token).collect();
        tokens.dedup();
        assert_eq!(tokens.len(), 6);
    }
}
