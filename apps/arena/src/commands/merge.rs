//! `arena merge`

use std::collections::{BTreeSet, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::ensure;
use arena::database::{Merged, Store};
use arena::plan::{Missing, missing};
use game::printable;

use super::{DatabaseArgument, counted, ensure_exists};

#[derive(clap::Args)]
pub struct MergeArguments {
    /// Databases to merge into this one
    #[arg(value_name = "OTHER", required = true)]
    others: Vec<PathBuf>,
    #[command(flatten)]
    database: DatabaseArgument,
}

/// Merges databases. A match in both (one is a copy of the other, or both are parts of a plan) gets the missing games.
pub fn run(arguments: &MergeArguments, out: &mut impl Write) -> anyhow::Result<()> {
    for other in &arguments.others {
        ensure_exists(other)?;
        ensure!(!is_same(other, &arguments.database.path), "{} cannot be merged with itself", other.display());
    }
    let mut store = Store::open(&arguments.database.path)?;
    for other in &arguments.others {
        let merged = store.merge(other)?;
        if merged.is_empty() {
            writeln!(out, "{} has no matches", printable(&other.to_string_lossy()))?;
        }
        for Merged { from, to, games } in merged {
            writeln!(
                out,
                "match {from} of {} is match {to}: {} added",
                printable(&other.to_string_lossy()),
                counted(games, "game")
            )?;
        }
    }
    write_missing(&store, out)
}

/// Prints the missing parts of plans.
///
/// # Errors
/// If anything is missing.
fn write_missing(store: &Store, out: &mut impl Write) -> anyhow::Result<()> {
    let mut unfinished = 0;
    for run in store.runs()? {
        let Some(parts) = run.parts else { continue };
        let ids: BTreeSet<i64> = run.matches.iter().map(|&(_, id)| id).collect();
        let ids: Vec<String> = ids.iter().map(i64::to_string).collect();
        let matches = if ids.len() == 1 { "match" } else { "matches" };
        let mut finished = HashSet::new();
        for &(number, id) in &run.matches {
            finished.extend(store.game_ids(id)?.into_iter().map(|game| (number, game)));
        }
        let missing = missing(&run.plan, parts, &finished)?;
        for Missing { part, pairs, of } in &missing {
            let what = if pairs == of {
                "is missing".to_owned()
            } else {
                format!("lacks {pairs} of its {}", counted(*of, "pair"))
            };
            writeln!(out, "part {part} of {matches} {} {what}", ids.join(", "))?;
        }
        unfinished += missing.len() as u64;
        if missing.is_empty() {
            writeln!(out, "all {parts} parts of {matches} {} are complete", ids.join(", "))?;
        }
    }
    ensure!(unfinished == 0, "{} missing or not finished", counted(unfinished, "part"));
    Ok(())
}

/// Returns `true` if two paths lead to the same file.
fn is_same(one: &Path, two: &Path) -> bool {
    matches!((one.canonicalize(), two.canonicalize()), (Ok(one), Ok(two)) if one == two)
}
