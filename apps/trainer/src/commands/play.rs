//! `trainer play`: games of self-play into files.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use anyhow::{Context, ensure};
use clap::Args;
use player::bench;
use player::mcts::Params;
use player::model::Model;
use record::selfplay::{EXTENSION, Header, SelfPlaySettings, ShardWriter};
use trainer::selfplay::play;

/// The arguments of `trainer play`.
#[derive(Args)]
pub struct PlayArguments {
    /// Folder of the files, SEED.games for each seed; existing games are kept
    folder: PathBuf,

    /// Games of each seed
    #[arg(short, long, default_value_t = 1_000, value_parser = cli::number(1..=u32::MAX))]
    games: u32,

    /// The first seed
    #[arg(short, long, default_value_t = 1, value_parser = cli::number(0u64..))]
    seed: u64,

    /// Number of files, with consecutive seeds, written at the same time
    #[arg(short, long, default_value_t = 1, value_parser = cli::number(1..=1024u64))]
    jobs: u64,

    /// Simulations of a fast search
    #[arg(long, value_name = "N", default_value_t = SelfPlaySettings::default().fast_nodes, value_parser = cli::number(1u64..))]
    fast: u64,

    /// Simulations of a full search, whose visits are kept
    #[arg(long, value_name = "N", default_value_t = SelfPlaySettings::default().full_nodes, value_parser = cli::number(1u64..))]
    full: u64,

    /// Full searches: one in N
    #[arg(long, value_name = "N", default_value_t = SelfPlaySettings::default().full_interval, value_parser = cli::number(1..=u32::MAX))]
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
    let settings = SelfPlaySettings {
        fast_nodes: arguments.fast,
        full_nodes: arguments.full,
        full_interval: arguments.every,
        params: params(&arguments.params)?,
        ..SelfPlaySettings::default()
    };
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let engine = bench::fingerprint_of_search(Model::built_in());
    // All files are opened before the first game, so that errors show at once.
    let open = |seed: u64| {
        let path = folder.join(seed.to_string()).with_extension(EXTENSION);
        let header = Header { engine: engine.clone(), seed, settings: settings.clone() };
        let (writer, done) = ShardWriter::append(&path, &header)?;
        Ok((seed, writer, done))
    };
    let files = (seed..end).map(open).collect::<anyhow::Result<Vec<_>>>()?;
    let known: usize = files.iter().map(|(_, _, done)| done).sum();
    let stop = cli::stop_on_signal()?;
    let bar = super::bar(u64::from(games) * jobs, "{bar:20.cyan/dim} {pos}/{len} games, {eta} left", false);
    let [played, positions] = [const { AtomicU64::new(0) }; 2];
    let write = |(seed, mut writer, done): (u64, ShardWriter, usize)| -> anyhow::Result<()> {
        bar.inc(done as u64);
        bar.reset_eta();
        for number in done as u32..games {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let game = play(&settings, seed, number)?;
            writer.write(&game)?;
            bar.inc(1);
            played.fetch_add(1, Ordering::Relaxed);
            // Those before the last drawn or exploration move are not usable.
            positions.fetch_add((game.plies.len() - game.first_usable_ply()) as u64, Ordering::Relaxed);
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
    bar.finish_and_clear();
    let earlier = if known > 0 { format!(" (and {known} from before)") } else { String::new() };
    writeln!(out, "{} games{earlier}, {} positions", played.into_inner(), positions.into_inner())?;
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
