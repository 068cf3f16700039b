//! `arena show`

use std::io::{IsTerminal, Write};
use std::path::PathBuf;

use arena::record::{GameRecord, Side};
use arena::statistics::Tally;
use arena::store::Store;
use arena::transcript::{Transcript, verdict};
use game::{Labels, Picture};

use super::summary::elo;
use super::{DATABASE, existing_store};

#[derive(clap::Args)]
pub struct Arguments {
    /// Show the games of this match.
    #[arg(value_name = "MATCH")]
    match_id: Option<i64>,
    /// Show the moves of this game.
    #[arg(short, long, value_name = "GAME")]
    game: Option<i64>,
    /// The database.
    #[arg(short, long, value_name = "FILE", default_value = DATABASE)]
    database: PathBuf,
}

pub fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<()> {
    let store = existing_store(&arguments.database)?;
    match (arguments.match_id, arguments.game) {
        (_, Some(id)) => show_game(&store, id, out),
        (Some(id), None) => show_match(&store, id, out),
        (None, None) => show_matches(&store, out),
    }
}

fn show_matches(store: &Store, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "match  begun                rules    games  points of A  contestants")?;
    for stored in store.matches()? {
        let [a, b] = &stored.names;
        let begun = stored.created.get(..19).unwrap_or(&stored.created);
        let (id, rules, games, points) = (stored.id, stored.rules, stored.games, stored.points);
        writeln!(out, "{id:>5}  {begun:<19}  {rules:<7}  {games:>5}  {points:>11}  {a} - {b}")?;
    }
    Ok(())
}

fn show_match(store: &Store, id: i64, out: &mut impl Write) -> anyhow::Result<()> {
    let stored = store.find_match(id)?;
    let [a, b] = &stored.names;
    writeln!(out, "A: {a}\nB: {b}\nrules {}, begun {}\n", stored.rules, stored.created)?;
    writeln!(out, " game  pair  A plays    A :   B  result")?;
    let mut tally = Tally::default();
    for game in store.games(id)? {
        let record = &game.record;
        tally.add(record);
        let [points_a, points_b] = Side::ALL.map(|side| record.end().team_points(record.team(side)));
        let (team, pair) = (record.team(Side::A), record.pair);
        writeln!(out, "{:>5} {pair:>5}  {team:<7} {points_a:>4} : {points_b:>3}  {}", game.id, verdict(record))?;
    }
    let [won, drawn, lost] = tally.games;
    writeln!(out, "\nA wins {won}, draws {drawn}, loses {lost}")?;
    if let Some(interval) = tally.pairs.elo_interval() {
        writeln!(out, "Elo of A {}", elo(&interval))?;
    }
    Ok(())
}

fn show_game(store: &Store, id: i64, out: &mut impl Write) -> anyhow::Result<()> {
    let game = store.game(id)?;
    let stored = store.find_match(game.match_id)?;
    let record: &GameRecord = &game.record;
    writeln!(out, "game {id} of match {}, pair {}", game.match_id, record.pair)?;
    write!(out, "{}", Transcript { game: record, names: stored.names.each_ref().map(String::as_str) })?;
    let ansi = std::io::stdout().is_terminal();
    writeln!(out, "\n{}", Picture { position: &record.end(), ansi, labels: Labels::Coordinates })?;
    Ok(())
}
