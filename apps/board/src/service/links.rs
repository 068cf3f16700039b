//! Keys, and the tokens of links.
//!
//! A key grants creating and listing games; a token grants viewing one game and playing a role in it. Both are 128
//! random bits in hexadecimal. The tokens of a game follow from its host's token, so that only hashes need to be
//! stored.

use arena::files::sha256;
use game::{Color, ColorSet};
use serde::Serialize;

use crate::session::By;

/// The role of the host, as stored.
pub(super) const HOST: &str = "host";

/// The roles of the links that a host can hand out: each colour, both colours of a team, watchers.
const GUESTS: [&str; 7] = ["B", "Y", "R", "G", "BR", "YG", "watch"];

/// A link to a game.
#[derive(Clone, Serialize)]
pub(crate) struct GameLink {
    /// `host`, `watch` or the letters of colours.
    pub role: String,
    pub token: String,
}

/// Creates a key or a token.
pub(super) fn secret() -> String {
    format!("{:032x}", rand::random::<u128>())
}

/// Returns the hash of a text, as stored.
pub(super) fn hash(text: &str) -> String {
    sha256(text)
}

/// Derives a token from a secret.
pub(super) fn derive(secret: &str, name: &str) -> String {
    hash(&format!("{secret}:{name}"))[..32].to_owned()
}

/// Returns all links of a game, the host's first.
pub(super) fn of_host(host: &str) -> Vec<GameLink> {
    let guests = GUESTS.into_iter().map(|role| GameLink { role: role.to_owned(), token: derive(host, role) });
    std::iter::once(GameLink { role: HOST.to_owned(), token: host.to_owned() }).chain(guests).collect()
}

/// Reads a role. The reverse of [`role_name`](crate::messages::role_name).
pub(super) fn read_role(name: &str) -> Option<By> {
    match name {
        HOST => Some(By::Host),
        "watch" => Some(By::Watcher),
        _ => name.chars().map(Color::from_letter).collect::<Option<ColorSet>>().map(By::Guest),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::messages::role_name;

    #[test]
    fn links_have_distinct_tokens_and_known_roles() {
        let links = of_host(&secret());
        for GameLink { role, token } in &links {
            assert_eq!(role_name(read_role(role).unwrap()), *role);
            assert_eq!(token.len(), 32);
        }
        let tokens: BTreeSet<_> = links.iter().map(|link| &link.token).collect();
        assert_eq!(tokens.len(), 8);
        assert_eq!(read_role("owner"), None);
        assert_eq!(hash("abc")[..8], *"ba7816bf");
    }
}
