//! Texts for people.

use std::fmt::Display;

/// Formats a number with its noun in singular or plural.
pub fn counted<N: Display + From<u8> + PartialEq>(number: N, thing: &str) -> String {
    let ending = if number == N::from(1) { "" } else { "s" };
    format!("{number} {thing}{ending}")
}
