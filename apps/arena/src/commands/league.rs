//! `arena league`

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use arena::database::Store;
use arena::defaults;
use arena::league::play::{Isolation, League, LeagueSettings};
use arena::league::standings::{LeagueStanding, LeagueStandings};
use arena::league::{DATABASE, sandbox};
use game::printable;
use indicatif::{ProgressBar, ProgressStyle};

use super::parse;
use super::playing::GameArguments;
use super::results::cross_table;

/// Interval between tables if the screen is hidden.
const PERIOD: Duration = Duration::from_secs(60);

const PLAYERS: &str = "\
Files in the folder:
  NAME.zip       a contest package with start.sh
  NAME.jar       a Java program
  NAME           an executable, also NAME.sh or NAME.py
  NAME.player    one line that `arena match` accepts as a contestant, for example level5,
                 mcts:nodes=1000 or gtp:pentobi-gtp --level 3

A new file joins, a removed one stops playing, a changed one is a new version.";

#[derive(clap::Args)]
#[command(after_help = PLAYERS)]
pub struct LeagueArguments {
    /// Folder of the players
    folder: PathBuf,
    /// Number of games to play; even, because the sides swap in each pair [default: until it is interrupted]
    #[arg(short = 'g', long = "games", value_name = "GAMES", value_parser = parse::pairs)]
    pairs: Option<u32>,
    /// Print the results of the database and play nothing
    #[arg(long)]
    standings: bool,
    /// Print them as JSON
    #[arg(long, requires = "standings")]
    json: bool,
    /// Run the players' programs without a sandbox
    #[arg(long)]
    trust: bool,
    #[command(flatten)]
    game: GameArguments,
    /// Number of games played at the same time [default: physical cores]
    #[arg(short, long, value_parser = cli::number(1..=1024u16))]
    concurrency: Option<u16>,
    /// Database of the league [default: league.sqlite in the folder]
    #[arg(short, long, value_name = "FILE")]
    database: Option<PathBuf>,
}

pub fn run(arguments: &LeagueArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let database = arguments.database.clone().unwrap_or_else(|| arguments.folder.join(DATABASE));
    if arguments.standings {
        return print(&database, arguments.json, out);
    }
    let cannot_read = || format!("cannot read {}", arguments.folder.display());
    std::fs::read_dir(&arguments.folder).with_context(cannot_read)?;
    let isolation = if arguments.trust {
        Isolation::Trust
    } else if sandbox::is_available() {
        Isolation::Sandbox(std::env::current_exe()?)
    } else {
        bail!(
            "bubblewrap (`bwrap`) is not installed or does not work here, so nothing would isolate the players' \
             programs; install it, or pass --trust if you trust all of them"
        );
    };
    let settings =
        LeagueSettings { plan: arguments.game.plan(Vec::new(), 1)?, budget: arguments.game.budget(), isolation };
    let stop = cli::stop_on_signal()?;
    let league =
        League::open(&arguments.folder, &database, settings, arguments.pairs.map(|pairs| 2 * u64::from(pairs)))?;
    let concurrency = defaults::concurrency(arguments.concurrency, 1);
    // Shows the table on stderr if that is a terminal.
    let screen = ProgressBar::new_spinner().with_style(ProgressStyle::with_template("{msg}")?);
    let (mut known, mut last) = (Vec::new(), None::<Instant>);
    let played = league.play(concurrency, &stop, |standings, remarks| {
        for remark in remarks.iter().filter(|remark| !known.contains(*remark)) {
            screen.suspend(|| log::warn!("{remark}"));
        }
        known = remarks.to_vec();
        if !screen.is_hidden() {
            screen.set_message(text(standings));
        } else if last.is_none_or(|last| last.elapsed() >= PERIOD) {
            last = Some(Instant::now());
            let _ = write!(out, "{}", text(standings)).and_then(|()| out.flush());
        }
    });
    screen.finish_and_clear();
    write!(out, "{}", text(&league.standings()))?;
    writeln!(out, "Results: {}", database.display())?;
    Ok(played?)
}

/// Returns the versions in the folder by rank, and the width of the column of names.
fn ranked(standings: &LeagueStandings) -> (Vec<&LeagueStanding>, usize) {
    let width = standings.players.iter().map(|line| printable(&line.name).to_string().chars().count()).max();
    let ranked = standings.players.iter().filter(|line| line.rank.is_some()).collect();
    (ranked, width.unwrap_or(0).max("name".len()))
}

/// Returns the table of the versions in the folder.
fn text(standings: &LeagueStandings) -> String {
    let (ranked, width) = ranked(standings);
    if ranked.len() < 2 {
        return format!("waiting for players: {} in the folder\n", ranked.len());
    }
    let mut text = format!("rank  {:width$} version   Elo (95 % interval)  games   points faults\n", "name");
    for line in ranked {
        let LeagueStanding { version, points, faults, .. } = line;
        let elo = line.elo.map(|[low, elo, high]| format!("{elo:+.0} [{low:+.0}, {high:+.0}]"));
        let (elo, name) = (elo.unwrap_or("-".to_owned()), printable(&line.name).to_string());
        text += &format!("{:>4}  {name:width$} {version:>7} {elo:>21}", line.rank.unwrap_or(0));
        text += &format!(" {:>6} {points:>8.1} {faults:>6}\n", line.count());
    }
    text
}

/// Prints the results of a database.
fn print(database: &Path, is_json: bool, out: &mut impl Write) -> anyhow::Result<()> {
    super::ensure_exists(database)?;
    let store = Store::open_to_read(database)?;
    ensure!(store.has_league()?, "{} contains no league", database.display());
    let standings = LeagueStandings::read(&store)?;
    if is_json {
        serde_json::to_writer_pretty(&mut *out, &standings)?;
        writeln!(out)?;
        return Ok(());
    }
    write!(out, "{}", text(&standings))?;
    let (ranked, width) = ranked(&standings);
    writeln!(out, "\nGames won-drawn-lost by the row against the column; columns are ranks:")?;
    let label =
        |line: &&LeagueStanding| format!("{:>4}  {:width$}", line.rank.unwrap_or(0), printable(&line.name).to_string());
    let labels: Vec<String> = ranked.iter().map(label).collect();
    let rows = ranked.iter().map(|one| ranked.iter().map(|other| standings.against(one.id, other.id)).collect());
    write!(out, "{}", cross_table(&labels, rows))?;
    writeln!(out, "\nVersions:")?;
    for (name, versions) in standings.versions() {
        let elo = |line: &&LeagueStanding| line.elo.map_or_else(|| "-".to_owned(), |[_, elo, _]| format!("{elo:+.0}"));
        let all: Vec<String> = versions.iter().map(|line| format!("v{} {}", line.version, elo(line))).collect();
        let gone = if versions.iter().any(|line| line.rank.is_some()) { "" } else { " (removed)" };
        writeln!(out, "  {:width$}  {}{gone}", printable(name).to_string(), all.join(", "))?;
    }
    Ok(())
}

/// Exits like the client of a sandbox.
#[cfg(unix)]
pub fn exit_like(status: std::io::Result<std::process::ExitStatus>) -> anyhow::Result<()> {
    std::process::exit(status?.code().unwrap_or(1))
}
