//! `trainer play`: games of self-play into files.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use anyhow::{Context, ensure};
use clap::Args;
use indicatif::ProgressBar;
use player::bench;
use player::mcts::Params;
use player::model::Model;
use record::selfplay::{EXTENSION, Game, Header, Settings, Writer};
use trainer::selfplay::play;

/// The arguments of `trainer play`.
#[derive(Args)]
pub struct PlayArguments {
    /// Folder of the files, SEED.games for each seed; existing games are kept
    folder: PathBuf,

    /// Games of each seed
    #[arg(short, long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,

    /// The first seed
    #[arg(short, long, default_value_t = 1)]
    seed: u64,

    /// Number of files, with consecutive seeds, written at the same time
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

    /// Set a parameter of the player [default: book=0, policy_visits=0 and early_stop=1]
    #[arg(short, long = "param", value_name = "NAME=VALUE")]
    params: Vec<String>,
}

/// Plays until every file has its games.
///
/// # Errors
/// If a file cannot be read or written, is damaged, or has other games; if the user interrupts.
pub fn run(arguments: &PlayArguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let &PlayArguments { seed, jobs, games, ref folder, .. } = arguments;
    let end = seed.checked_add(jobs);
    let end =
        end.with_context(|| format!("--seed {seed} --jobs {jobs}: there are no seeds beyond {}", u64::MAX - 1))?;
    let settings = Settings {
        fast_nodes: arguments.fast,
        full_nodes: arguments.full,
        full_interval: arguments.every,
        params: params(&arguments.params)?,
        ..Settings::default()
    };
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let engine = bench::fingerprint_of_search(Model::built_in());
    // All files are opened before the first game, so that errors show at once.
    let open = |seed: u64| {
        let path = folder.join(seed.to_string()).with_extension(EXTENSION);
        let header = Header { engine: engine.clone(), seed, settings: settings.clone() };
        let (writer, done) = Writer::append(&path, &header)?;
        Ok((seed, writer, done))
    };
    let files = (seed..end).map(open).collect::<anyhow::Result<Vec<_>>>()?;
    let stop = cli::stop_on_signal()?;
    let progress = Progress::new(arguments);
    let write = |(seed, mut writer, done): (u64, Writer, usize)| -> anyhow::Result<()> {
        progress.skip(done as u64);
        for number in done as u32..games {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let game = play(&settings, seed, number)?;
            writer.write(&game)?;
            progress.add(&game);
        }
        Ok(())
    };
    let results: Vec<anyhow::Result<()>> = thread::scope(|scope| {
        let start = |file| {
            let (write, stop) = (&write, &stop);
            scope.spawn(move || {
                let written = write(file);
                // After an error, the other files stop, too.
                stop.fetch_or(written.is_err(), Ordering::Relaxed);
                written
            })
        };
        let threads: Vec<_> = files.into_iter().map(start).collect();
        let join = |thread: thread::ScopedJoinHandle<anyhow::Result<()>>| {
            thread.join().unwrap_or_else(|_| Err(anyhow::anyhow!("a game ended in a panic")))
        };
        threads.into_iter().map(join).collect()
    });
    writeln!(out, "{}", progress.summary())?;
    results.into_iter().collect::<anyhow::Result<()>>()?;
    ensure!(!stop.load(Ordering::Relaxed), "interrupted; the same command resumes");
    Ok(())
}

/// Returns the parameters of the player by name. Defaults: no opening book (it gives no visits to train on), no policy
/// network (it would take most of the time), early stop.
fn params(given: &[String]) -> anyhow::Result<BTreeMap<String, String>> {
    let own = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    let mut params = BTreeMap::from([("book", "0"), ("policy_visits", "0"), ("early_stop", "1")].map(own));
    for text in given {
        let (name, value) = text.split_once('=').with_context(|| format!("`{text}`: expected NAME=VALUE"))?;
        Params::default().set(name, value)?;
        params.insert(name.to_owned(), value.to_owned());
    }
    Ok(params)
}

/// Number of games and positions, and their rates.
struct Progress {
    bar: ProgressBar,
    start: Instant,
    /// Number of games, of usable positions (after the last drawn or exploration move), and of usable positions with visits.
    counts: Mutex<[u64; 3]>,
}

impl Progress {
    fn new(arguments: &PlayArguments) -> Self {
        let template = "{bar:20.cyan/dim} {pos}/{len} games, {eta} left, {msg}";
        let bar = super::bar(u64::from(arguments.games) * arguments.jobs, template, false);
        Self { bar, start: Instant::now(), counts: Mutex::default() }
    }

    /// Skips existing games.
    fn skip(&self, games: u64) {
        self.bar.inc(games);
        self.bar.reset_eta();
    }

    fn add(&self, game: &Game) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let plies = &game.plies[game.first_usable_ply()..];
        let with_visits = plies.iter().filter(|ply| !ply.visits.is_empty()).count();
        counts.iter_mut().zip([1, plies.len(), with_visits]).for_each(|(sum, count)| *sum += count as u64);
        self.bar.inc(1);
        self.bar.set_message(self.rates(*counts));
    }

    fn rates(&self, counts: [u64; 3]) -> String {
        let hours = self.start.elapsed().as_secs_f64() / 3600.0;
        let [games, positions, with_visits] = counts.map(|count| count as f64 / hours);
        format!("{games:.0} games/h, {positions:.0} positions/h ({with_visits:.0} with visits)")
    }

    fn summary(&self) -> String {
        self.bar.finish_and_clear();
        let counts = *self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        format!("{} games, {} positions; {}", counts[0], counts[1], self.rates(counts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_searches_use_neither_book_nor_network() {
        let param = |name: &str, given: &str| params(&[given.to_owned()]).unwrap()[name].clone();
        for (name, default, other) in [("book", "0", "1"), ("policy_visits", "0", "100"), ("early_stop", "1", "0")] {
            assert_eq!(param(name, "temperature=6"), default);
            assert_eq!(param(name, &format!("{name}={other}")), other);
        }
    }
}
