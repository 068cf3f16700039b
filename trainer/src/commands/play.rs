//! `trainer play`: games of self-play into files.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::Context;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use player::{FromOptions, MctsPlayer, Options, bench};
use record::selfplay::{EXTENSION, Game, Header, Settings, Writer};
use trainer::selfplay::play;

/// The arguments of `trainer play`.
#[derive(Args)]
pub struct PlayArguments {
    /// Folder that gets the files, SEED.games for each seed; games that are there already are kept
    folder: PathBuf,

    /// Games of each seed
    #[arg(short, long, default_value_t = 1_000)]
    games: u32,

    /// The first seed
    #[arg(short, long, default_value_t = 1)]
    seed: u64,

    /// Files that are written at the same time, with seeds that follow each other
    #[arg(short, long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1024))]
    jobs: u64,

    /// Simulations of a fast search
    #[arg(long, value_name = "N", default_value_t = Settings::default().fast_nodes, value_parser = clap::value_parser!(u64).range(1..))]
    fast: u64,

    /// Simulations of a full search, whose visits are kept
    #[arg(long, value_name = "N", default_value_t = Settings::default().full_nodes, value_parser = clap::value_parser!(u64).range(1..))]
    full: u64,

    /// One search of this many is full
    #[arg(long, value_name = "N", default_value_t = Settings::default().full_interval, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
}

/// Plays until every file has its games.
///
/// # Errors
/// If a file cannot be read or written, is damaged, or has other games.
pub fn run(arguments: &PlayArguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let settings = Settings {
        fast_nodes: arguments.fast,
        full_nodes: arguments.full,
        full_interval: arguments.every,
        ..Settings::default()
    };
    fs::create_dir_all(&arguments.folder).with_context(|| format!("cannot make {}", arguments.folder.display()))?;
    let engine = fingerprint()?;
    let progress = Progress::new(u64::from(arguments.games) * arguments.jobs);
    let seeds = arguments.seed..arguments.seed + arguments.jobs;
    let results: Vec<anyhow::Result<()>> = std::thread::scope(|scope| {
        let start = |seed: u64| {
            let header = Header { engine: engine.clone(), seed, settings: settings.clone() };
            let path = arguments.folder.join(seed.to_string()).with_extension(EXTENSION);
            let progress = &progress;
            scope.spawn(move || write_games(&path, &header, arguments.games, progress))
        };
        let threads: Vec<_> = seeds.map(start).collect();
        let join = |thread: std::thread::ScopedJoinHandle<anyhow::Result<()>>| {
            thread.join().unwrap_or_else(|_| Err(anyhow::anyhow!("a game ended in a panic")))
        };
        threads.into_iter().map(join).collect()
    });
    writeln!(out, "{}", progress.summary())?;
    results.into_iter().collect()
}

/// Plays the games that a file does not have yet.
fn write_games(path: &Path, header: &Header, games: u32, progress: &Progress) -> anyhow::Result<()> {
    let (mut writer, done) = Writer::append(path, header)?;
    progress.skip(done as u64);
    for number in done as u32..games {
        let game = play(&header.settings, header.seed, number)?;
        writer.write(&game)?;
        progress.add(&game);
    }
    Ok(())
}

/// The fingerprint of the search with the weights that this program has.
fn fingerprint() -> anyhow::Result<String> {
    let mut player = MctsPlayer::new(&Options { seed: 1, ..Options::default() });
    Ok(format!("{:016x}", bench::fingerprint(&bench::samples(&mut player, bench::NODES)?)))
}

/// How much has been played, and how fast.
struct Progress {
    bar: ProgressBar,
    start: Instant,
    count: Mutex<Count>,
}

/// Games and positions of this run.
#[derive(Clone, Copy, Default)]
struct Count {
    games: u64,
    /// Positions whose game was played on by searches alone, so that its result says something of them.
    positions: u64,
    /// Those of them whose visits are known.
    with_visits: u64,
}

impl Progress {
    fn new(games: u64) -> Self {
        let bar = ProgressBar::new(games);
        if let Ok(style) = ProgressStyle::with_template("{bar:20.cyan/dim} {pos}/{len} games, {eta} left, {msg}") {
            bar.set_style(style);
        }
        Self { bar, start: Instant::now(), count: Mutex::default() }
    }

    /// Passes games that were there before.
    fn skip(&self, games: u64) {
        self.bar.inc(games);
        self.bar.reset_eta();
    }

    fn add(&self, game: &Game) {
        let mut count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        count.games += 1;
        for ply in &game.plies[game.first_usable_ply()..] {
            count.positions += 1;
            count.with_visits += u64::from(!ply.visits.is_empty());
        }
        self.bar.inc(1);
        self.bar.set_message(self.rates(*count));
    }

    fn rates(&self, count: Count) -> String {
        let hours = self.start.elapsed().as_secs_f64() / 3600.0;
        let [games, positions, with_visits] =
            [count.games, count.positions, count.with_visits].map(|count| count as f64 / hours);
        format!("{games:.0} games/h, {positions:.0} positions/h ({with_visits:.0} with visits)")
    }

    fn summary(&self) -> String {
        self.bar.finish_and_clear();
        let count = *self.count.lock().unwrap_or_else(PoisonError::into_inner);
        format!("{} games, {} positions; {}", count.games, count.positions, self.rates(count))
    }
}
