//! `arena league`

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{bail, ensure};
use arena::database::Store;
use arena::league::play::{Isolation, League, Settings};
use arena::league::standings::{Standing, Standings};
use arena::league::{DATABASE, sandbox};
use arena::{defaults, interrupt};
use game::printable;

use super::parse;
use super::playing::GameArguments;
use super::results::cross_table;

/// Time between two tables where they cannot be replaced.
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
    #[arg(short, long, value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: Option<u16>,
    /// Database of the league [default: league.sqlite in the folder]
    #[arg(short, long, value_name = "FILE")]
    database: Option<PathBuf>,
}

/// Runs a client in a sandbox; started by a league.
#[cfg(unix)]
#[derive(clap::Args)]
pub struct SandboxArguments {
    folder: String,
    cpu: usize,
    command: String,
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    contest: Vec<String>,
}

/// Runs a client inside a sandbox; started by `arena sandbox`.
#[cfg(unix)]
#[derive(clap::Args)]
pub struct InsideArguments {
    command: String,
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    contest: Vec<String>,
}

pub fn run(arguments: &LeagueArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let database = arguments.database.clone().unwrap_or_else(|| arguments.folder.join(DATABASE));
    if arguments.standings {
        return print(&database, arguments.json, out);
    }
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
    let GameArguments { season, start, ref opening, seed, timeout, .. } = arguments.game;
    let budget = arguments.game.budget();
    let settings = Settings {
        rules: season,
        start_piece: start,
        opening: opening.clone(),
        budget,
        clock: defaults::clock(timeout.map(Duration::from_millis), [budget]),
        seed,
        isolation,
    };
    let stop = interrupt::stop_on_interrupt()?;
    let league =
        League::open(&arguments.folder, Some(&database), settings, arguments.pairs.map(|pairs| 2 * u64::from(pairs)))?;
    let mut screen =
        Screen { out, is_terminal: std::io::stdout().is_terminal(), lines: 0, last: None, remarks: Vec::new() };
    let concurrency = defaults::concurrency(arguments.concurrency, 1);
    let played = league.play(concurrency, &stop, |standings, remarks| screen.show(standings, remarks));
    screen.clear();
    write!(out, "{}", text(&league.standings()))?;
    writeln!(out, "Results: {}", database.display())?;
    Ok(played?)
}

/// Where the standings are shown during the games.
struct Screen<'a, W> {
    out: &'a mut W,
    is_terminal: bool,
    /// Number of lines of the shown table.
    lines: usize,
    last: Option<Instant>,
    remarks: Vec<String>,
}

impl<W: Write> Screen<'_, W> {
    /// Removes the table from a terminal.
    fn clear(&mut self) {
        if self.is_terminal && self.lines > 0 {
            // Move up and erase to the end of the screen.
            let _ = write!(self.out, "\x1b[{}A\x1b[J", self.lines);
            self.lines = 0;
        }
    }

    fn show(&mut self, standings: &Standings, remarks: &[String]) {
        if !self.is_terminal && self.last.is_some_and(|last| last.elapsed() < PERIOD) {
            return;
        }
        self.last = Some(Instant::now());
        self.clear();
        for remark in remarks.iter().filter(|remark| !self.remarks.contains(remark)) {
            log::warn!("{remark}");
        }
        self.remarks = remarks.to_vec();
        let text = text(standings);
        self.lines = text.lines().count();
        let _ = write!(self.out, "{text}").and_then(|()| self.out.flush());
    }
}

/// The table of the versions in the folder.
fn text(standings: &Standings) -> String {
    let ranked: Vec<&Standing> = standings.players.iter().filter(|line| line.rank.is_some()).collect();
    if ranked.len() < 2 {
        return format!("waiting for players: {} in the folder\n", ranked.len());
    }
    let width = standings_width(&standings.players);
    let mut text = format!("rank  {:width$} version   Elo (95 % interval)  games   points faults\n", "name");
    for line in ranked {
        text += &row(line, &format!("{:>4}", line.rank.unwrap_or(0)), width);
    }
    text
}

fn standings_width(lines: &[Standing]) -> usize {
    lines.iter().map(|line| printable(&line.name).to_string().chars().count()).max().unwrap_or(0).max(4)
}

fn row(line: &Standing, rank: &str, width: usize) -> String {
    let elo = line.elo.map_or_else(|| "-".to_owned(), |[low, elo, high]| format!("{elo:+.0} [{low:+.0}, {high:+.0}]"));
    let name = printable(&line.name).to_string();
    let Standing { version, points, faults, .. } = line;
    format!("{rank}  {name:width$} {version:>7} {elo:>21} {:>6} {points:>8.1} {faults:>6}\n", line.count())
}

/// Prints the results of a database.
fn print(database: &std::path::Path, is_json: bool, out: &mut impl Write) -> anyhow::Result<()> {
    ensure!(database.exists(), "there is no database {}", database.display());
    let store = Store::open_to_read(database)?;
    ensure!(store.has_league()?, "{} contains no league", database.display());
    let standings = Standings::read(&store)?;
    if is_json {
        serde_json::to_writer_pretty(&mut *out, &standings)?;
        writeln!(out)?;
        return Ok(());
    }
    write!(out, "{}", text(&standings))?;
    let ranked: Vec<&Standing> = standings.players.iter().filter(|line| line.rank.is_some()).collect();
    let width = standings_width(&standings.players);
    writeln!(out, "\nGames won, drawn and lost by the row against the column, by ranks:")?;
    let label =
        |line: &&Standing| format!("{:>4}  {:width$}", line.rank.unwrap_or(0), printable(&line.name).to_string());
    let labels: Vec<String> = ranked.iter().map(label).collect();
    let rows = ranked.iter().map(|one| ranked.iter().map(|other| standings.against(one.id, other.id)).collect());
    write!(out, "{}", cross_table(&labels, rows))?;
    writeln!(out, "\nVersions:")?;
    for (name, versions) in standings.versions() {
        let elo = |line: &&Standing| line.elo.map_or_else(|| "-".to_owned(), |[_, elo, _]| format!("{elo:+.0}"));
        let all: Vec<String> = versions.iter().map(|line| format!("v{} {}", line.version, elo(line))).collect();
        let gone = if versions.iter().any(|line| line.rank.is_some()) { "" } else { " (removed)" };
        writeln!(out, "  {:width$}  {}{gone}", printable(name).to_string(), all.join(", "))?;
    }
    Ok(())
}

/// Exits like the client.
#[cfg(unix)]
fn exit_like(status: std::process::ExitStatus) -> ! {
    std::process::exit(status.code().unwrap_or(1))
}

#[cfg(unix)]
pub fn sandbox(arguments: &SandboxArguments) -> anyhow::Result<()> {
    let SandboxArguments { folder, cpu, command, contest } = arguments;
    exit_like(sandbox::run_outside(folder, *cpu, command, contest)?)
}

#[cfg(unix)]
pub fn sandbox_inside(InsideArguments { command, contest }: &InsideArguments) -> anyhow::Result<()> {
    exit_like(sandbox::run_inside(command, contest)?)
}
