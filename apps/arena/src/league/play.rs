//! Plays the games of a league.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use game::{Piece, Rules};
use server::Clock;

use super::choice::{Candidate, choose};
use super::folder::{Entry, FileType, Folder};
use super::sandbox;
use super::standings::Standings;
use super::{DATABASE, LeagueError};
use crate::database::{LeagueMatch, LeaguePlayer, Store};
use crate::engines::package::unpack_into;
use crate::engines::process::word;
use crate::engines::{Budget, Spec};
use crate::games::live::Live;
use crate::games::played::{GameId, PlayedGame};
use crate::matches::{Job, MatchPlan, play_jobs};
use crate::openings::Opening;
use crate::ratings::ratings;

/// Interval at which idle threads read the folder.
const IDLE: Duration = Duration::from_millis(300);

/// Maximum size of an unpacked package in bytes.
const MOST_UNPACKED: u128 = 1 << 30;

/// Minimum time between two ratings, as a multiple of the time for one.
const RATING_SHARE: u32 = 10;

/// How the programs of the players run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Isolation {
    /// In a sandbox; the path of the program `arena`, which relays the connections.
    Sandbox(PathBuf),
    /// Like any program of the user.
    Trust,
}

/// The settings of a league.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// The rules.
    pub rules: Rules,
    /// The start piece of all games; `None` to draw one for every pair.
    pub start_piece: Option<Piece>,
    /// How the games begin.
    pub opening: Opening,
    /// How much players may think that let others limit them.
    pub budget: Budget,
    /// When a player loses for being slow.
    pub clock: Clock,
    /// Seed of openings and players.
    pub seed: u64,
    /// How programs run.
    pub isolation: Isolation,
}

impl Settings {
    /// What decides the games, as text.
    fn key(&self) -> String {
        let Self { rules, opening, budget, clock, seed, .. } = self;
        let start = self.start_piece.map_or("any", Piece::name);
        let limit = |value: Option<u128>, unit: &str| value.map_or("unlimited".to_owned(), |n| format!("{n}{unit}"));
        let time = limit(budget.time.map(|time| time.as_millis()), " ms");
        let nodes = limit(budget.nodes.map(u128::from), "");
        let timeout = clock.soft.as_millis();
        format!(
            "rules {rules}, start {start}, opening {opening}, time {time}, nodes {nodes}, timeout {timeout} ms, \
             seed {seed}"
        )
    }
}

/// A league that plays.
pub struct League {
    settings: Settings,
    state: Mutex<State>,
    live: Option<Live>,
    /// Counts changes of the standings.
    changes: AtomicUsize,
}

struct State {
    store: Store,
    folder: Folder,
    /// Folder of the copies of all versions.
    copies: PathBuf,
    /// The players in the folder by number.
    active: BTreeMap<i64, Entry>,
    players: HashMap<i64, LeaguePlayer>,
    matches: BTreeMap<i64, LeagueMatch>,
    /// Number of the next pair of each match.
    next_pairs: HashMap<i64, u32>,
    /// Pairs that an interruption has left with one game.
    interrupted: BTreeMap<(i64, u32), GameId>,
    /// Number of pairs in progress of each match.
    running: HashMap<i64, u32>,
    /// Number of games that may still be started.
    left: Option<u64>,
    rated: Option<(Instant, Duration)>,
    remarks: Vec<String>,
}

/// A pair of games that a thread plays.
struct Task {
    match_id: i64,
    pair: u32,
    /// The game of the pair that is in the database.
    finished: Option<GameId>,
    entries: [Entry; 2],
    names: [String; 2],
}

impl League {
    /// Opens the league of a folder. `games` is the number of games to play; `None` to play until it is stopped.
    pub fn open(
        folder: &Path,
        database: Option<&Path>,
        settings: Settings,
        games: Option<u64>,
    ) -> Result<Self, LeagueError> {
        // An unreadable folder gets no database.
        let mut files = Folder::new(folder);
        files.read()?;
        let database = database.map_or_else(|| folder.join(DATABASE), Path::to_owned);
        let mut store = Store::open(&database)?;
        let (wanted, found) = (settings.key(), store.start_league(&settings.key())?);
        if wanted != found {
            return Err(LeagueError::Settings { found });
        }
        let (mut matches, mut next_pairs, mut interrupted) = (BTreeMap::new(), HashMap::new(), BTreeMap::new());
        for found in store.league_matches()? {
            // A killed league has stored a game that it has not counted.
            matches.insert(found.id, store.recount_league_match(found.id)?);
            for game in store.game_ids(found.id)? {
                let (pair, _) = game;
                let next = next_pairs.entry(found.id).or_default();
                *next = (pair + 1).max(*next);
                // The second game completes the pair.
                if interrupted.remove(&(found.id, pair)).is_none() {
                    interrupted.insert((found.id, pair), game);
                }
            }
        }
        let players = store.league_players()?.into_iter().map(|player| (player.id, player)).collect();
        let mut copies = database.clone().into_os_string();
        copies.push("-clients");
        let live = Live::beside(&database).inspect_err(|error| log::warn!("cannot show running games: {error}")).ok();
        let mut state = State {
            store,
            folder: files,
            copies: copies.into(),
            active: BTreeMap::new(),
            players,
            matches,
            next_pairs,
            interrupted,
            running: HashMap::new(),
            left: games,
            rated: None,
            remarks: Vec::new(),
        };
        state.rate()?;
        state.scan()?;
        Ok(Self { settings, state: Mutex::new(state), live, changes: AtomicUsize::new(0) })
    }

    /// Plays `concurrency` games at the same time until `stop` is set or all games are played. Calls `show` at the
    /// start and after each change with the standings and the remarks about files that cannot play.
    ///
    /// # Errors
    /// [`LeagueError`]; all finished games are in the database.
    pub fn play(
        &self,
        concurrency: usize,
        stop: &AtomicBool,
        mut show: impl FnMut(&Standings, &[String]),
    ) -> Result<(), LeagueError> {
        let over = AtomicBool::new(false);
        let failure = Mutex::new(None);
        let mut shown = None;
        thread::scope(|scope| {
            let threads: Vec<_> = (0..concurrency.max(1))
                .map(|seat| {
                    let (over, failure) = (&over, &failure);
                    scope.spawn(move || {
                        if let Err(error) = self.play_pairs(seat, over) {
                            over.store(true, Ordering::Relaxed);
                            lock(failure).get_or_insert(error);
                        }
                    })
                })
                .collect();
            let mut last = false;
            while !last {
                last = threads.iter().all(thread::ScopedJoinHandle::is_finished);
                if stop.load(Ordering::Relaxed) {
                    over.store(true, Ordering::Relaxed);
                }
                let changes = self.changes.load(Ordering::Relaxed);
                if shown != Some(changes) {
                    shown = Some(changes);
                    let state = self.state();
                    let standings = state.standings();
                    let remarks = state.remarks.clone();
                    drop(state);
                    show(&standings, &remarks);
                }
                thread::sleep(IDLE / 10);
            }
        });
        self.state().rate()?;
        lock(&failure).take().map_or(Ok(()), Err)
    }

    /// Returns the present standings.
    pub fn standings(&self) -> Standings {
        self.state().standings()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    fn changed(&self) {
        self.changes.fetch_add(1, Ordering::Relaxed);
    }

    fn play_pairs(&self, seat: usize, over: &AtomicBool) -> Result<(), LeagueError> {
        while !over.load(Ordering::Relaxed) {
            let task = {
                let mut state = self.state();
                if state.scan()? {
                    self.changed();
                }
                if state.left == Some(0) {
                    return Ok(());
                }
                state.next(self.settings.rules)?
            };
            let Some(task) = task else {
                thread::sleep(IDLE);
                continue;
            };
            let played = self.play_pair(&task, seat, over);
            if let Some(running) = self.state().running.get_mut(&task.match_id) {
                *running -= 1;
            }
            played?;
        }
        Ok(())
    }

    fn play_pair(&self, task: &Task, seat: usize, over: &AtomicBool) -> Result<(), LeagueError> {
        let Settings { rules, start_piece, budget, clock, seed, .. } = self.settings;
        let copies = self.state().copies.clone();
        let spec = |entry: &Entry, name: &String| {
            let text = self.specification(&copies, entry, seat);
            let spec = text.and_then(|text| text.parse().map_err(|error: crate::engines::SpecError| error.reason));
            // Whatever is wrong with it, it loses its own game only.
            let spec = spec.unwrap_or_else(|reason| cannot_play(&reason));
            spec.tolerant(name.clone())
        };
        let sides = [spec(&task.entries[0], &task.names[0]), spec(&task.entries[1], &task.names[1])];
        let opening = self.settings.opening.clone();
        // Each match of the league has openings of its own.
        let seed = seed ^ ((task.match_id as u64) << 32);
        let budgets = [budget; 2];
        let plan = MatchPlan { sides, budgets, clock, rules, start_piece, opening, pairs: 1, seed, sprt: None };
        let number = u32::try_from(task.match_id).unwrap_or(u32::MAX);
        let jobs = [Job { number, pair: task.pair }];
        let is_finished = |_, id| task.finished == Some(id);
        let mut stored = Ok(());
        play_jobs(&|_| plan.clone(), &jobs, &is_finished, self.live.as_ref(), 1, over, |_, game| {
            stored = self.state().add(task.match_id, &game);
            self.changed();
            if stored.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        stored
    }

    /// Returns the specification of a version as `arena match` accepts it.
    fn specification(&self, copies: &Path, entry: &Entry, seat: usize) -> Result<String, String> {
        let Isolation::Sandbox(relay) = &self.settings.isolation else {
            if let FileType::Text(text) = &entry.file_type {
                return Ok(text.clone());
            }
            let copy = copy_of(copies, entry)?;
            let folder = word(&copy.to_string_lossy());
            return Ok(format!("exec:cd {folder} && exec {}", start(entry)));
        };
        let cpu = seat % thread::available_parallelism().map_or(1, usize::from);
        if let FileType::Text(text) = &entry.file_type {
            return Ok(match text.split_once(':') {
                Some(("gtp", rest)) => {
                    let (lines, command) = rest
                        .rsplit_once('!')
                        .map_or((String::new(), rest), |(lines, command)| (format!("{lines}!"), command));
                    format!("gtp:{lines}{}", sandbox::pipe_command(command, cpu))
                }
                Some(("exec", command)) => format!("exec:{}", sandbox::client_command(relay, None, command, cpu)),
                _ => text.clone(),
            });
        }
        let copy = copy_of(copies, entry)?;
        let copy = copy.canonicalize().map_err(|error| error.to_string())?;
        Ok(format!("exec:{}", sandbox::client_command(relay, Some(&copy), &start(entry), cpu)))
    }
}

/// A client that fails with this message.
fn cannot_play(reason: &str) -> Spec {
    let command = format!("exec:printf '%s\\n' {} >&2; exit 1 #", word(reason));
    command.parse().unwrap_or_else(|error| unreachable!("a command is a contestant: {error}"))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// File of a program in the folder of its version.
const PROGRAM: &str = "program";

/// The command that starts a version in its folder.
fn start(entry: &Entry) -> String {
    match entry.file_type {
        FileType::Package => "sh ./start.sh".to_owned(),
        FileType::Jar => format!("java -jar -mx{}m ./{PROGRAM}.jar", sandbox::MEMORY),
        FileType::Program | FileType::Text(_) => format!("./{PROGRAM}"),
    }
}

/// Returns the folder with the copy of a version; creates it if necessary. The copy plays even if the file changes
/// during a game.
fn copy_of(copies: &Path, entry: &Entry) -> Result<PathBuf, String> {
    let text = |error: std::io::Error| format!("cannot copy {}: {error}", entry.path.display());
    let target = copies.join(&entry.hash[..16]);
    if target.is_dir() {
        return Ok(target);
    }
    fs::create_dir_all(copies).map_err(text)?;
    let new = tempfile::Builder::new().prefix("new-").tempdir_in(copies).map_err(text)?;
    match entry.file_type {
        FileType::Package => unpack_into(&entry.path.to_string_lossy(), new.path(), MOST_UNPACKED)?,
        FileType::Jar => _ = fs::copy(&entry.path, new.path().join(format!("{PROGRAM}.jar"))).map_err(text)?,
        _ => _ = fs::copy(&entry.path, new.path().join(PROGRAM)).map_err(text)?,
    }
    // Another thread may have made the same copy.
    match fs::rename(new.path(), &target) {
        Err(error) if !target.is_dir() => Err(text(error)),
        _ => Ok(target),
    }
}

impl State {
    /// Reads the folder. Returns `true` if the players changed.
    fn scan(&mut self) -> Result<bool, LeagueError> {
        let (entries, remarks) = self.folder.read()?;
        let is_new = std::mem::replace(&mut self.remarks, remarks) != self.remarks;
        let known: Vec<(&str, &str)> =
            self.active.values().map(|entry| (entry.name.as_str(), entry.hash.as_str())).collect();
        let found: Vec<(&str, &str)> = entries.iter().map(|entry| (entry.name.as_str(), entry.hash.as_str())).collect();
        if known.len() == found.len() && found.iter().all(|entry| known.contains(entry)) {
            return Ok(is_new);
        }
        let mut active = BTreeMap::new();
        for entry in entries {
            active.insert(self.store.league_version(&entry.name, &entry.hash)?, entry);
        }
        self.active = active;
        self.store.set_league_active(&self.active.keys().copied().collect::<Vec<_>>())?;
        self.players = self.store.league_players()?.into_iter().map(|player| (player.id, player)).collect();
        Ok(true)
    }

    /// Chooses the next pair and notes that it is played; `None` if there are not two players.
    fn next(&mut self, rules: Rules) -> Result<Option<Task>, LeagueError> {
        let playable = |&(id, _): &(i64, u32)| self.is_playable(id);
        let interrupted = self.interrupted.keys().copied().find(playable);
        let (match_id, pair) = match interrupted {
            Some(interrupted) => interrupted,
            None => {
                let Some(players) = self.choose() else { return Ok(None) };
                let match_id = self.match_of(players, rules)?;
                let next = self.next_pairs.entry(match_id).or_default();
                *next += 1;
                (match_id, *next - 1)
            }
        };
        let Some(found) = self.matches.get(&match_id) else { return Ok(None) };
        let of = |id: i64| Some((self.active.get(&id)?.clone(), self.players.get(&id).map(display_name)?));
        let Some(((a, name_a), (b, name_b))) = of(found.players[0]).zip(of(found.players[1])) else { return Ok(None) };
        let finished = self.interrupted.remove(&(match_id, pair));
        let games = if finished.is_some() { 1 } else { 2 };
        self.left = self.left.map(|left| left.saturating_sub(games));
        *self.running.entry(match_id).or_default() += 1;
        Ok(Some(Task { match_id, pair, finished, entries: [a, b], names: [name_a, name_b] }))
    }

    /// Returns `true` if both players of a match are in the folder.
    fn is_playable(&self, match_id: i64) -> bool {
        let found = self.matches.get(&match_id);
        found.is_some_and(|found| found.players.iter().all(|id| self.active.contains_key(id)))
    }

    fn choose(&self) -> Option<[i64; 2]> {
        let mut running: HashMap<i64, u32> = HashMap::new();
        let mut met: HashMap<[i64; 2], u64> = HashMap::new();
        let key = |[a, b]: [i64; 2]| [a.min(b), a.max(b)];
        for found in self.matches.values() {
            *met.entry(key(found.players)).or_default() += found.pairs.count();
        }
        for (match_id, &pairs) in &self.running {
            let Some(found) = self.matches.get(match_id) else { continue };
            *met.entry(key(found.players)).or_default() += u64::from(pairs);
            found.players.iter().for_each(|id| *running.entry(*id).or_default() += pairs);
        }
        let candidate = |&id: &i64| {
            let elo = self.players.get(&id).and_then(|player| player.elo);
            Candidate { id, elo, running: running.get(&id).copied().unwrap_or(0) }
        };
        choose(&self.active.keys().map(candidate).collect::<Vec<_>>(), &met)
    }

    /// Returns the match of two players; adds it if they have not met.
    fn match_of(&mut self, players: [i64; 2], rules: Rules) -> Result<i64, LeagueError> {
        let [a, b] = players;
        let is_it = |found: &&LeagueMatch| found.players == [a, b] || found.players == [b, a];
        if let Some(found) = self.matches.values().find(is_it) {
            return Ok(found.id);
        }
        let names = players.map(|id| self.players.get(&id).map(display_name).unwrap_or_default());
        let id = self.store.add_import(rules, [&names[0], &names[1]])?;
        self.store.add_league_match(id, players)?;
        self.matches.insert(id, self.store.recount_league_match(id)?);
        Ok(id)
    }

    /// Stores a game and counts it.
    fn add(&mut self, match_id: i64, game: &PlayedGame) -> Result<(), LeagueError> {
        self.store.add_game(match_id, game, None)?;
        self.matches.insert(match_id, self.store.recount_league_match(match_id)?);
        let is_due = self.rated.is_none_or(|(when, took)| when.elapsed() >= RATING_SHARE * took);
        if is_due { self.rate() } else { Ok(()) }
    }

    /// Rates all versions that have played a pair.
    fn rate(&mut self) -> Result<(), LeagueError> {
        let begin = Instant::now();
        let played: Vec<&LeagueMatch> = self.matches.values().filter(|found| found.pairs.count() > 0).collect();
        let mut ids: Vec<i64> = played.iter().flat_map(|found| found.players).collect();
        ids.sort_unstable();
        ids.dedup();
        let index = |id: i64| ids.binary_search(&id).unwrap_or(0);
        let results: Vec<_> =
            played.iter().map(|found| (index(found.players[0]), index(found.players[1]), found.pairs)).collect();
        let rated: Vec<_> = ids.iter().copied().zip(ratings(ids.len(), &results)).collect();
        self.store.set_league_elo(&rated)?;
        for (id, elo) in rated {
            if let Some(player) = self.players.get_mut(&id) {
                player.elo = Some(elo);
            }
        }
        self.rated = Some((Instant::now(), begin.elapsed()));
        Ok(())
    }

    fn standings(&self) -> Standings {
        let matches: Vec<LeagueMatch> = self.matches.values().copied().collect();
        Standings::new(self.players.values().cloned().collect(), &matches)
    }
}

/// Name of a version in the lists of matches and games.
fn display_name(player: &LeaguePlayer) -> String {
    if player.version == 1 { player.name.clone() } else { format!("{} v{}", player.name, player.version) }
}
