//! `arena merge`

use std::io::Write;
use std::path::PathBuf;

use anyhow::ensure;
use arena::store::{Merged, Store};
use game::printable;

use super::{DATABASE, existing_store};

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
        ensure!(other != &arguments.database, "{} cannot be merged with itself", other.display());
        existing_store(other)?;
    }
    let mut store = Store::open(&arguments.database)?;
    for other in &arguments.others {
        for Merged { from, to, games } in store.merge(other)? {
            writeln!(
                out,
                "match {from} of {} is match {to}: {games} games added",
                printable(&other.to_string_lossy())
            )?;
        }
    }
    Ok(())
}
