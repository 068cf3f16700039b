//! The standings of a league, its cross table, and its versions.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use crate::database::{LeagueMatch, LeaguePlayer, Store, StoreError};
use crate::ratings::WinDrawLoss;

/// A version of a player with its results.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LeagueStanding {
    /// Number in the database.
    pub id: i64,
    /// Rank among the versions in the folder, from 1; `None` for others.
    pub rank: Option<usize>,
    /// Name of the player.
    pub name: String,
    /// Number of the version, from 1.
    pub version: u32,
    /// First appearance, UTC in RFC 3339.
    pub since: String,
    /// Elo: lower end of the 95 % interval, estimate, upper end; `None` before the first pair.
    pub elo: Option<[f64; 3]>,
    /// Games won, drawn and lost.
    pub games: WinDrawLoss,
    /// A point for each win, half a point for each draw.
    pub points: f64,
    /// Games lost by a fault.
    pub faults: u64,
}

impl LeagueStanding {
    /// Returns the number of games.
    pub fn count(&self) -> u64 {
        self.games.count()
    }
}

/// The results of a league.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LeagueStandings {
    /// All versions: those in the folder by rank, then the others, the newest first.
    pub players: Vec<LeagueStanding>,
    /// All meetings, sorted by players.
    pub meetings: Vec<LeagueMatch>,
}

impl LeagueStandings {
    /// Reads the results from the database.
    pub fn read(store: &Store) -> Result<Self, StoreError> {
        Ok(Self::new(store.league_players()?, store.league_matches()?))
    }

    pub(super) fn new(players: Vec<LeaguePlayer>, mut meetings: Vec<LeagueMatch>) -> Self {
        let mut active = BTreeMap::new();
        let mut lines: BTreeMap<i64, LeagueStanding> = BTreeMap::new();
        for LeaguePlayer { id, name, version, since, is_active, elo, .. } in players {
            active.insert(id, is_active);
            let elo = elo.map(|elo| [elo.low, elo.estimate, elo.high]);
            let (games, points, faults) = (WinDrawLoss::default(), 0.0, 0);
            lines.insert(id, LeagueStanding { id, rank: None, name, version, since, elo, games, points, faults });
        }
        for found in &meetings {
            let sides = [found.games, found.games.reversed()];
            for ((id, games), faults) in found.players.into_iter().zip(sides).zip(found.faults) {
                if let Some(line) = lines.get_mut(&id) {
                    line.games += games;
                    line.points += games.points();
                    line.faults += faults;
                }
            }
        }
        let (mut ranked, mut others): (Vec<_>, Vec<_>) =
            lines.into_values().partition(|line| active.get(&line.id) == Some(&true));
        ranked.sort_by(by_rating);
        ranked.iter_mut().zip(1..).for_each(|(line, rank)| line.rank = Some(rank));
        others.reverse();
        ranked.append(&mut others);
        meetings.sort_by_key(|meeting| meeting.players);
        Self { players: ranked, meetings }
    }

    /// Keeps only the meetings of the `max_players` best players.
    pub fn keep_meetings(&mut self, max_players: usize) {
        let ranked = self.players.iter().filter(|line| line.rank.is_some());
        let best: HashSet<i64> = ranked.take(max_players).map(|line| line.id).collect();
        self.meetings.retain(|meeting| meeting.players.iter().all(|id| best.contains(id)));
    }

    /// Returns the games that one version won, drew and lost against another; `None` if they have not met.
    pub fn against(&self, one: i64, other: i64) -> Option<WinDrawLoss> {
        let games = |players| {
            let found = self.meetings.binary_search_by_key(&players, |meeting| meeting.players);
            found.ok().map(|i| self.meetings[i].games)
        };
        games([one, other]).or_else(|| games([other, one]).map(WinDrawLoss::reversed))
    }

    /// Returns the versions of each player, the first version first.
    pub fn versions(&self) -> BTreeMap<&str, Vec<&LeagueStanding>> {
        let mut versions: BTreeMap<&str, Vec<&LeagueStanding>> = BTreeMap::new();
        for line in &self.players {
            versions.entry(&line.name).or_default().push(line);
        }
        versions.values_mut().for_each(|all| all.sort_by_key(|line| line.version));
        versions
    }
}

/// Orders versions by rating, the best first; those without a rating last.
fn by_rating(one: &LeagueStanding, other: &LeagueStanding) -> Ordering {
    let elo = |line: &LeagueStanding| line.elo.map_or(f64::NEG_INFINITY, |[_, estimate, _]| estimate);
    elo(other).total_cmp(&elo(one)).then_with(|| one.id.cmp(&other.id))
}
