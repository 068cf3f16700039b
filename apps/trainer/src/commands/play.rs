//! `trainer play`: games of self-play into files.

use std::fs;
use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, ensure};
use arena::cluster::RequestArguments;
use arena::interrupt;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use player::bench;
use player::model::Model;
use record::selfplay::{Game, Settings, Writer};
use trainer::batches::Batches;
use trainer::selfplay::play;

/// The arguments of `trainer play`.
#[derive(Args)]
pub struct PlayArguments {
    /// Folder that gets the files, SEED.games for each seed; games that are there already are kept
    folder: PathBuf,

    /// Games of each seed
    #[arg(short, long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,

    /// The first seed
    #[arg(short, long, default_value_t = 1)]
    seed: u64,

    /// Files, with seeds that follow each other, which are written at the same time, or by the workers of a queue
    #[arg(short, long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=100_000))]
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

    /// A parameter of the player, for example policy_visits=100; can be given several times. Unless they are set, book is 0,
    /// so that there is no opening book, policy_visits is 0, so that the convolutional network does not look, and early_stop
    /// is 1
    #[arg(short, long = "param", value_name = "NAME=VALUE")]
    params: Vec<String>,

    #[command(flatten)]
    queue: RequestArguments,
}

/// More files are not written at the same time.
const MOST_JOBS: u64 = 1024;

impl PlayArguments {
    fn seeds(&self) -> anyhow::Result<Range<u64>> {
        let Self { seed, jobs, .. } = *self;
        let end = seed.checked_add(jobs);
        let end =
            end.with_context(|| format!("--seed {seed} --jobs {jobs}: there are no seeds beyond {}", u64::MAX - 1));
        Ok(seed..end?)
    }
}

/// Plays until every file has its games.
///
/// # Errors
/// If a file cannot be read or written, is damaged, or has other games.
pub fn run(arguments: &PlayArguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let params = super::params_of_short_searches(&arguments.params)?;
    let seeds = arguments.seeds()?;
    let (over_queue, jobs) = (arguments.queue.is_given(), arguments.jobs);
    ensure!(over_queue || jobs <= MOST_JOBS, "--jobs {jobs}: this machine writes at most {MOST_JOBS} files");
    let settings = Settings {
        fast_nodes: arguments.fast,
        full_nodes: arguments.full,
        full_interval: arguments.every,
        params,
        ..Settings::default()
    };
    fs::create_dir_all(&arguments.folder).with_context(|| format!("cannot make {}", arguments.folder.display()))?;
    let batches =
        Batches { engine: bench::fingerprint_of_search(Model::built_in())?, settings, games: arguments.games };
    if over_queue {
        return play_over_queue(&batches, arguments, seeds, out);
    }
    // All files are opened before the first game, so that errors show at once.
    let files: Vec<(u64, Writer, usize)> = seeds
        .map(|seed| {
            let (writer, done) = Writer::append(&batches.path(&arguments.folder, seed), &batches.header(seed))?;
            Ok((seed, writer, done))
        })
        .collect::<anyhow::Result<_>>()?;
    let progress = Progress::new(u64::from(arguments.games) * arguments.jobs);
    let failed = AtomicBool::new(false);
    let results: Vec<anyhow::Result<()>> = std::thread::scope(|scope| {
        let start = |(seed, writer, done): (u64, Writer, usize)| {
            let (batches, progress, failed) = (&batches, &progress, &failed);
            scope.spawn(move || {
                let written = write_games(batches, seed, writer, done, progress, failed);
                failed.fetch_or(written.is_err(), Ordering::Relaxed);
                written
            })
        };
        let threads: Vec<_> = files.into_iter().map(start).collect();
        let join = |thread: std::thread::ScopedJoinHandle<anyhow::Result<()>>| {
            thread.join().unwrap_or_else(|_| Err(anyhow::anyhow!("a game ended in a panic")))
        };
        threads.into_iter().map(join).collect()
    });
    writeln!(out, "{}", progress.summary())?;
    results.into_iter().collect()
}

/// Plays the missing games of a file until another file has `failed`.
fn write_games(
    batches: &Batches,
    seed: u64,
    mut writer: Writer,
    done: usize,
    progress: &Progress,
    failed: &AtomicBool,
) -> anyhow::Result<()> {
    progress.skip(done as u64);
    for number in done as u32..batches.games {
        if failed.load(Ordering::Relaxed) {
            break;
        }
        let game = play(&batches.settings, seed, number)?;
        writer.write(&game)?;
        progress.add(&game);
    }
    Ok(())
}

/// Lets workers play the files that are not there yet, or do not have all their games.
fn play_over_queue(
    batches: &Batches,
    arguments: &PlayArguments,
    seeds: Range<u64>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let Some(mut coordinator) = arguments.queue.coordinator("trainer play", &batches.order(seeds.clone()))? else {
        writeln!(out, "Withdrawn.")?;
        return Ok(());
    };
    let stop = interrupt::stop_on_interrupt()?;
    let progress = Progress::new(u64::from(arguments.games) * arguments.jobs);
    let mut left = Vec::new();
    for seed in seeds {
        match batches.is_there(&arguments.folder, seed)? {
            true => progress.skip(arguments.games.into()),
            false => left.push(seed),
        }
    }
    let mut add = |games: &[Game]| games.iter().for_each(|game| progress.add(game));
    let gathered = batches.gather(&mut coordinator, &arguments.folder, &left, &stop, &mut add);
    writeln!(out, "{}", progress.summary())?;
    gathered?;
    if stop.load(Ordering::Relaxed) {
        writeln!(out, "Interrupted; workers go on, and the same command gathers what they have played.")?;
    } else {
        coordinator.close(&stop)?;
    }
    for (name, files) in coordinator.workers() {
        writeln!(out, "{}: {files} files", game::printable(name))?;
    }
    Ok(())
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
    /// Positions with visits.
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
