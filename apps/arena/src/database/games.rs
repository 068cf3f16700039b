//! Games in the database.

use std::collections::BTreeMap;
use std::time::Duration;

use game::{Move, Position, Team};
use player::Evaluation;
use record::{Fault, Game, Verdict};
use rusqlite::Row;
use serde::Serialize;

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

/// Beginning of a finished game.
#[derive(Clone, PartialEq, Debug)]
pub struct Beginning {
    /// The number of the game in the database.
    pub id: i64,
    /// The position at the start.
    pub start: Position,
    /// Its first moves.
    pub moves: Vec<Move>,
    /// The points of team one: 1 for a win, ½ for a draw.
    pub score: f64,
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
            Ok(id)
        })
    }

    /// The games of a match by pair, the first of each pair first.
    pub fn games(&self, match_id: i64) -> Result<Vec<StoredGame>, StoreError> {
        self.games_with("game.match", match_id)
    }

    /// Returns the ids of the games of a match.
    pub fn game_ids(&self, match_id: i64) -> Result<Vec<GameId>, StoreError> {
        let sql = "SELECT pair, team_of_a = 'TWO' FROM game WHERE match = ?";
        self.rows(sql, [match_id], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// Returns the games with this value in `column`.
    fn games_with(&self, column: &str, value: i64) -> Result<Vec<StoredGame>, StoreError> {
        // Both queries see the same games.
        self.transact(|transaction| {
            let mut statement = transaction.prepare(&format!(
                "SELECT game, move, micros, win, margin, nodes, depth FROM ply JOIN game ON ply.game = game.id
                 WHERE {column} = ? ORDER BY game, number"
            ))?;
            let mut plies: BTreeMap<i64, Vec<Ply>> = BTreeMap::new();
            let mut found = statement.query([value])?;
            while let Some(row) = found.next()? {
                plies.entry(row.get(0)?).or_default().push(read_ply(row)?);
            }
            let sql = format!("SELECT {COLUMNS} FROM game WHERE {column} = ? ORDER BY pair, team_of_a");
            let mut games = transaction.prepare(&sql)?;
            let read = |row: &Row| read_game(row, plies.remove(&row.get(0)?).unwrap_or_default());
            games.query_map([value], read)?.collect()
        })
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
    pub fn newest_games(&self, match_id: i64, most: u32) -> Result<Vec<ListedGame>, StoreError> {
        let stored = self.find_match(match_id)?;
        let sql = "SELECT id, ended, team_of_a, points_a, points_b, score_a FROM game WHERE match = ?
                   ORDER BY id DESC LIMIT ?";
        self.rows(sql, (match_id, most), |row| {
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

    /// The first moves, at most `plies`, of the next `most` games after the one with the number `after` that ended.
    pub fn beginnings(&self, after: i64, plies: u32, most: u32) -> Result<Vec<Beginning>, StoreError> {
        self.sql(|connection| {
            let mut statement = connection.prepare(
                "SELECT game.id, start, CASE team_of_a WHEN 'ONE' THEN score_a ELSE 1 - score_a END, move
                 FROM (SELECT * FROM game WHERE id > ?1 AND score_a IS NOT NULL ORDER BY id LIMIT ?3) AS game
                 JOIN ply ON ply.game = game.id AND number < ?2 ORDER BY game.id, number",
            )?;
            let mut rows = statement.query((after, plies, most))?;
            let mut found: Vec<Beginning> = Vec::new();
            while let Some(row) = rows.next()? {
                let id = row.get(0)?;
                if found.last().is_none_or(|last| last.id != id) {
                    let start = parsed(row, 1, "position")?;
                    found.push(Beginning { id, start, moves: Vec::new(), score: row.get(2)? });
                }
                if let Some(last) = found.last_mut() {
                    last.moves.push(parsed(row, 3, "move")?);
                }
            }
            Ok(found)
        })
    }

    /// One game.
    pub fn game(&self, id: i64) -> Result<StoredGame, StoreError> {
        let mut games = self.games_with("game.id", id)?;
        games.pop().ok_or(StoreError::Missing { what: "game", id })
    }
}

const COLUMNS: &str = "game.id, match, pair, team_of_a, start, fault_by, fault, fault_detail";

/// Reads [`COLUMNS`] and checks the moves.
fn read_game(row: &Row, plies: Vec<Ply>) -> rusqlite::Result<StoredGame> {
    let start: Position = parsed(row, 4, "position")?;
    let mut position = start;
    for Ply { mv, .. } in &plies {
        position.try_play(*mv).map_err(|refusal| bad_value("move", mv.to_string(), refusal))?;
    }
    let fault = match row.get::<_, Option<String>>(5)? {
        None => None,
        Some(by) => {
            let side = Side::from_name(&by).ok_or_else(|| bad_value("side", &by, "expected A or B"))?;
            let detail: Option<String> = row.get(7)?;
            Some((side, Fault::new(parsed(row, 6, "fault")?, detail.unwrap_or_default())))
        }
    };
    let record = PlayedGame { pair: row.get(2)?, team_of_a: parsed(row, 3, "team")?, start, plies, fault };
    Ok(StoredGame { id: row.get(0)?, match_id: row.get(1)?, record })
}

/// Reads a move from the second column on.
fn read_ply(row: &Row) -> rusqlite::Result<Ply> {
    let (win, margin): (Option<f32>, Option<f32>) = (row.get(3)?, row.get(4)?);
    let (micros, nodes): (Option<i64>, Option<i64>) = (row.get(2)?, row.get(5)?);
    let depth: Option<u32> = row.get(6)?;
    let choice = micros.map(|micros| Choice {
        time: Duration::from_micros(micros.unsigned_abs()),
        evaluation: win.zip(margin).map(|(win, margin)| Evaluation { win, margin }),
        nodes: nodes.unwrap_or(0) as u64,
        depth: depth.unwrap_or(0),
    });
    Ok(Ply { mv: parsed(row, 1, "move")?, choice })
}
