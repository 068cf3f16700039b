//! The format of a plan in a file, with the checks of single values.

use std::fmt;
use std::num::{NonZeroU32, NonZeroU64};

use game::{Piece, Rules};
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use toml::Spanned;

use super::Plan;
use crate::ratings::Sprt;

/// The file, as it is written.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct PlanFile {
    #[serde(deserialize_with = "even")]
    pub(super) games: u32,
    pub(super) time: Option<NonZeroU64>,
    pub(super) nodes: Option<NonZeroU64>,
    #[serde(deserialize_with = "of_teams")]
    pub(super) rules: Rules,
    pub(super) opening: Spanned<String>,
    pub(super) start: Option<Piece>,
    pub(super) timeout: Option<NonZeroU64>,
    pub(super) seed: u64,
    pub(super) swiss_rounds: Option<Spanned<NonZeroU32>>,
    pub(super) sprt: Option<Spanned<Sprt>>,
    #[serde(deserialize_with = "sections")]
    pub(super) contestant: Vec<ContestantFile>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ContestantFile {
    pub(super) name: Option<Spanned<String>>,
    pub(super) player: Spanned<String>,
    pub(super) program: Option<String>,
    pub(super) time: Option<NonZeroU64>,
    pub(super) nodes: Option<NonZeroU64>,
}

impl Default for PlanFile {
    fn default() -> Self {
        Self::from(&Plan::new(Vec::new()))
    }
}

/// Returns a value that is not from a file.
pub(super) fn unplaced<T>(value: T) -> Spanned<T> {
    Spanned::new(0..0, value)
}

fn even<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    const REASON: &str = "games come in pairs with the sides swapped: expected an even number, at least 2";
    let games = u32::deserialize(deserializer)?;
    if games == 0 || games % 2 == 1 { Err(D::Error::custom(REASON)) } else { Ok(games) }
}

fn of_teams<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rules, D::Error> {
    let rules = Rules::deserialize(deserializer).ok().filter(|rules| rules.has_teams());
    rules.ok_or_else(|| D::Error::custom("expected 2021, 2027 or classic"))
}

fn sections<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<ContestantFile>, D::Error> {
    const SECTIONS: &str = "sections that begin with `[[contestant]]`, in double brackets";

    struct Sections;

    impl<'de> Visitor<'de> for Sections {
        type Value = Vec<ContestantFile>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(SECTIONS)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, sections: A) -> Result<Self::Value, A::Error> {
            Vec::deserialize(SeqAccessDeserializer::new(sections))
        }

        fn visit_map<A: MapAccess<'de>>(self, _: A) -> Result<Self::Value, A::Error> {
            Err(A::Error::custom(format_args!("expected {SECTIONS}")))
        }
    }

    deserializer.deserialize_any(Sections)
}
