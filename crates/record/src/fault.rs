//! Faults that end games early.

use std::fmt;
use std::str::FromStr;

use game::UnknownName;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The kind of a fault.
///
/// ```
/// use record::FaultKind;
///
/// assert_eq!(FaultKind::Late.name().parse(), Ok(FaultKind::Late));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// An illegal move, or an unreadable answer.
    Illegal,
    /// A late answer, or none.
    Late,
    /// The end of the player or its connection.
    Left,
    /// Resignation.
    Resigned,
}

impl FaultKind {
    /// All kinds.
    pub const ALL: &[Self] = &[Self::Illegal, Self::Late, Self::Left, Self::Resigned];

    /// Returns the name of the kind.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Illegal => "illegal",
            Self::Late => "late",
            Self::Left => "left",
            Self::Resigned => "resigned",
        }
    }
}

impl FromStr for FaultKind {
    type Err = UnknownName;

    /// Parses a [`name`](Self::name).
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let kind = Self::ALL.iter().copied().find(|kind| kind.name() == text);
        kind.ok_or_else(|| UnknownName::new("fault", text, "illegal, late, left or resigned"))
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The reason why a player lost before the end of the game.
///
/// ```
/// use record::{Fault, FaultKind};
///
/// assert_eq!(Fault::new(FaultKind::Late, "after 3 s").to_string(), "late: after 3 s");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{kind}: {detail}")]
pub struct Fault {
    /// The kind.
    pub kind: FaultKind,
    /// The details.
    pub detail: String,
}

impl Fault {
    /// Creates a fault.
    pub fn new(kind: FaultKind, detail: impl Into<String>) -> Self {
        Self { kind, detail: detail.into() }
    }
}
