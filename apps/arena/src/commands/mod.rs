//! The subcommands of `arena`, one per file.

use std::fmt::Display;
use std::path::Path;

use anyhow::ensure;
use arena::database::Store;

pub mod book;
mod cluster;
pub mod delete;
pub mod export;
pub mod import;
pub mod league;
pub mod list;
pub mod matches;
pub mod merge;
pub mod openings;
pub mod parse;
mod playing;
mod progress;
pub mod report;
pub mod run;
pub mod serve;
pub mod show;
pub mod suite;
mod summary;
mod table;
pub mod tune;

/// The database in the current folder that keeps all games unless another one is named.
pub const DATABASE: &str = "arena.sqlite";

/// Formats a number with its noun in singular or plural.
fn counted<N: Display + From<u8> + PartialEq>(number: N, thing: &str) -> String {
    let ending = if number == N::from(1) { "" } else { "s" };
    format!("{number} {thing}{ending}")
}

/// Formats a note about a number; empty for 0.
fn noted(number: u64, note: impl FnOnce(u64) -> String) -> String {
    if number > 0 { note(number) } else { String::new() }
}

/// Opens an existing database.
fn existing_store(path: &Path) -> anyhow::Result<Store> {
    ensure!(path.exists(), "there is no database {}", path.display());
    Ok(Store::open(path)?)
}
