//! Parses the values of options.

use std::fmt::Display;
use std::ops::{Bound, RangeBounds};
use std::str::FromStr;

/// Returns a parser of whole numbers within a range.
///
/// ```
/// assert_eq!(cli::number(1..=9)("7"), Ok(7));
/// assert_eq!(cli::number(1..=9)("x").unwrap_err(), "expected a whole number from 1 to 9");
/// assert_eq!(cli::number(1..)("0").unwrap_err(), "expected a whole number from 1");
/// ```
pub fn number<T: FromStr + PartialOrd + Display>(
    range: impl RangeBounds<T> + Clone,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            let bound = |word, bound: Bound<&T>| match bound {
                Bound::Included(number) => format!(" {word} {number}"),
                _ => String::new(),
            };
            format!("expected a whole number{}{}", bound("from", range.start_bound()), bound("to", range.end_bound()))
        })
    }
}
