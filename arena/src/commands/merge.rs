//! `arena merge`

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::ensure;
use arena::store::{Merged, Store};
use game::printable;

use super::{DATABASE, counted, existing_store};

#[derive(clap::Args)]
pub struct MergeArguments {
    /// The databases whose matches are added; they keep them.
    #[arg(value_name = "OTHER", required = true)]
    others: Vec<PathBuf>,
    /// The database.
    #[arg(short, long, value_name = "FILE", default_value = DATABASE)]
    database: PathBuf,
}

/// A match that is there already, because one database is a copy of the other, gets the games that
/// it lacks.
pub fn run(arguments: &MergeArguments, out: &mut impl Write) -> anyhow::Result<()> {
    for other in &arguments.others {
        existing_store(other)?;
        ensure!(!is_same(other, &arguments.database), "{} cannot be merged with itself", other.display());
    }
    let mut store = Store::open(&arguments.database)?;
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
    Ok(())
}

/// Whether two paths lead to the same file.
fn is_same(one: &Path, two: &Path) -> bool {
    matches!((one.canonicalize(), two.canonicalize()), (Ok(one), Ok(two)) if one == two)
}
