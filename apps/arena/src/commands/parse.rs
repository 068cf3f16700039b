//! Values of arguments.

use std::ops::RangeInclusive;
use std::str::FromStr;

use arena::ratings::Sprt;
use game::{Piece, Rules, UnknownName};
use protocol::Season;

/// Parses an even number of games and returns the number of pairs.
pub fn pairs(games: &str) -> Result<u32, String> {
    let games = games.parse().ok().filter(|games: &u32| *games > 0 && games.is_multiple_of(2));
    let expected = || format!("games come in pairs: expected an even number from 2 to {}", u32::MAX - 1);
    games.map(|games| games / 2).ok_or_else(expected)
}

pub fn rules(text: &str) -> Result<Rules, String> {
    let rules = text.parse().ok().filter(|rules: &Rules| rules.has_teams());
    rules.ok_or_else(|| "expected 2021, 2027 or classic".to_owned())
}

pub fn season(text: &str) -> Result<Season, String> {
    text.parse().map_err(|UnknownName { expected, .. }| format!("expected {expected}"))
}

pub fn piece(text: &str) -> Result<Piece, String> {
    text.parse().map_err(|_| "expected a piece, for example PENTO_W".to_owned())
}

pub fn probability(text: &str) -> Result<f64, String> {
    let probability = text.parse().ok().filter(|&rate| Sprt::is_error_rate(rate));
    probability.ok_or_else(|| "expected a number between 0 and 0.5".to_owned())
}

/// Returns both ends of `LOW..HIGH`.
pub fn ends<T: FromStr>(text: &str) -> Option<(T, T)> {
    let (low, high) = text.split_once("..")?;
    Some((low.parse().ok()?, high.parse().ok()?))
}

pub fn shares(text: &str) -> Result<RangeInclusive<f32>, String> {
    let range = ends(text).filter(|(low, high)| 0.0 <= *low && low <= high && *high <= 1.0);
    let range = range.map(|(low, high)| low..=high);
    range.ok_or_else(|| "expected LOW..HIGH between 0 and 1, for example 0.4..0.6".to_owned())
}
