//! Running games of a match, in a file next to its database, for viewers.
//!
//! Nothing depends on that file. Each process rewrites its own file as a whole and removes it at the end; readers
//! ignore the file of a dead process.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime};

use record::{Game, file, json};

use crate::games::played::{GameId, PlayedGame, Side};
use crate::lock::lock;
use crate::plan::{Entrant, Plan};

/// Interval at which changes are written.
const PERIOD: Duration = Duration::from_millis(250);

/// Maximum interval between writes, so that readers can detect a dead process.
const SIGN_OF_LIFE: Duration = Duration::from_secs(1);

/// Age of an abandoned file.
const STALE: Duration = Duration::from_secs(5);

/// Time that a finished game stays visible, so that viewers see its end.
const LINGER: Duration = Duration::from_secs(3);

/// Time that the last games stay visible while the match exits: several reads of a viewer.
const LAST_LINGER: Duration = Duration::from_millis(750);

/// Minimum duration of a game that stays visible after its end.
const MIN_DURATION: Duration = Duration::from_secs(1);

/// Writes the running games next to a database until it is dropped.
#[derive(Debug)]
pub struct Live {
    games: Arc<Mutex<LiveGames>>,
    /// The thread that writes ends when this is dropped.
    end: Option<Sender<()>>,
    writer: Option<JoinHandle<()>>,
}

/// The games by the number of their match and their place in it.
type LiveGames = BTreeMap<(u32, GameId), LiveGame>;

#[derive(Debug)]
struct LiveGame {
    names: [String; 2],
    game: PlayedGame,
    begun: Instant,
    ended: Option<Instant>,
}

impl Live {
    /// Starts writing for a database, which need not exist yet.
    pub fn beside(database: &Path) -> io::Result<Self> {
        // Killed processes leave files.
        for path in files(database).filter(|path| !is_fresh(path)) {
            // Another process may have removed it.
            let _ = fs::remove_file(path);
        }
        let games = Arc::<Mutex<LiveGames>>::default();
        let (end, ended) = mpsc::channel();
        let (path, live) = (named(database, &process::id().to_string()), Arc::clone(&games));
        let write = move || {
            let mut writer = LiveWriter { path, last: None };
            while ended.recv_timeout(PERIOD) == Err(RecvTimeoutError::Timeout) {
                writer.write_if_due(&live);
            }
            writer.write_if_due(&live);
            if lock(&live).values().any(|game| game.ended.is_some()) {
                thread::sleep(LAST_LINGER);
            }
            // It is gone if nothing could be written.
            let _ = fs::remove_file(&writer.path);
        };
        let writer = thread::Builder::new().name("live".to_owned()).spawn(write)?;
        Ok(Self { games, end: Some(end), writer: Some(writer) })
    }

    /// Takes a game of a match after another move or at its end.
    pub fn note(&self, number: u32, plan: &Plan, game: &PlayedGame) {
        let mut games = lock(&self.games);
        let live = games.entry((number, game.id())).or_insert_with(|| LiveGame {
            names: Side::ALL.map(|side| name(&plan.contestants[side as usize])),
            game: game.clone(),
            begun: Instant::now(),
            ended: None,
        });
        live.game.clone_from(game);
    }
}

/// Returns the name of a contestant. The default name gets the path of its program.
fn name(entrant: &Entrant) -> String {
    if entrant.name == entrant.player { entrant.spec.to_string() } else { entrant.name.clone() }
}

impl Drop for Live {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(writer) = self.writer.take() {
            // A panic has been reported, and nothing depends on this thread.
            let _ = writer.join();
        }
    }
}

struct LiveWriter {
    path: PathBuf,
    /// Content and time of the last write.
    last: Option<(String, Instant)>,
}

impl LiveWriter {
    fn write_if_due(&mut self, games: &Mutex<LiveGames>) {
        let now = Instant::now();
        let mut games = lock(games);
        for live in games.values_mut() {
            // A game that is played again has no result any more.
            live.ended = live.game.outcome(Side::A).map(|_| live.ended.unwrap_or(now));
        }
        games.retain(|_, live| {
            live.ended.is_none_or(|ended| ended - live.begun >= MIN_DURATION && now - ended < LINGER)
        });
        let text = games.iter().map(|(key, live)| line(*key, live)).collect::<Vec<_>>().concat();
        // The games need not wait for the disk.
        drop(games);
        if self.last.as_ref().is_some_and(|(last, when)| *last == text && now - *when < SIGN_OF_LIFE) {
            return;
        }
        // Read as a whole or not at all.
        let mut new = self.path.clone().into_os_string();
        new.push(NEW);
        if let Err(error) = fs::write(&new, &text).and_then(|()| fs::rename(&new, &self.path)) {
            log::warn!("viewers cannot see running games: {}: {error}", self.path.display());
            // An incomplete file takes room on a full disk.
            let _ = fs::remove_file(&new);
        }
        self.last = Some((text, now));
    }
}

fn line((number, GameId { pair, is_swapped }): (u32, GameId), live: &LiveGame) -> String {
    let mut game = live.game.to_game(live.names.each_ref().map(String::as_str));
    game.id = format!("{}-{number}-{pair}-{}", process::id(), if is_swapped { 2 } else { 1 });
    json::write(&game) + "\n"
}

/// Returns the file of a process next to a database.
fn named(database: &Path, process: &str) -> PathBuf {
    let mut name = OsString::from(database);
    name.push(format!("-live.{process}"));
    name.into()
}

/// Suffix of a file that is being written.
const NEW: &str = ".new";

/// Returns the files of all processes next to a database, also those being written.
fn files(database: &Path) -> impl Iterator<Item = PathBuf> {
    let folder = database.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let prefix = format!("{}-live.", database.file_name().unwrap_or_default().to_string_lossy());
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok).filter(move |entry| {
        let name = entry.file_name();
        let process = name.to_string_lossy().strip_prefix(&prefix).map(|rest| rest.trim_end_matches(NEW).to_owned());
        process.is_some_and(|process| process.bytes().all(|byte| byte.is_ascii_digit()))
    });
    entries.map(|entry| entry.path())
}

/// Returns `true` if a running process writes the file.
fn is_fresh(path: &Path) -> bool {
    let written = fs::metadata(path).and_then(|metadata| metadata.modified());
    written.is_ok_and(|written| SystemTime::now().duration_since(written).is_ok_and(|age| age < STALE))
}

/// Returns the running and just finished games next to a database, each with a unique `id`. Unreadable files are
/// skipped: they are complete at the next read, or abandoned.
pub fn games(database: &Path) -> Vec<Game> {
    let is_whole = |path: &PathBuf| path.extension() != Some(NEW[1..].as_ref());
    let files = files(database).filter(|path| is_whole(path) && is_fresh(path));
    files.filter_map(|path| file::open(&path).ok()).flatten().filter_map(Result::ok).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::Budget;
    use crate::games::played::Ply;
    use game::{Position, Rules, Team};
    use record::{Fault, FaultKind};

    /// Returns a folder, a database in it, a match, and a game of it.
    fn begun() -> (tempfile::TempDir, PathBuf, Plan, PlayedGame) {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("arena.sqlite");
        let start = Position::new(Rules::Classic, None).unwrap();
        let game = PlayedGame { pair: 3, team_of_a: Team::Two, start, plies: Vec::new(), fault: None };
        (folder, database, Plan::of_two(["random", "heuristic"].map(|text| text.parse().unwrap())), game)
    }

    #[test]
    fn games_are_visible_only_during_match() {
        let (folder, database, plan, mut game) = begun();
        let live = Live::beside(&database).unwrap();
        for mv in ["MONO@0,0", "DOMINO@18,0"] {
            game.plies.push(Ply { mv: mv.parse().unwrap(), choice: None });
            live.note(0, &plan, &game);
            let deadline = Instant::now() + Duration::from_secs(10);
            let live = loop {
                let live = games(&database);
                if live.first().is_some_and(|live| live.moves().count() == game.plies.len()) {
                    break live;
                }
                assert!(Instant::now() < deadline, "{live:?}");
                thread::sleep(Duration::from_millis(20));
            };
            assert_eq!(live[0].names, ["heuristic", "random"]);
            assert!(live[0].id.ends_with("-0-3-2"), "{}", live[0].id);
        }
        drop(live);
        assert!(games(&database).is_empty() && fs::read_dir(folder.path()).unwrap().next().is_none());
    }

    #[test]
    fn default_name_shows_program() {
        let entrant = |own| Entrant::new("exec:{program}", Some("a.jar".as_ref()), own, Budget::UNLIMITED).unwrap();
        assert_eq!([name(&entrant(None)), name(&entrant(Some("own")))], ["exec:a.jar", "own"]);
    }

    #[test]
    fn end_of_last_game_is_visible() {
        let (folder, database, plan, mut game) = begun();
        let live = Live::beside(&database).unwrap();
        live.note(0, &plan, &game);
        // It has lasted long enough to stay visible.
        lock(&live.games).values_mut().for_each(|live| live.begun -= 2 * MIN_DURATION);
        game.fault = Some((Side::B, Fault::new(FaultKind::Resigned, "resign")));
        live.note(0, &plan, &game);
        let reader = thread::spawn(move || {
            let deadline = Instant::now() + Duration::from_secs(10);
            while games(&database).iter().all(|game| game.fault.is_none()) && Instant::now() < deadline {
                thread::sleep(Duration::from_millis(20));
            }
            Instant::now() < deadline
        });
        drop(live);
        assert!(reader.join().unwrap() && fs::read_dir(folder.path()).unwrap().next().is_none());
    }

    #[test]
    fn ignores_and_removes_stale_files() {
        let (folder, database, _, game) = begun();
        let path = named(&database, "123");
        fs::write(&path, json::write(&game.to_game(["a", "b"])) + "\n").unwrap();
        fs::write(named(&database, "123.new"), "half").unwrap();
        assert_eq!(games(&database).len(), 1);
        let old = SystemTime::now() - 2 * STALE;
        fs::File::options().append(true).open(&path).unwrap().set_modified(old).unwrap();
        assert!(games(&database).is_empty());
        // The next match removes it, but nothing that is not old or of another database.
        let other = folder.path().join("arena.sqlite-other");
        fs::write(&other, "").unwrap();
        fs::File::options().append(true).open(&other).unwrap().set_modified(old).unwrap();
        drop(Live::beside(&database).unwrap());
        assert!(!path.exists() && named(&database, "123.new").exists() && other.exists());
    }
}
