//! `arena list`

use std::io::Write;

use game::printable;

use super::{DatabaseArgument, noted};

#[derive(clap::Args)]
pub struct ListArguments {
    #[command(flatten)]
    database: DatabaseArgument,
}

pub fn run(arguments: &ListArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let store = arguments.database.open()?;
    writeln!(out, "match  begun                rules    games  points of A  contestants")?;
    for stored in store.matches()? {
        let [a, b] = stored.names.each_ref().map(|name| printable(name));
        let begun = stored.created.get(..19).unwrap_or(&stored.created);
        let (id, rules, games, points) = (stored.id, stored.rules, stored.games, stored.points);
        let unfinished = noted(stored.unfinished, |count| format!(" ({count} unfinished)"));
        writeln!(out, "{id:>5}  {begun:<19}  {rules:<7}  {games:>5}  {points:>11}  {a} - {b}{unfinished}")?;
    }
    Ok(())
}
