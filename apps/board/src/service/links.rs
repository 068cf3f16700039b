//! Who may do what by which link.
//!
//! A link is 128 random bits in hexadecimal. Nobody can guess one, so who has it was given it.

use std::fmt::Write;

use game::{Color, ColorSet, Team};
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

/// The links of a new game: the host's, one for every colour, one for both colours of a team, and that of the watchers.
pub(super) fn new_links() -> Vec<(String, By)> {
    let colors = Color::ALL.map(|color| By::Guest([color].into_iter().collect()));
    let of_team = |team| Color::ALL.into_iter().filter(|color| color.team() == team).collect();
    let teams = Team::ALL.map(|team| By::Guest(of_team(team)));
    [By::Host].into_iter().chain(colors).chain(teams).chain([By::Watcher]).map(|by| (secret(), by)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::talk::role_name;

    #[test]
    fn roles_are_read_as_they_are_written() {
        let links = new_links();
        assert_eq!(links.len(), 8);
        for (token, by) in &links {
            assert_eq!(role(&role_name(*by)), Some(*by));
            assert_eq!(token.len(), 32);
        }
        let names = links.iter().map(|(_, by)| role_name(*by));
        assert!(names.eq(["host", "B", "Y", "R", "G", "BR", "YG", "watch"]));
        assert_eq!(role("owner"), None);
        let tokens: BTreeSet<&String> = links.iter().map(|(token, _)| token).collect();
        assert_eq!(tokens.len(), 8, "two links are the same");
    }
}
