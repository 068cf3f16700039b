//! `arena report`

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, bail};
use arena::database::Store;
use arena::plan::Plan;
use arena::reports;
use cli::OutputFile;

use super::DatabaseArgument;

#[derive(clap::Args)]
pub struct ReportArguments {
    /// The match
    #[arg(value_name = "MATCH", value_parser = cli::number(1i64..))]
    match_id: i64,
    /// Write the page of the match's whole tournament
    #[arg(short, long)]
    tournament: bool,
    /// The file to write [default: match-MATCH.html or tournament-MATCH.html]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    database: DatabaseArgument,
}

pub fn run(arguments: &ReportArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let (store, id) = (arguments.database.open()?, arguments.match_id);
    let (kind, page) = if arguments.tournament {
        ("tournament", tournament(&store, id)?)
    } else {
        let stored = store.find_match(id)?;
        ("match", reports::html(&stored, &store.games(id)?))
    };
    let path = arguments.output.clone().unwrap_or_else(|| format!("{kind}-{id}.html").into());
    OutputFile::new(&path, &[])?.write(page)?;
    writeln!(out, "{}", path.display())?;
    Ok(())
}

/// Returns the page of the tournament with a match.
fn tournament(store: &Store, id: i64) -> anyhow::Result<String> {
    store.find_match(id)?;
    let is_in = |&(_, number): &(u32, i64)| number == id;
    let Some(run) = store.runs()?.into_iter().find(|run| run.matches.iter().any(is_in)) else {
        bail!("match {id} was not played by a plan, so it belongs to no tournament");
    };
    let plan: Plan = run.plan.parse().context("the plan of the tournament")?;
    let mut matches = Vec::new();
    for (number, id) in run.matches {
        matches.push((number, store.find_match(id)?, store.games(id)?));
    }
    Ok(reports::tournament(&plan, &matches))
}
