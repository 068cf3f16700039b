//! Games in the database.

use std::collections::BTreeMap;
use std::time::Duration;

use game::{Position, Team};
use player::Evaluation;
use record::{Fault, Game, Verdict};
use rusqlite::Row;
use rusqlite::types::Type;
use serde::Serialize;

use super::checksum::{self, Checksum, GAME, PLY};
use super::{Store, StoreError, StoredMatch, bad_value, parsed};
use crate::games::played::{Choice, GameId, PlayedGame, Ply, Side};

/// A game and its number.
#[derive(Clone, PartialEq, Debug)]
pub struct StoredGame {
    /// The number of the game in the database.
    pub id: i64,
    /// The number of its match.
    pub match_id: i64,
    /// The game.
    pub record: PlayedGame,
}

impl StoredGame {
    /// Returns the name of the game in files.
    pub fn name(&self) -> String {
        format!("match-{}-game-{}", self.match_id, self.id)
    }

    /// Returns the game for a file, named after its match and contestants.
    pub fn to_game(&self, stored: &StoredMatch) -> Game {
        let mut game = self.record.to_game(stored.names.each_ref().map(String::as_str));
        game.id = self.name();
        game
    }
}

/// Entry in a list of games.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ListedGame {
    /// The number of the game in the database.
    pub id: i64,
    /// When it ended or was imported: UTC in RFC 3339.
    pub ended: String,
    /// Names of the contestants, team one first.
    pub names: [String; 2],
    /// Their points.
    pub points: [i32; 2],
    /// Result of the game, in JSON `result`.
    #[serde(rename = "result")]
    pub verdict: Verdict,
}

impl Store {
    /// Adds a game to a match; its number. When this returns, the game is safe. `source` is what an
    /// imported game was called where it was played; `None` if it was played here.
    ///
    /// # Errors
    /// [`StoreError`], also if the match has the game already.
    pub fn add_game(&mut self, match_id: i64, game: &PlayedGame, source: Option<&str>) -> Result<i64, StoreError> {
        let end = game.end();
        let [points_a, points_b] = Side::ALL.map(|side| end.team_points(game.team(side)));
        let (team, start) = (game.team_of_a.name(), game.start.to_string());
        let score = game.outcome(Side::A).map(|outcome| outcome.half_points() as f64 / 2.0);
        let (by, fault) = game.fault.as_ref().map(|(side, fault)| (side.name(), fault)).unzip();
        let (kind, detail) = fault.map(|fault| (fault.kind.name(), &fault.detail)).unzip();
        self.transact(|transaction| {
            transaction.execute(
                "INSERT INTO game (match, pair, team_of_a, ended, start, points_a, points_b, score_a, fault_by, fault,
                    fault_detail, source)
                 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (match_id, game.pair, team, super::now(), start, points_a, points_b, score, by, kind, detail, source),
            )?;
            let id = transaction.last_insert_rowid();
            let mut insert = transaction.prepare_cached("INSERT INTO ply VALUES (?, ?, ?, ?, ?, ?, ?, ?)")?;
            for (number, Ply { mv, choice }) in (0i64..).zip(&game.plies) {
                let evaluation = choice.and_then(|choice| choice.evaluation);
                insert.execute((
                    id,
                    number,
                    mv.to_string(),
                    choice.map(|choice| choice.time.as_micros() as i64),
                    evaluation.map(|evaluation| evaluation.win),
                    evaluation.map(|evaluation| evaluation.margin),
                    choice.map(|choice| choice.nodes as i64),
                    choice.map(|choice| choice.depth),
                ))?;
            }
            checksum::store(transaction, id)?;
            Ok(id)
        })
    }

    /// Returns the games of a match by pair, the first of each pair first.
    pub fn games(&self, match_id: i64) -> Result<Vec<StoredGame>, StoreError> {
        self.games_with("game.match", match_id)
    }

    /// Returns the ids of the games of a match.
    pub fn game_ids(&self, match_id: i64) -> Result<Vec<GameId>, StoreError> {
        let sql = "SELECT pair, team_of_a = 'TWO' FROM game WHERE match = ?";
        self.rows(sql, [match_id], |row| Ok(GameId { pair: row.get(0)?, is_swapped: row.get(1)? }))
    }

    /// Returns the games with this value in `column`. Checks that they are intact.
    fn games_with(&self, column: &str, value: i64) -> Result<Vec<StoredGame>, StoreError> {
        // Both queries see the same games.
        let games = self.transact(|transaction| {
            let mut statement = transaction.prepare(&format!(
                "SELECT game, {PLY} FROM ply JOIN game ON ply.game = game.id WHERE {column} = ? ORDER BY game, number"
            ))?;
            let mut plies: BTreeMap<i64, Plies> = BTreeMap::new();
            let mut found = statement.query([value])?;
            while let Some(row) = found.next()? {
                plies.entry(row.get(0)?).or_default().add(row)?;
            }
            let sql = format!(
                "SELECT game.id, match, checksum, {GAME} FROM game WHERE {column} = ? ORDER BY pair, team_of_a"
            );
            let mut games = transaction.prepare(&sql)?;
            let read = |row: &Row| {
                let (id, match_id) = (row.get(0)?, row.get(1)?);
                Ok((id, match_id, read_game(row, plies.remove(&id).unwrap_or_default())))
            };
            games.query_map([value], read)?.collect::<rusqlite::Result<Vec<_>>>()
        })?;
        let checked = games.into_iter().map(|(id, match_id, record)| match record {
            Ok(record) => Ok(StoredGame { id, match_id, record }),
            Err(error) => Err(StoreError::Game { path: self.path.clone(), id, match_id, reason: reason_of(error) }),
        });
        checked.collect()
    }

    /// The number of the game that was imported before from the same file or a copy of it: with the
    /// same names, source, start and moves, and the same end.
    pub fn find_imported(&self, names: [&str; 2], game: &PlayedGame, source: &str) -> Result<Option<i64>, StoreError> {
        let end = game.end();
        let [points_a, points_b] = Side::ALL.map(|side| end.team_points(game.team(side)));
        let sql = "SELECT game.id FROM game JOIN match ON match.id = game.match
                   WHERE source = ? AND start = ? AND a = ? AND b = ? AND points_a = ? AND points_b = ?
                      AND ? = (SELECT count(*) FROM ply WHERE ply.game = game.id) ORDER BY game.id";
        let (start, plies) = (game.start.to_string(), game.plies.len() as i64);
        let key = (source, start, names[0], names[1], points_a, points_b, plies);
        for id in self.rows(sql, key, |row| row.get(0))? {
            let known = self.game(id)?.record;
            let moves = |game: &PlayedGame| game.plies.iter().map(|ply| ply.mv).collect::<Vec<_>>();
            if moves(&known) == moves(game) && known.fault == game.fault {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    /// The games of a match that were added last, the last first.
    pub fn newest_games(&self, match_id: i64, max_games: u32) -> Result<Vec<ListedGame>, StoreError> {
        let stored = self.find_match(match_id)?;
        let sql = "SELECT id, ended, team_of_a, points_a, points_b, score_a FROM game WHERE match = ?
                   ORDER BY id DESC LIMIT ?";
        self.rows(sql, (match_id, max_games), |row| {
            let team_of_a: Team = parsed(row, 2, "team")?;
            let (mut names, mut points) = (stored.names.clone(), [row.get(3)?, row.get(4)?]);
            if team_of_a == Team::Two {
                names.reverse();
                points.reverse();
            }
            let verdict = match row.get::<_, Option<f64>>(5)? {
                None => Verdict::Unfinished,
                Some(0.5) => Verdict::Drawn,
                Some(score) if score > 0.5 => Verdict::Won(team_of_a),
                Some(_) => Verdict::Won(team_of_a.opponent()),
            };
            Ok(ListedGame { id: row.get(0)?, ended: row.get(1)?, names, points, verdict })
        })
    }

    /// Deletes a game.
    pub fn delete_game(&mut self, id: i64) -> Result<(), StoreError> {
        let deleted = self.transact(|transaction| {
            transaction.execute("DELETE FROM ply WHERE game = ?", [id])?;
            transaction.execute("DELETE FROM game WHERE id = ?", [id])
        })?;
        if deleted > 0 { Ok(()) } else { Err(StoreError::Missing { what: "game", id }) }
    }

    /// Returns a game.
    pub fn game(&self, id: i64) -> Result<StoredGame, StoreError> {
        let mut games = self.games_with("game.id", id)?;
        games.pop().ok_or(StoreError::Missing { what: "game", id })
    }
}

fn reason_of(error: rusqlite::Error) -> String {
    match error {
        rusqlite::Error::FromSqlConversionFailure(_, _, error) => error.to_string(),
        error => error.to_string(),
    }
}

/// The moves of a game while it is read.
#[derive(Default)]
struct Plies {
    plies: Vec<Ply>,
    /// The first unreadable move.
    error: Option<rusqlite::Error>,
    checksum: Checksum,
}

impl Plies {
    /// Reads [`PLY`] from the second column on.
    fn add(&mut self, row: &Row) -> rusqlite::Result<()> {
        match read_ply(row) {
            Ok(ply) => self.plies.push(ply),
            Err(error) => self.error = self.error.take().or(Some(error)),
        }
        self.checksum.add(row, 1)
    }
}

/// Reads [`GAME`] from the fourth column on. Checks the moves and the checksum in the third.
fn read_game(row: &Row, Plies { plies, error, mut checksum }: Plies) -> rusqlite::Result<PlayedGame> {
    checksum.add(row, 3)?;
    let stored: Option<i64> = row.get(2)?;
    if stored != Some(checksum.finish()) {
        return Err(rusqlite::Error::FromSqlConversionFailure(2, Type::Integer, "it differs from its checksum".into()));
    }
    error.map_or(Ok(()), Err)?;
    let start: Position = parsed(row, 6, "position")?;
    let mut position = start;
    for Ply { mv, .. } in &plies {
        position.try_play(*mv).map_err(|reason| bad_value("move", mv.to_string(), reason))?;
    }
    let fault = match row.get::<_, Option<String>>(10)? {
        None => None,
        Some(by) => {
            let side = Side::from_name(&by).ok_or_else(|| bad_value("side", &by, "expected A or B"))?;
            let detail: Option<String> = row.get(12)?;
            Some((side, Fault::new(parsed(row, 11, "fault")?, detail.unwrap_or_default())))
        }
    };
    Ok(PlayedGame { pair: row.get(3)?, team_of_a: parsed(row, 4, "team")?, start, plies, fault })
}

/// Reads a move from the third column on.
fn read_ply(row: &Row) -> rusqlite::Result<Ply> {
    let (win, margin): (Option<f32>, Option<f32>) = (row.get(4)?, row.get(5)?);
    let (micros, nodes): (Option<i64>, Option<i64>) = (row.get(3)?, row.get(6)?);
    let depth: Option<u32> = row.get(7)?;
    let choice = micros.map(|micros| Choice {
        time: Duration::from_micros(micros.unsigned_abs()),
        evaluation: win.zip(margin).map(|(win, margin)| Evaluation { win, margin }),
        nodes: nodes.unwrap_or(0) as u64,
        depth: depth.unwrap_or(0),
    });
    Ok(Ply { mv: parsed(row, 2, "move")?, choice })
}
