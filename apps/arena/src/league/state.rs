//! The state of a league: the players, the results, and the choice of the next pair.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::{Duration, Instant};

use game::Rules;

use super::LeagueError;
use super::choice::{RatedPlayer, choose};
use super::folder::{FolderPlayer, PlayerFolder};
use super::standings::LeagueStandings;
use crate::database::{LeagueMatch, LeaguePlayer, Store, StoreError};
use crate::games::played::{GameId, PlayedGame};
use crate::ratings::{Interval, Pairs, ratings};

/// Minimum interval between ratings, as a multiple of the duration of the last.
const RATING_SHARE: u32 = 10;

pub(super) struct LeagueState {
    store: Store,
    folder: PlayerFolder,
    /// The players in the folder by number.
    active: BTreeMap<i64, FolderPlayer>,
    players: HashMap<i64, LeaguePlayer>,
    /// The matches by their players, the smaller number first.
    matches: BTreeMap<[i64; 2], MatchState>,
    /// Number of games that may still be started.
    remaining_games: Option<u64>,
    /// End and duration of the last rating; `None` while one is computed.
    rated: Option<(Instant, Duration)>,
    remarks: Vec<String>,
}

/// A match of the league.
struct MatchState {
    results: LeagueMatch,
    next_pair: u32,
    /// The finished games of pairs that an interruption has left with one game.
    half_played: Vec<GameId>,
    /// Number of pairs in progress.
    running: u32,
}

/// A pair of games to play.
pub(super) struct LeagueJob {
    pub(super) match_id: i64,
    pub(super) pair: u32,
    /// The game of the pair that is in the database.
    pub(super) finished: Option<GameId>,
    /// The versions and their names in lists.
    pub(super) players: [(FolderPlayer, String); 2],
    /// Key of the match in [`LeagueState::matches`].
    key: [i64; 2],
}

/// The pairs of all versions that have played one. They are rated without the lock of the league.
pub(super) struct LeagueResults {
    ids: Vec<i64>,
    /// Indices of two versions in `ids`, and their pairs.
    pairs: Vec<(usize, usize, Pairs)>,
    started: Instant,
}

impl LeagueResults {
    /// Computes the ratings, which takes seconds for a thousand versions.
    pub(super) fn rate(&self) -> Vec<Interval> {
        ratings(self.ids.len(), &self.pairs)
    }
}

impl LeagueState {
    /// Reads the results of a database. `games` is the number of games to play.
    pub(super) fn open(mut store: Store, folder: PlayerFolder, games: Option<u64>) -> Result<Self, LeagueError> {
        // A killed league may have stored games without counting them.
        store.recount_league()?;
        let (next_pairs, half_played) = (store.league_next_pairs()?, store.league_half_played()?);
        let match_state = |results: LeagueMatch| {
            let half_played = half_played.iter().filter(|(id, _)| *id == results.id).map(|(_, game)| *game).collect();
            let next_pair = next_pairs.get(&results.id).copied().unwrap_or(0);
            (sorted(results.players), MatchState { results, next_pair, half_played, running: 0 })
        };
        let mut state = Self {
            folder,
            active: BTreeMap::new(),
            players: HashMap::new(),
            matches: store.league_matches()?.into_iter().map(match_state).collect(),
            remaining_games: games,
            rated: None,
            remarks: Vec::new(),
            store,
        };
        state.read_players()?;
        let results = state.results();
        let ratings = results.rate();
        state.store_ratings(&results, ratings)?;
        state.scan()?;
        Ok(state)
    }

    fn read_players(&mut self) -> Result<(), LeagueError> {
        self.players = self.store.league_players()?.into_iter().map(|player| (player.id, player)).collect();
        Ok(())
    }

    /// Reads the folder. Returns `true` if the players or the remarks changed.
    pub(super) fn scan(&mut self) -> Result<bool, LeagueError> {
        let (players, remarks) = self.folder.read()?;
        let remarks_changed = std::mem::replace(&mut self.remarks, remarks) != self.remarks;
        let known: HashSet<(&str, &str)> = self.active.values().map(FolderPlayer::version).collect();
        if known == players.iter().map(FolderPlayer::version).collect() {
            return Ok(remarks_changed);
        }
        let mut active = BTreeMap::new();
        for player in players {
            active.insert(self.store.league_version(&player.name, &player.hash)?, player);
        }
        self.active = active;
        self.store.set_league_active(&self.active.keys().copied().collect::<Vec<_>>())?;
        self.read_players()?;
        Ok(true)
    }

    /// Returns the hashes of the versions that are in the folder or playing.
    pub(super) fn used_hashes(&self) -> HashSet<&str> {
        let playing =
            self.matches.iter().filter(|(_, match_state)| match_state.running > 0).flat_map(|(players, _)| players);
        let playing = playing.filter_map(|id| self.players.get(id)).map(|player| player.hash.as_str());
        self.active.values().map(|player| player.hash.as_str()).chain(playing).collect()
    }

    /// Chooses the next pair and marks it as in progress; `None` with fewer than two players.
    pub(super) fn next(&mut self, rules: Rules) -> Result<Option<LeagueJob>, LeagueError> {
        let is_playable = |players: &[i64; 2]| players.iter().all(|id| self.active.contains_key(id));
        let mut half_played = self.matches.iter().filter(|(_, match_state)| !match_state.half_played.is_empty());
        let key = match half_played.find(|(players, _)| is_playable(players)) {
            Some((&players, _)) => players,
            None => {
                let Some(players) = self.choose() else { return Ok(None) };
                self.find_or_add_match(players, rules)?
            }
        };
        let player = |id: i64| Some((self.active.get(&id)?.clone(), self.players.get(&id).map(display_name)?));
        let Some(match_state) = self.matches.get_mut(&key) else { return Ok(None) };
        let LeagueMatch { id: match_id, players: [a, b], .. } = match_state.results;
        let Some((a, b)) = player(a).zip(player(b)) else { return Ok(None) };
        let finished = match_state.half_played.pop();
        let pair = finished.map_or(match_state.next_pair, |game| game.pair);
        match_state.next_pair = match_state.next_pair.max(pair + 1);
        match_state.running += 1;
        let games = if finished.is_some() { 1 } else { 2 };
        self.remaining_games = self.remaining_games.map(|count| count.saturating_sub(games));
        Ok(Some(LeagueJob { match_id, pair, finished, players: [a, b], key }))
    }

    /// Returns `true` if no more games are to be started.
    pub(super) fn is_over(&self) -> bool {
        self.remaining_games == Some(0)
    }

    fn choose(&self) -> Option<[i64; 2]> {
        let mut running: HashMap<i64, u32> = HashMap::new();
        for (players, match_state) in &self.matches {
            players.iter().for_each(|id| *running.entry(*id).or_default() += match_state.running);
        }
        let rated = |&id: &i64| {
            let elo = self.players.get(&id).and_then(|player| player.elo);
            RatedPlayer { id, elo, running: running.get(&id).copied().unwrap_or(0) }
        };
        let met = |players| {
            let match_state = self.matches.get(&sorted(players));
            match_state.map_or(0, |match_state| match_state.results.pairs.count() + u64::from(match_state.running))
        };
        choose(&self.active.keys().map(rated).collect::<Vec<_>>(), met)
    }

    /// Returns the key of the match of two players; adds it if they have not met.
    fn find_or_add_match(&mut self, players: [i64; 2], rules: Rules) -> Result<[i64; 2], LeagueError> {
        let key = sorted(players);
        if !self.matches.contains_key(&key) {
            let names = players.map(|id| self.players.get(&id).map(display_name).unwrap_or_default());
            let id = self.store.add_match_without_plan(rules, [&names[0], &names[1]])?;
            self.store.add_league_match(id, players)?;
            let results = self.store.recount_league_match(id)?;
            self.matches.insert(key, MatchState { results, next_pair: 0, half_played: Vec::new(), running: 0 });
        }
        Ok(key)
    }

    /// Stores a game and counts it. Returns the results if a rating is due.
    pub(super) fn add(&mut self, job: &LeagueJob, game: &PlayedGame) -> Result<Option<LeagueResults>, StoreError> {
        self.store.add_game(job.match_id, game)?;
        let results = self.store.recount_league_match(job.match_id)?;
        self.matches.entry(job.key).and_modify(|match_state| match_state.results = results);
        let is_due = self.rated.is_some_and(|(when, took)| when.elapsed() >= RATING_SHARE * took);
        Ok(is_due.then(|| self.results()))
    }

    /// Marks a pair as no longer in progress.
    pub(super) fn end(&mut self, job: &LeagueJob) {
        self.matches.entry(job.key).and_modify(|match_state| match_state.running -= 1);
    }

    /// Returns the results of all versions that have played a pair.
    pub(super) fn results(&mut self) -> LeagueResults {
        self.rated = None;
        let results = self.matches.values().map(|match_state| &match_state.results);
        let played: Vec<&LeagueMatch> = results.filter(|found| found.pairs.count() > 0).collect();
        let mut ids: Vec<i64> = played.iter().flat_map(|found| found.players).collect();
        ids.sort_unstable();
        ids.dedup();
        let index = |id: i64| ids.binary_search(&id).unwrap_or(0);
        let pairs =
            played.iter().map(|found| (index(found.players[0]), index(found.players[1]), found.pairs)).collect();
        LeagueResults { ids, pairs, started: Instant::now() }
    }

    /// Stores the ratings of these results.
    pub(super) fn store_ratings(&mut self, results: &LeagueResults, ratings: Vec<Interval>) -> Result<(), StoreError> {
        let ratings: Vec<(i64, Interval)> = results.ids.iter().copied().zip(ratings).collect();
        self.store.set_league_elo(&ratings)?;
        for (id, elo) in ratings {
            self.players.entry(id).and_modify(|player| player.elo = Some(elo));
        }
        self.rated = Some((Instant::now(), results.started.elapsed()));
        Ok(())
    }

    /// Returns the standings, and remarks about files that cannot play.
    pub(super) fn standings(&self) -> (LeagueStandings, Vec<String>) {
        let matches = self.matches.values().map(|match_state| match_state.results).collect();
        (LeagueStandings::new(self.players.values().cloned().collect(), matches), self.remarks.clone())
    }
}

fn sorted([a, b]: [i64; 2]) -> [i64; 2] {
    [a.min(b), a.max(b)]
}

/// Returns the name of a version in the lists of matches and games.
fn display_name(player: &LeaguePlayer) -> String {
    if player.version == 1 { player.name.clone() } else { format!("{} v{}", player.name, player.version) }
}
