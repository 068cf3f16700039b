//! Values of arguments.

use game::{Piece, Rules};
use protocol::Season;

pub fn rules(text: &str) -> Result<Rules, String> {
    Rules::from_name(text).ok_or_else(|| "expected 2021, 2027 or classic".to_owned())
}

pub fn season(text: &str) -> Result<Season, String> {
    Season::from_name(text).ok_or_else(|| "expected 2021 or 2027".to_owned())
}

pub fn piece(text: &str) -> Result<Piece, String> {
    Piece::from_name(text).ok_or_else(|| "expected a piece, for example PENTO_W".to_owned())
}

pub fn probability(text: &str) -> Result<f64, String> {
    let probability = text.parse().ok().filter(|p| 0.0 < *p && *p < 0.5);
    probability.ok_or_else(|| "expected a number between 0 and 0.5".to_owned())
}
