//! Self-play over a queue: a task is a file of games, by its seed.

use std::fs::{self, File};
use std::io::{self, Write};
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use anyhow::Context;
use arena::cluster::{Coordinator, Done, JobType, PreparedRun, RunInfo, RunRequest, TaskId};
use player::bench;
use player::mcts::Params;
use player::model::Model;
use record::selfplay::{EXTENSION, Game, Header, Reader, Settings, ShardError, Writer};
use serde::{Deserialize, Serialize};

use crate::selfplay::play;

/// Name of the job type in the queue.
const NAME: &str = "selfplay";

/// Files of games that are played in the same way, each with a seed of its own.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Batches {
    /// The fingerprint of the search, see [`bench::fingerprint_of_search`].
    pub engine: String,
    /// Settings of the games.
    pub settings: Settings,
    /// Number of games per file.
    pub games: u32,
}

impl Batches {
    /// The header of the file with this seed.
    pub fn header(&self, seed: u64) -> Header {
        Header { engine: self.engine.clone(), seed, settings: self.settings.clone() }
    }

    /// Returns the path of that file.
    pub fn path(&self, folder: &Path, seed: u64) -> PathBuf {
        folder.join(seed.to_string()).with_extension(EXTENSION)
    }

    /// Returns `true` if the file of a seed has all its games. A truncated file does not, and is played again.
    ///
    /// # Errors
    /// [`ShardError`] if it cannot be read, is damaged, or has other games.
    pub fn is_there(&self, folder: &Path, seed: u64) -> Result<bool, ShardError> {
        let path = self.path(folder, seed);
        if !path.exists() {
            return Ok(false);
        }
        let count = |mut reader: Reader| reader.try_fold(0, |games, game| game.map(|_| games + 1));
        match self.open(&path, seed).and_then(count) {
            Ok(games) | Err(ShardError::Cut { games, .. }) => Ok(games >= self.games as usize),
            Err(error) => Err(error),
        }
    }

    /// Opens the file of a seed.
    fn open(&self, path: &Path, seed: u64) -> Result<Reader, ShardError> {
        let reader = Reader::open(path)?;
        let is_same = *reader.header() == self.header(seed);
        if is_same { Ok(reader) } else { Err(ShardError::other_header(path)) }
    }

    /// Returns the run of the files of some seeds.
    pub fn request(&self, seeds: Range<u64>) -> RunRequest {
        // Numbers and texts can always be written.
        let text = serde_json::to_string(self).unwrap_or_default();
        RunRequest::new(NAME, text, &format!("seeds {} to {}", seeds.start, seeds.end), self.engine.clone())
    }

    /// Lets workers play the files of `seeds` and calls `on_file` with the games of each when it is safe in the folder,
    /// until all are there or `stop` is set.
    ///
    /// # Errors
    /// If the queue cannot be used or a file cannot be kept.
    pub fn gather(
        &self,
        coordinator: &mut Coordinator,
        folder: &Path,
        seeds: &[u64],
        stop: &AtomicBool,
        on_file: &mut dyn FnMut(&[Game]),
    ) -> anyhow::Result<()> {
        let tasks: Vec<(TaskId, Vec<u8>)> =
            seeds.iter().map(|&number| (TaskId { group: 0, number }, Vec::new())).collect();
        coordinator.gather(&tasks, stop, |TaskId { number: seed, .. }, done| {
            let Some(file) = &done.file else { return Ok(Err("there is no file".to_owned())) };
            Ok(self.keep(folder, seed, file)?.map(|games| {
                on_file(&games);
                ControlFlow::Continue(())
            }))
        })
    }

    /// Stores a valid file in the folder; returns its games, or the reason why it is invalid.
    fn keep(&self, folder: &Path, seed: u64, file: &[u8]) -> anyhow::Result<Result<Vec<Game>, String>> {
        let path = self.path(folder, seed);
        let part = path.with_extension("part");
        let name = || path.display().to_string();
        write_synced(&part, file).with_context(name)?;
        let games = self.read(&part, seed);
        match games {
            Ok(_) => fs::rename(&part, &path).with_context(name)?,
            Err(_) => fs::remove_file(&part).with_context(name)?,
        }
        Ok(games)
    }

    /// Reads all games of a file and checks every move.
    fn read(&self, path: &Path, seed: u64) -> Result<Vec<Game>, String> {
        let text = |error: ShardError| error.to_string();
        let reader = self.open(path, seed).map_err(text)?;
        let games = reader.map(|game| game.map(|(game, _)| game)).collect::<Result<Vec<_>, _>>().map_err(text)?;
        let numbers = games.iter().map(|game| game.number);
        if !numbers.eq(0..self.games) {
            return Err(format!("{} games, of which {} are needed in their order", games.len(), self.games));
        }
        Ok(games)
    }
}

/// Writes and syncs a file, because the queue deletes a result once it is acknowledged.
fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Checks settings from elsewhere.
fn check(settings: &Settings) -> Result<(), String> {
    let Settings { full_interval, drawn_openings, strays, ref params, .. } = *settings;
    if full_interval == 0 {
        return Err("no search is full: full_interval 0".to_owned());
    }
    for (name, share) in [("drawn_openings", drawn_openings), ("strays", strays)] {
        if !(0.0..=1.0).contains(&share) {
            return Err(format!("{name} {share} is not a part of the games"));
        }
    }
    let mut known = Params::default();
    params.iter().try_for_each(|(name, value)| known.set(name, value)).map_err(|error| error.to_string())
}

/// Playing such files for others.
#[derive(Clone, Copy, Debug)]
pub struct SelfPlay;

impl JobType for SelfPlay {
    fn name(&self) -> &'static str {
        NAME
    }

    fn prepare(&self, info: &RunInfo, text: &str, folder: &Path, _: usize) -> Result<PreparedRun, String> {
        let batches: Batches = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let own = bench::fingerprint_of_search(Model::built_in()).map_err(|error| error.to_string())?;
        info.check(&own, &own)?;
        check(&batches.settings)?;
        Ok(batches.prepared(folder))
    }
}

impl Batches {
    /// Prepares files of games that are played here; `folder` keeps them until they are sent.
    fn prepared(self, folder: &Path) -> PreparedRun {
        let Settings { fast_nodes, full_nodes, .. } = self.settings;
        let (folder, executors, games) = (folder.to_owned(), AtomicUsize::new(0), self.games);
        PreparedRun {
            description: format!("self-play, {games} games in a file, {fast_nodes} and {full_nodes} simulations"),
            threads: 1,
            executor: Box::new(move || {
                // No other executor writes there.
                let folder = folder.join(executors.fetch_add(1, Ordering::Relaxed).to_string());
                let batches = self.clone();
                Box::new(move |task, _, stop| {
                    let file = batches.play(&folder, task.number, stop)?;
                    Ok(file.map(|file| Done { result: Vec::new(), file: Some(file) }))
                })
            }),
        }
    }

    /// Plays the file of a seed; `None` if it was stopped before the end.
    fn play(&self, folder: &Path, seed: u64, stop: &AtomicBool) -> Result<Option<Vec<u8>>, String> {
        let failed = |error: io::Error| error.to_string();
        fs::create_dir_all(folder).map_err(failed)?;
        let path = self.path(folder, seed);
        let (mut writer, done) = Writer::append(&path, &self.header(seed)).map_err(|error| error.to_string())?;
        for number in done as u32..self.games {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let game = play(&self.settings, seed, number).map_err(|error| error.to_string())?;
            writer.write(&game).map_err(|error| error.to_string())?;
        }
        // Windows denies reading a locked file.
        drop(writer);
        let file = fs::read(&path).map_err(failed)?;
        fs::remove_file(&path).map_err(failed)?;
        Ok(Some(file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batches() -> Batches {
        let settings = Settings { fast_nodes: 2, full_nodes: 4, ..Settings::default() };
        Batches { engine: "0".repeat(16), settings, games: 3 }
    }

    fn file(batches: &Batches, seed: u64) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let mut executor = (batches.clone().prepared(folder.path()).executor)();
        let task = TaskId { group: 0, number: seed };
        assert_eq!(executor(task, &[], &AtomicBool::new(true)), Ok(None));
        executor(task, &[], &AtomicBool::new(false)).unwrap().unwrap().file.unwrap()
    }

    #[test]
    fn other_seeds_are_another_run() {
        let key = |seeds| batches().request(seeds).key;
        assert_eq!(key(1..3), key(1..3));
        assert_ne!(key(1..3), key(3..5));
        assert_ne!(key(1..3), key(1..4));
    }

    #[test]
    fn rejects_damaged_and_incomplete_files() {
        let (batches, folder) = (batches(), tempfile::tempdir().unwrap());
        let is_there = |batches: &Batches| batches.is_there(folder.path(), 7);
        assert!(!is_there(&batches).unwrap());
        let whole = file(&batches, 7);
        let path = batches.path(folder.path(), 7);
        fs::write(&path, &whole).unwrap();
        assert!(is_there(&batches).unwrap());
        assert!(!is_there(&Batches { games: 4, ..batches.clone() }).unwrap());
        fs::write(&path, &whole[..whole.len() - 1]).unwrap();
        assert!(!is_there(&batches).unwrap());
        assert!(is_there(&Batches { games: 2, ..batches.clone() }).unwrap());

        let refused = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            is_there(&batches).unwrap_err().to_string()
        };
        let mut damaged = whole.clone();
        *damaged.last_mut().unwrap() ^= 1;
        let error = refused(&damaged);
        assert!(error.contains("7.games is damaged: the checksum of game 2"), "{error}");
        assert!(refused(&file(&batches, 8)).contains("7.games has games of another engine, seed"));
        assert!(refused(b"no games at all").contains("7.games is not a file of self-play games"));
    }

    #[test]
    fn stores_only_requested_files() {
        let (batches, folder) = (batches(), tempfile::tempdir().unwrap());
        let right = file(&batches, 7);
        let refused = |file: &[u8], seed: u64| batches.keep(folder.path(), seed, file).unwrap().unwrap_err();
        assert!(refused(&right, 8).contains("8.part has games of another engine, seed"));
        assert!(refused(&right[..right.len() - 1], 7).contains("cut"));
        assert!(refused(b"", 7).contains("7.part"));
        let shorter = file(&Batches { games: 2, ..batches.clone() }, 7);
        assert!(refused(&shorter, 7).contains("2 games, of which 3 are needed"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);

        let games = batches.keep(folder.path(), 7, &right).unwrap().unwrap();
        assert_eq!(games[2], play(&batches.settings, 7, 2).unwrap());
        assert_eq!(fs::read(batches.path(folder.path(), 7)).unwrap(), right);
    }
}
