//! The state of a league: the players, the results, and the choice of the next pair.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::{Duration, Instant};

use game::Rules;

use super::LeagueError;
use super::choice::{RatedPlayer, choose};
use super::folder::{Entry, Folder};
use super::standings::Standings;
use crate::database::{LeagueMatch, LeaguePlayer, Store, StoreError};
use crate::games::played::{GameId, PlayedGame};
use crate::ratings::{Interval, Pairs, ratings};

/// Minimum interval between ratings, as a multiple of the duration of the last.
const RATING_SHARE: u32 = 10;

pub(super) struct State {
    store: Store,
    folder: Folder,
    /// The players in the folder by number.
    active: BTreeMap<i64, Entry>,
    players: HashMap<i64, LeaguePlayer>,
    matches: BTreeMap<i64, LeagueMatch>,
    /// The matches by their players, the smaller number first.
    numbers: HashMap<[i64; 2], i64>,
    /// Number of the next pair of each match.
    next_pairs: HashMap<i64, u32>,
    /// Pairs that an interruption has left with one game.
    interrupted: BTreeMap<(i64, u32), GameId>,
    /// Number of pairs in progress of each match.
    running: HashMap<i64, u32>,
    /// Number of games that may still be started.
    remaining_games: Option<u64>,
    /// End and duration of the last rating; `None` while one is computed.
    rated: Option<(Instant, Duration)>,
    remarks: Vec<String>,
}

/// A pair of games that a thread plays.
pub(super) struct Task {
    pub(super) match_id: i64,
    pub(super) pair: u32,
    /// The game of the pair that is in the database.
    pub(super) finished: Option<GameId>,
    /// The versions and their names in lists.
    pub(super) players: [(Entry, String); 2],
}

/// The pairs of games of all rated versions, with the number of each.
pub(super) struct Results {
    ids: Vec<i64>,
    pairs: Vec<(usize, usize, Pairs)>,
    started: Instant,
}

/// Computed ratings.
pub(super) struct NewRatings {
    /// Ratings by the numbers of the players.
    players: Vec<(i64, Interval)>,
    /// Start of the computation.
    started: Instant,
}

impl Results {
    /// Computes the ratings, which takes seconds for a thousand versions.
    pub(super) fn rate(self) -> NewRatings {
        let rated = ratings(self.ids.len(), &self.pairs);
        NewRatings { players: self.ids.into_iter().zip(rated).collect(), started: self.started }
    }
}

impl State {
    /// Reads the results of a database. `games` is the number of games to play.
    pub(super) fn open(mut store: Store, folder: Folder, games: Option<u64>) -> Result<Self, LeagueError> {
        // A killed league may have stored games without counting them.
        store.recount_league()?;
        let mut state = Self {
            folder,
            active: BTreeMap::new(),
            players: HashMap::new(),
            matches: BTreeMap::new(),
            numbers: HashMap::new(),
            next_pairs: store.league_next_pairs()?,
            interrupted: store.league_half_played()?,
            running: HashMap::new(),
            remaining_games: games,
            rated: None,
            remarks: Vec::new(),
            store,
        };
        for found in state.store.league_matches()? {
            state.numbers.insert(sorted(found.players), found.id);
            state.matches.insert(found.id, found);
        }
        state.read_players()?;
        let new = state.results().rate();
        state.store_ratings(new)?;
        state.scan()?;
        Ok(state)
    }

    fn read_players(&mut self) -> Result<(), LeagueError> {
        self.players = self.store.league_players()?.into_iter().map(|player| (player.id, player)).collect();
        Ok(())
    }

    /// Reads the folder. Returns `true` if the players or the remarks changed.
    pub(super) fn scan(&mut self) -> Result<bool, LeagueError> {
        let (entries, remarks) = self.folder.read()?;
        let remarks_changed = std::mem::replace(&mut self.remarks, remarks) != self.remarks;
        let known: HashSet<(&str, &str)> = self.active.values().map(Entry::version).collect();
        if known == entries.iter().map(Entry::version).collect() {
            return Ok(remarks_changed);
        }
        let mut active = BTreeMap::new();
        for entry in entries {
            active.insert(self.store.league_version(&entry.name, &entry.hash)?, entry);
        }
        self.active = active;
        self.store.set_league_active(&self.active.keys().copied().collect::<Vec<_>>())?;
        self.read_players()?;
        Ok(true)
    }

    /// Returns the hashes of the versions that are in the folder or playing.
    pub(super) fn used_hashes(&self) -> HashSet<&str> {
        let running = self.running.iter().filter(|(_, pairs)| **pairs > 0);
        let playing = running.filter_map(|(id, _)| self.matches.get(id)).flat_map(|found| found.players);
        let playing = playing.filter_map(|id| self.players.get(&id)).map(|player| player.hash.as_str());
        self.active.values().map(|entry| entry.hash.as_str()).chain(playing).collect()
    }

    /// Chooses the next pair and marks it as in progress; `None` with fewer than two players.
    pub(super) fn next(&mut self, rules: Rules) -> Result<Option<Task>, LeagueError> {
        let playable = |&(id, _): &(i64, u32)| {
            let found = self.matches.get(&id);
            found.is_some_and(|found| found.players.iter().all(|id| self.active.contains_key(id)))
        };
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
        let Some((a, b)) = of(found.players[0]).zip(of(found.players[1])) else { return Ok(None) };
        let finished = self.interrupted.remove(&(match_id, pair));
        let games = if finished.is_some() { 1 } else { 2 };
        self.remaining_games = self.remaining_games.map(|count| count.saturating_sub(games));
        *self.running.entry(match_id).or_default() += 1;
        Ok(Some(Task { match_id, pair, finished, players: [a, b] }))
    }

    /// Returns `true` if no more games are to be started.
    pub(super) fn is_over(&self) -> bool {
        self.remaining_games == Some(0)
    }

    fn choose(&self) -> Option<[i64; 2]> {
        let mut running: HashMap<i64, u32> = HashMap::new();
        for (match_id, &pairs) in self.running.iter().filter(|(_, pairs)| **pairs > 0) {
            let players = self.matches.get(match_id).map(|found| found.players);
            players.into_iter().flatten().for_each(|id| *running.entry(id).or_default() += pairs);
        }
        let rated = |&id: &i64| {
            let elo = self.players.get(&id).and_then(|player| player.elo);
            RatedPlayer { id, elo, running: running.get(&id).copied().unwrap_or(0) }
        };
        let met = |players| {
            let Some(id) = self.numbers.get(&sorted(players)) else { return 0 };
            let running = self.running.get(id).copied().unwrap_or(0);
            self.matches.get(id).map_or(0, |found| found.pairs.count()) + u64::from(running)
        };
        choose(&self.active.keys().map(rated).collect::<Vec<_>>(), met)
    }

    /// Returns the match of two players; adds it if they have not met.
    fn match_of(&mut self, players: [i64; 2], rules: Rules) -> Result<i64, LeagueError> {
        if let Some(&id) = self.numbers.get(&sorted(players)) {
            return Ok(id);
        }
        let names = players.map(|id| self.players.get(&id).map(display_name).unwrap_or_default());
        let id = self.store.add_match_without_plan(rules, [&names[0], &names[1]])?;
        self.store.add_league_match(id, players)?;
        self.numbers.insert(sorted(players), id);
        self.matches.insert(id, self.store.recount_league_match(id)?);
        Ok(id)
    }

    /// Stores a game and counts it. Returns the results if a rating is due.
    pub(super) fn add(&mut self, match_id: i64, game: &PlayedGame) -> Result<Option<Results>, StoreError> {
        self.store.add_game(match_id, game)?;
        self.matches.insert(match_id, self.store.recount_league_match(match_id)?);
        let is_due = self.rated.is_some_and(|(when, took)| when.elapsed() >= RATING_SHARE * took);
        Ok(is_due.then(|| self.results()))
    }

    /// Marks a pair as no longer in progress.
    pub(super) fn end(&mut self, match_id: i64) {
        if let Some(running) = self.running.get_mut(&match_id) {
            *running -= 1;
        }
    }

    /// Returns the results of all versions that have played a pair.
    pub(super) fn results(&mut self) -> Results {
        self.rated = None;
        let played: Vec<&LeagueMatch> = self.matches.values().filter(|found| found.pairs.count() > 0).collect();
        let mut ids: Vec<i64> = played.iter().flat_map(|found| found.players).collect();
        ids.sort_unstable();
        ids.dedup();
        let index = |id: i64| ids.binary_search(&id).unwrap_or(0);
        let pairs =
            played.iter().map(|found| (index(found.players[0]), index(found.players[1]), found.pairs)).collect();
        Results { ids, pairs, started: Instant::now() }
    }

    /// Stores ratings.
    pub(super) fn store_ratings(&mut self, new: NewRatings) -> Result<(), StoreError> {
        self.store.set_league_elo(&new.players)?;
        for (id, elo) in new.players {
            if let Some(player) = self.players.get_mut(&id) {
                player.elo = Some(elo);
            }
        }
        self.rated = Some((Instant::now(), new.started.elapsed()));
        Ok(())
    }

    /// Returns the standings, and remarks about files that cannot play.
    pub(super) fn standings(&self) -> (Standings, Vec<String>) {
        let (players, matches) = (self.players.values().cloned().collect(), self.matches.values().copied().collect());
        (Standings::new(players, matches), self.remarks.clone())
    }
}

fn sorted([a, b]: [i64; 2]) -> [i64; 2] {
    [a.min(b), a.max(b)]
}

/// Returns the name of a version in the lists of matches and games.
fn display_name(player: &LeaguePlayer) -> String {
    if player.version == 1 { player.name.clone() } else { format!("{} v{}", player.name, player.version) }
}
