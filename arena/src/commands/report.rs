//! `arena report`

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;

use super::{DATABASE, existing_store};

#[derive(clap::Args)]
pub struct ReportArguments {
    /// The match.
    #[arg(value_name = "MATCH")]
    match_id: i64,
    /// The file to write [default: match-MATCH.html].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The database.
    #[arg(short, long, value_name = "FILE", default_value = DATABASE)]
    database: PathBuf,
}

pub fn run(arguments: &ReportArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let store = existing_store(&arguments.database)?;
    let stored = store.find_match(arguments.match_id)?;
    let page = arena::report::html(&stored, &store.games(stored.id)?)?;
    let path = arguments.output.clone().unwrap_or_else(|| format!("match-{}.html", stored.id).into());
    fs::write(&path, page).with_context(|| format!("cannot write {}", path.display()))?;
    writeln!(out, "{}", path.display())?;
    Ok(())
}
