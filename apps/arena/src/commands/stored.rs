//! `arena list`, `arena show` and `arena delete`: the matches of the database.

use std::collections::BTreeSet;
use std::io::Write;

use arena::database::StoreError;
use arena::games::played::Side;
use arena::ratings::{Tally, WinDrawLoss};
use game::printable;

use super::{DatabaseArgument, counted};

#[derive(clap::Args)]
pub struct ListArguments {
    #[command(flatten)]
    database: DatabaseArgument,
}

pub fn list(arguments: &ListArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let store = arguments.database.open()?;
    writeln!(out, "match  begun                rules    games  points of A  contestants")?;
    let mut damaged = None;
    for stored in store.matches()? {
        let stored = match stored {
            Ok(stored) => stored,
            Err(error) => {
                damaged.get_or_insert(error);
                continue;
            }
        };
        let [a, b] = stored.names.each_ref().map(|name| printable(name));
        let begun = stored.created.get(..19).unwrap_or(&stored.created);
        let (id, rules, games, points) = (stored.id, stored.rules, stored.games, stored.points);
        writeln!(out, "{id:>5}  {begun:<19}  {rules:<7}  {games:>5}  {points:>11}  {a} - {b}")?;
    }
    damaged.map_or(Ok(()), |error| Err(error.into()))
}

#[derive(clap::Args)]
pub struct DeleteArguments {
    /// The matches, which are deleted with all their games for good
    #[arg(value_name = "MATCH", required_unless_present = "game", value_parser = cli::number(1i64..))]
    matches: Vec<i64>,
    /// Delete this game, for example a damaged one
    #[arg(short, long, value_name = "GAME", conflicts_with = "matches", value_parser = cli::number(1i64..))]
    game: Option<i64>,
    #[command(flatten)]
    database: DatabaseArgument,
}

pub fn delete(arguments: &DeleteArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let mut store = arguments.database.open()?;
    let matches: BTreeSet<i64> = arguments.matches.iter().copied().collect();
    // All numbers are checked first, so that a wrong one deletes nothing.
    for &id in &matches {
        if let Err(error @ StoreError::Missing { .. }) = store.find_match(id) {
            return Err(error.into());
        }
    }
    if let Some(id) = arguments.game {
        store.delete_game(id)?;
        writeln!(out, "deleted game {id}")?;
    }
    for &id in &matches {
        let games = store.delete_match(id)?;
        writeln!(out, "deleted match {id} with {}", counted(games, "game"))?;
    }
    Ok(())
}

#[derive(clap::Args)]
pub struct ShowArguments {
    /// Number of the match, as `arena list` prints it
    #[arg(value_name = "MATCH", value_parser = cli::number(1i64..))]
    match_id: i64,
    #[command(flatten)]
    database: DatabaseArgument,
}

pub fn show(arguments: &ShowArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let store = arguments.database.open()?;
    let stored = store.find_match(arguments.match_id)?;
    let [a, b] = stored.names.each_ref().map(|name| printable(name));
    writeln!(out, "A: {a}\nB: {b}\nrules {}, begun {}\n", stored.rules, stored.created)?;
    writeln!(out, " game  pair  A plays    A :   B  result")?;
    let mut tally = Tally::default();
    for game in store.games(stored.id)? {
        let record = &game.record;
        tally.add(record);
        let [points_a, points_b] = Side::ALL.map(|side| record.end().team_points(record.team(side)));
        let (team, pair) = (record.team(Side::A), record.pair);
        writeln!(out, "{:>5} {pair:>5}  {team:<7} {points_a:>4} : {points_b:>3}  {}", game.id, record.verdict())?;
    }
    let WinDrawLoss { won, drawn, lost } = tally.games;
    writeln!(out, "\nA wins {won}, draws {drawn}, loses {lost}")?;
    if let Some(interval) = tally.pairs.elo_interval() {
        writeln!(out, "Elo of A {interval}")?;
    }
    Ok(())
}
