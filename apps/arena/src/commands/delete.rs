//! `arena delete`

use std::collections::BTreeSet;
use std::io::Write;

use super::{DatabaseArgument, counted};

#[derive(clap::Args)]
pub struct DeleteArguments {
    /// The matches, which are deleted with all their games for good
    #[arg(value_name = "MATCH", required = true)]
    matches: Vec<i64>,
    #[command(flatten)]
    database: DatabaseArgument,
}

pub fn run(arguments: &DeleteArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let mut store = arguments.database.open()?;
    let matches: BTreeSet<i64> = arguments.matches.iter().copied().collect();
    // All numbers are checked first, so that a wrong one deletes nothing.
    for &id in &matches {
        store.find_match(id)?;
    }
    for &id in &matches {
        let games = store.delete_match(id)?;
        writeln!(out, "deleted match {id} with {}", counted(games, "game"))?;
    }
    Ok(())
}
