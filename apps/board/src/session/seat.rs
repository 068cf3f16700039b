//! Who plays a colour.

use game::{ByColor, Color};
use player::Level;
use serde::{Deserialize, Serialize};

use super::words;

/// Who plays a colour.
///
/// ```
/// use board::session::Seat;
/// use player::Level;
///
/// let seat: Seat = serde_json::from_str(r#"{"kind":"level","level":3}"#)?;
/// assert_eq!(seat, Seat::Level { level: Level::new(3).expect("there are nine") });
/// assert!(serde_json::from_str::<Seat>(r#"{"kind":"level","level":10}"#).is_err());
/// assert_eq!(serde_json::to_string(&Seat::Person)?, r#"{"kind":"person"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Seat {
    /// Whoever sits at the host's screen.
    #[default]
    Person,
    /// A person elsewhere, who has the link of this seat.
    Guest,
    /// Our player.
    Level {
        /// How strong.
        #[serde(with = "words::level")]
        level: Level,
    },
    /// A program of others: an engine with the Go Text Protocol or a client of the contest.
    Program {
        /// The name under which the service knows it.
        name: String,
    },
}

impl Seat {
    /// Whether a program plays here.
    pub fn is_engine(&self) -> bool {
        !matches!(self, Self::Person | Self::Guest)
    }
}

/// The seats of all colours.
pub type Seats = ByColor<Seat>;

/// Seats as a list, blue first.
pub(super) fn list(seats: &Seats) -> [Seat; 4] {
    Color::ALL.map(|color| seats[color].clone())
}
