//! The subcommands of `trainer`, one per file.

pub mod play;
pub mod train;

use std::collections::BTreeMap;

use anyhow::Context;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use player::mcts::Params;

/// The parameters of the player among the arguments, by name.
///
/// # Errors
/// If the player has no such parameter, or not with that value.
fn params(given: &[String]) -> anyhow::Result<BTreeMap<String, String>> {
    let mut params = BTreeMap::new();
    for text in given {
        let (name, value) = text.split_once('=').with_context(|| format!("`{text}`: expected NAME=VALUE"))?;
        Params::default().set(name, value)?;
        params.insert(name.to_owned(), value.to_owned());
    }
    Ok(params)
}

/// Parameters for the many short searches of training games. Unless requested, they use neither the opening book, which
/// gives no visits to train on, nor the convolutional network, which would take most of the time, and they stop when
/// the move is decided.
///
/// # Errors
/// As [`params`].
fn params_of_short_searches(given: &[String]) -> anyhow::Result<BTreeMap<String, String>> {
    let mut all = BTreeMap::from(
        [("book", "0"), ("policy_visits", "0"), ("early_stop", "1")]
            .map(|(name, value)| (name.to_owned(), value.to_owned())),
    );
    all.extend(params(given)?);
    Ok(all)
}

/// Creates a progress bar on stderr, if that is a terminal and `quiet` is false.
fn bar(length: u64, template: &str, quiet: bool) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if quiet {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// The command line, for the report.
fn command_line() -> String {
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    format!("trainer {}", words.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_searches_use_neither_book_nor_network() {
        let param = |name: &str, given: &str| params_of_short_searches(&[given.to_owned()]).unwrap()[name].clone();
        for (name, default, other) in [("book", "0", "1"), ("policy_visits", "0", "100"), ("early_stop", "1", "0")] {
            assert_eq!(param(name, "temperature=6"), default);
            assert_eq!(param(name, &format!("{name}={other}")), other);
        }
    }
}
