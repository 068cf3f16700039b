//! The league in the database: its players, their versions, and sums over their games.
//!
//! The sums of a match are recounted from its games, not increased, so that no game counts twice.

use std::collections::HashMap;

use record::FaultKind;
use rusqlite::{OptionalExtension, Row};
use serde::Serialize;
use serde_json::json;

use super::{Store, StoreError, parsed};
use crate::games::played::GameId;
use crate::ratings::{Interval, Pairs, WinDrawLoss};

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS league (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    settings TEXT NOT NULL      -- settings that affect results
) STRICT;

CREATE TABLE IF NOT EXISTS league_player (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    version INTEGER NOT NULL,   -- from 1
    hash TEXT NOT NULL,         -- of the file
    since TEXT NOT NULL,        -- UTC in RFC 3339
    is_active INTEGER NOT NULL,
    low REAL,                   -- Elo with its 95 % interval; null before the first pair
    elo REAL,
    high REAL,
    UNIQUE (name, hash),
    UNIQUE (name, version)
) STRICT;

CREATE TABLE IF NOT EXISTS league_match (
    match INTEGER PRIMARY KEY REFERENCES match ON DELETE CASCADE,
    a INTEGER NOT NULL REFERENCES league_player,
    b INTEGER NOT NULL REFERENCES league_player,
    won INTEGER NOT NULL DEFAULT 0,   -- by A
    drawn INTEGER NOT NULL DEFAULT 0,
    lost INTEGER NOT NULL DEFAULT 0,
    faults_a INTEGER NOT NULL DEFAULT 0,
    faults_b INTEGER NOT NULL DEFAULT 0,
    p0 INTEGER NOT NULL DEFAULT 0,    -- pairs in which A scored 0, ½, 1, 1½ or 2
    p1 INTEGER NOT NULL DEFAULT 0,
    p2 INTEGER NOT NULL DEFAULT 0,
    p3 INTEGER NOT NULL DEFAULT 0,
    p4 INTEGER NOT NULL DEFAULT 0,
    UNIQUE (a, b)
) STRICT;

CREATE INDEX IF NOT EXISTS league_match_b ON league_match (b);
";

/// Recounts the results of a match.
const RECOUNT: &str = "
UPDATE league_match SET (won, drawn, lost, faults_a, faults_b) = (
    SELECT total(score_a = 1), total(score_a = 0.5), total(score_a = 0), total(fault_by = 'A'), total(fault_by = 'B')
    FROM game WHERE match = league_match.match),
(p0, p1, p2, p3, p4) = (
    SELECT total(points = 0), total(points = 0.5), total(points = 1), total(points = 1.5), total(points = 2)
    FROM (SELECT sum(score_a) AS points FROM game WHERE match = league_match.match GROUP BY pair HAVING count(*) = 2))";

/// The columns that [`read_match`] reads.
const MATCH_COLUMNS: &str = "match, a, b, won, drawn, lost, faults_a, faults_b, p0, p1, p2, p3, p4";

/// A version of a player of the league.
#[derive(Clone, PartialEq, Debug)]
pub struct LeaguePlayer {
    /// Number in the database.
    pub id: i64,
    /// Name of the file without its ending.
    pub name: String,
    /// Number of the version, from 1.
    pub version: u32,
    /// Hash of the file.
    pub hash: String,
    /// First appearance, UTC in RFC 3339.
    pub since: String,
    /// `true` if its file is in the folder.
    pub is_active: bool,
    /// Rating; `None` before the first pair.
    pub elo: Option<Interval>,
}

/// Sums over the games of two versions. The JSON contains the results only.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct LeagueMatch {
    /// Number of the match.
    #[serde(skip)]
    pub id: i64,
    /// Numbers of the players, A first.
    pub players: [i64; 2],
    /// Games from the view of A.
    pub games: WinDrawLoss,
    /// Games lost by a fault.
    #[serde(skip)]
    pub faults: [u64; 2],
    /// Complete pairs by the points of A.
    #[serde(skip)]
    pub pairs: Pairs,
}

/// A game of a player of the league.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LeagueGame {
    /// Number of the game.
    pub id: i64,
    /// Time of its end, UTC in RFC 3339.
    pub ended: String,
    /// Numbers of the players, the requested player first.
    pub players: [i64; 2],
    /// Their points on the board.
    pub points: [i32; 2],
    /// Score of the first player: 1, ½ or 0.
    pub score: f64,
    /// The fault that ended the game.
    pub fault: Option<LeagueFault>,
}

/// The fault that ended a game of the league.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LeagueFault {
    /// `true` if the requested player committed it.
    pub is_own: bool,
    /// Kind of the fault.
    pub kind: FaultKind,
    /// Details; may be empty.
    pub detail: String,
}

impl Store {
    /// Creates a league with the given settings, if there is none. Returns the settings of the league.
    pub fn start_league(&mut self, settings: &str) -> Result<String, StoreError> {
        self.sql(|connection| {
            connection.execute_batch(TABLES)?;
            connection.execute("INSERT OR IGNORE INTO league VALUES (1, ?)", [settings])?;
            connection.query_row("SELECT settings FROM league", [], |row| row.get(0))
        })
    }

    /// Returns `true` if the database contains a league.
    pub fn has_league(&self) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM sqlite_schema WHERE name = 'league_match'";
        self.sql(|connection| connection.query_row(sql, [], |_| Ok(())).optional()).map(|found| found.is_some())
    }

    /// Returns the number of the version with this hash; adds it if it is new.
    pub fn league_version(&mut self, name: &str, hash: &str) -> Result<i64, StoreError> {
        self.sql(|connection| {
            connection.execute(
                "INSERT OR IGNORE INTO league_player (name, version, hash, since, is_active)
                 VALUES (?1, (SELECT count(*) + 1 FROM league_player WHERE name = ?1), ?2, ?3, 0)",
                (name, hash, super::now()),
            )?;
            let sql = "SELECT id FROM league_player WHERE name = ? AND hash = ?";
            connection.query_row(sql, (name, hash), |row| row.get(0))
        })
    }

    /// Sets which players are in the folder.
    pub fn set_league_active(&mut self, active: &[i64]) -> Result<(), StoreError> {
        let sql = "UPDATE league_player SET is_active = id IN (SELECT value FROM json_each(?))";
        self.sql(|connection| connection.execute(sql, [json!(active).to_string()])).map(|_| ())
    }

    /// Stores ratings.
    pub fn set_league_elo(&mut self, ratings: &[(i64, Interval)]) -> Result<(), StoreError> {
        self.transact(|transaction| {
            let mut update =
                transaction.prepare("UPDATE league_player SET low = ?2, elo = ?3, high = ?4 WHERE id = ?1")?;
            for (id, Interval { low, estimate, high }) in ratings {
                update.execute((id, low, estimate, high))?;
            }
            Ok(())
        })
    }

    /// Returns all versions of all players, in the order of their appearance.
    pub fn league_players(&self) -> Result<Vec<LeaguePlayer>, StoreError> {
        let sql = "SELECT id, name, version, hash, since, is_active, low, elo, high FROM league_player ORDER BY id";
        self.rows(sql, [], read_player)
    }

    /// Returns all matches of the league.
    pub fn league_matches(&self) -> Result<Vec<LeagueMatch>, StoreError> {
        self.rows(&format!("SELECT {MATCH_COLUMNS} FROM league_match ORDER BY match"), [], read_match)
    }

    /// Adds a match to the league.
    pub fn add_league_match(&mut self, match_id: i64, [a, b]: [i64; 2]) -> Result<(), StoreError> {
        let sql = "INSERT INTO league_match (match, a, b) VALUES (?, ?, ?)";
        self.sql(|connection| connection.execute(sql, (match_id, a, b))).map(|_| ())
    }

    /// Recounts the matches whose stored sums disagree with their games.
    pub fn recount_league(&mut self) -> Result<(), StoreError> {
        let games = "SELECT count(*) FROM game WHERE game.match = league_match.match";
        let sql = format!("{RECOUNT} WHERE won + drawn + lost <> ({games})");
        self.sql(|connection| connection.execute(&sql, [])).map(|_| ())
    }

    /// Returns the number of the next pair of each match.
    pub fn league_next_pairs(&self) -> Result<HashMap<i64, u32>, StoreError> {
        let sql = "SELECT match, max(pair) + 1 FROM game JOIN league_match USING (match) GROUP BY match";
        Ok(self.rows(sql, [], |row| row.try_into())?.into_iter().collect())
    }

    /// Returns the finished game of each pair that lacks the other, with the number of its match.
    pub fn league_half_played(&self) -> Result<Vec<(i64, GameId)>, StoreError> {
        let sql = "SELECT match, pair, team_of_a = 'TWO' FROM game JOIN league_match USING (match)
                   GROUP BY match, pair HAVING count(*) = 1";
        self.rows(sql, [], |row| Ok((row.get(0)?, GameId { pair: row.get(1)?, is_swapped: row.get(2)? })))
    }

    /// Recounts the games of a match and returns its sums.
    pub fn recount_league_match(&mut self, match_id: i64) -> Result<LeagueMatch, StoreError> {
        let sql = format!("{RECOUNT} WHERE match = ? RETURNING {MATCH_COLUMNS}");
        self.sql(|connection| connection.query_row(&sql, [match_id], read_match))
    }

    /// Returns at most `max_games` games of a version: losses, then draws, then wins, each newest first.
    pub fn league_games(&self, player: i64, max_games: u32) -> Result<Vec<LeagueGame>, StoreError> {
        let sql = "
            SELECT game.id, ended, a, b, game.points_a, game.points_b, score_a, fault_by = 'A', fault, fault_detail
            FROM league_match CROSS JOIN game USING (match) WHERE a = ?1
            UNION ALL
            SELECT game.id, ended, b, a, game.points_b, game.points_a, 1 - score_a, fault_by = 'B', fault, fault_detail
            FROM league_match CROSS JOIN game USING (match) WHERE b = ?1
            ORDER BY 7, 1 DESC LIMIT ?2";
        self.rows(sql, (player, max_games), |row| {
            let fault = match row.get::<_, Option<bool>>(7)? {
                Some(is_own) => {
                    let detail = row.get::<_, Option<String>>(9)?.unwrap_or_default();
                    Some(LeagueFault { is_own, kind: parsed(row, 8, "fault")?, detail })
                }
                None => None,
            };
            Ok(LeagueGame {
                id: row.get(0)?,
                ended: row.get(1)?,
                players: [row.get(2)?, row.get(3)?],
                points: [row.get(4)?, row.get(5)?],
                score: row.get(6)?,
                fault,
            })
        })
    }
}

fn read_player(row: &Row) -> rusqlite::Result<LeaguePlayer> {
    let elo = match (row.get(6)?, row.get(7)?, row.get(8)?) {
        (Some(low), Some(estimate), Some(high)) => Some(Interval { low, estimate, high }),
        _ => None,
    };
    Ok(LeaguePlayer {
        id: row.get(0)?,
        name: row.get(1)?,
        version: row.get(2)?,
        hash: row.get(3)?,
        since: row.get(4)?,
        is_active: row.get(5)?,
        elo,
    })
}

fn read_match(row: &Row) -> rusqlite::Result<LeagueMatch> {
    let count = |column: usize| row.get::<_, i64>(column).map(i64::unsigned_abs);
    Ok(LeagueMatch {
        id: row.get(0)?,
        players: [row.get(1)?, row.get(2)?],
        games: WinDrawLoss { won: count(3)?, drawn: count(4)?, lost: count(5)? },
        faults: [count(6)?, count(7)?],
        pairs: Pairs([count(8)?, count(9)?, count(10)?, count(11)?, count(12)?]),
    })
}
