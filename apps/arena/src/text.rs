//! Texts for people.

use std::fmt::Display;

/// Formats a number with its noun in singular or plural.
///
/// ```
/// assert_eq!([0, 1, 2].map(|n| arena::text::counted(n, "pair")), ["0 pairs", "1 pair", "2 pairs"]);
/// ```
pub fn counted<N: Display + From<u8> + PartialEq>(number: N, thing: &str) -> String {
    let ending = if number == N::from(1) { "" } else { "s" };
    format!("{number} {thing}{ending}")
}
