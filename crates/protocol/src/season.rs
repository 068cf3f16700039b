//! Differences between the seasons on the wire.

use std::fmt;
use std::str::FromStr;

use game::{Rules, UnknownName};

use crate::element::Element;

/// A season of the Software-Challenge that played Blokus.
///
/// ```
/// use protocol::Season;
///
/// assert_eq!("2021".parse(), Ok(Season::Season2021));
/// assert_eq!(Season::Season2027.game_type(), "swc_2027_blokus");
/// assert_eq!(Season::from_rules(Season::Season2027.rules()), Some(Season::Season2027));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Season {
    /// 2020/21.
    Season2021,
    /// 2026/27.
    #[default]
    Season2027,
}

impl Season {
    /// Both seasons.
    pub const ALL: &[Self] = &[Self::Season2021, Self::Season2027];

    const fn pick<T: Copy>(self, of_2021: T, of_2027: T) -> T {
        match self {
            Self::Season2021 => of_2021,
            Self::Season2027 => of_2027,
        }
    }

    /// Returns the rules of the game.
    pub const fn rules(self) -> Rules {
        self.pick(Rules::Season2021, Rules::Season2027)
    }

    /// Returns the season with these rules, if there is one.
    pub fn from_rules(rules: Rules) -> Option<Self> {
        Self::ALL.iter().copied().find(|season| season.rules() == rules)
    }

    /// Returns `2021` or `2027`.
    pub const fn name(self) -> &'static str {
        self.rules().name()
    }

    /// Returns the server's identifier of the game.
    pub const fn game_type(self) -> &'static str {
        self.pick("swc_2021_blokus", "swc_2027_blokus")
    }

    /// Class of a move that places a piece. The server insists on the full name.
    pub(crate) const fn set_move_class(self) -> &'static str {
        self.pick("sc.plugin2021.SetMove", "sc.plugin2027.SetMove")
    }

    /// Class of a move that passes.
    pub(crate) const fn skip_move_class(self) -> &'static str {
        self.pick("sc.plugin2021.SkipMove", "sc.plugin2027.SkipMove")
    }

    /// Class of the data that asks a player for a move.
    #[doc(hidden)]
    pub const fn move_request_class(self) -> &'static str {
        self.pick("sc.framework.plugins.protocol.MoveRequest", "moveRequest")
    }

    /// Returns the name of the element that ends a session. In season 2021 the server sends it too.
    #[doc(hidden)]
    pub const fn close_element(self) -> &'static str {
        self.pick("sc.protocol.responses.CloseConnection", "close")
    }

    /// Returns the name of the element that refuses a request outside of games.
    pub(crate) const fn error_element(self) -> &'static str {
        self.pick("error", "errorpacket")
    }

    /// Returns the name of the child of a game's error that repeats the move.
    #[doc(hidden)]
    pub const fn original_move_element(self) -> &'static str {
        self.pick("originalRequest", "originalMessage")
    }

    /// Names of the two columns of a result.
    pub(crate) const fn score_fragments(self) -> [&'static str; 2] {
        self.pick(["Gewinner", "∅ Punkte"], ["Siegpunkte", "Punkte"])
    }

    /// Returns the season of a server's message, if the message reveals it.
    pub fn from_message(message: &Element) -> Option<Self> {
        let by_name =
            |name: fn(Self) -> &'static str, text| Self::ALL.iter().copied().find(|&season| name(season) == text);
        let Some(data) = message.find("data") else {
            return by_name(Self::error_element, message.name()).or(by_name(Self::close_element, message.name()));
        };
        let (in_2021, in_2027) = match data.attribute("class")? {
            "memento" => {
                let state = data.find("state")?;
                (state.find("startTeam").is_some(), state.attribute("startTeam").is_some())
            }
            "result" => (data.find("score").is_some(), data.find("scores").is_some()),
            class => return by_name(Self::move_request_class, class),
        };
        match (in_2021, in_2027) {
            (true, false) => Some(Self::Season2021),
            (false, true) => Some(Self::Season2027),
            _ => None,
        }
    }
}

impl fmt::Display for Season {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Parses a [`name`](Season::name).
impl FromStr for Season {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let season = Self::ALL.iter().copied().find(|season| season.name() == text);
        season.ok_or_else(|| UnknownName::new("season", text, "2021 or 2027"))
    }
}
