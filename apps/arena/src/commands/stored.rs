//! `arena list`, `arena show` and `arena delete`: the matches of the database.

use std::collections::BTreeSet;
use std::io::Write;

use arena::database::Store;
use arena::games::played::{Choice, Ply, Side};
use arena::ratings::{Tally, WinDrawLoss};
use game::{Position, Team, printable};
use picture::{Canvas, Picture, Side as Player, Terminal};

use super::{DatabaseArgument, counted, noted};

#[derive(clap::Args)]
pub struct ListArguments {
    #[command(flatten)]
    database: DatabaseArgument,
}

pub fn list(arguments: &ListArguments, out: &mut impl Write) -> anyhow::Result<()> {
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

#[derive(clap::Args)]
pub struct DeleteArguments {
    /// The matches, which are deleted with all their games for good
    #[arg(value_name = "MATCH", required_unless_present = "game")]
    matches: Vec<i64>,
    /// Delete this game, for example a damaged one
    #[arg(short, long, value_name = "GAME", conflicts_with = "matches")]
    game: Option<i64>,
    #[command(flatten)]
    database: DatabaseArgument,
}

pub fn delete(arguments: &DeleteArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let mut store = arguments.database.open()?;
    let matches: BTreeSet<i64> = arguments.matches.iter().copied().collect();
    // All numbers are checked first, so that a wrong one deletes nothing.
    for &id in &matches {
        store.find_match(id)?;
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
    /// Show the games of this match
    #[arg(value_name = "MATCH", required_unless_present = "game")]
    match_id: Option<i64>,
    /// Show the moves of this game
    #[arg(short, long, value_name = "GAME", conflicts_with = "match_id")]
    game: Option<i64>,
    #[command(flatten)]
    database: DatabaseArgument,
}

pub fn show(arguments: &ShowArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let store = arguments.database.open()?;
    if let Some(id) = arguments.game {
        show_game(&store, id, out)?;
    }
    if let Some(id) = arguments.match_id {
        show_match(&store, id, out)?;
    }
    Ok(())
}

fn show_match(store: &Store, id: i64, out: &mut impl Write) -> anyhow::Result<()> {
    let stored = store.find_match(id)?;
    let [a, b] = stored.names.each_ref().map(|name| printable(name));
    writeln!(out, "A: {a}\nB: {b}\nrules {}, begun {}\n", stored.rules, stored.created)?;
    writeln!(out, " game  pair  A plays    A :   B  result")?;
    let mut tally = Tally::default();
    for game in store.games(id)? {
        let record = &game.record;
        tally.add(record);
        let [points_a, points_b] = Side::ALL.map(|side| record.end().team_points(record.team(side)));
        let (team, pair) = (record.team(Side::A), record.pair);
        writeln!(out, "{:>5} {pair:>5}  {team:<7} {points_a:>4} : {points_b:>3}  {}", game.id, record.result())?;
    }
    let WinDrawLoss { won, drawn, lost } = tally.games;
    let unfinished = noted(tally.unfinished, |count| format!(", {count} unfinished"));
    writeln!(out, "\nA wins {won}, draws {drawn}, loses {lost}{unfinished}")?;
    if let Some(interval) = tally.pairs.elo_interval() {
        writeln!(out, "Elo of A {interval}")?;
    }
    Ok(())
}

fn show_game(store: &Store, id: i64, out: &mut impl Write) -> anyhow::Result<()> {
    let game = store.game(id)?;
    let stored = store.find_match(game.match_id)?;
    let record = &game.record;
    writeln!(out, "game {id} of match {}, pair {}, A plays {}", game.match_id, record.pair, record.team(Side::A))?;
    writeln!(out, "{}", wrapped(&record.verdict()).join("\n"))?;
    for team in Team::ALL {
        writeln!(out, "{team}: {}", wrapped(&printable(&stored.names[record.side(team) as usize])).join("\n     "))?;
    }
    writeln!(out, "\nturn colour move                          win %  margin       ms     nodes depth")?;
    for (position, ply) in record.positions().zip(&record.plies) {
        writeln!(out, "{}", line(&position, ply).trim_end())?;
    }
    let points = Team::ALL.map(|team| record.end().team_points(team));
    writeln!(out, "points {} : {}", points[0], points[1])?;
    let sides = Team::ALL.map(|team| Player { name: &stored.names[record.side(team) as usize], opinion: None });
    let end = record.end();
    let last = record.positions().zip(&record.plies).last().map(|(position, ply)| (position.color(), ply.mv));
    let picture = Picture { last, sides: Some(sides), ..Picture::new(&end) };
    let canvas = Terminal::of_stdout().canvas();
    // The shell prompt needs the last row.
    let canvas = Canvas { rows: canvas.rows.saturating_sub(1), ..canvas };
    writeln!(out, "\n{}", picture.lines(canvas).join("\n"))?;
    Ok(())
}

/// Formats a move with its search data as a line of the table.
fn line(position: &Position, ply: &Ply) -> String {
    let (turn, color) = (position.turn(), position.color());
    let mv = ply.mv.to_string();
    let Some(Choice { time, evaluation, nodes, depth }) = ply.choice else {
        return format!("{turn:>4} {color:<6} {mv}");
    };
    let known = |number: u64| if number > 0 { number.to_string() } else { String::new() };
    let [win, margin] = evaluation.map_or([String::new(), String::new()], |evaluation| {
        [format!("{:.1}", 100.0 * evaluation.win), format!("{:+.1}", evaluation.margin)]
    });
    let (ms, nodes, depth) = (time.as_secs_f64() * 1000.0, known(nodes), known(depth.into()));
    format!("{turn:>4} {color:<6} {mv:<28} {win:>6} {margin:>7} {ms:>8.1} {nodes:>9} {depth:>5}")
}

/// Wraps a text for terminals, with room for a label.
fn wrapped(text: &str) -> Vec<String> {
    Canvas { columns: Canvas::PLAIN.columns - 5, ..Canvas::PLAIN }.wrap(text)
}
