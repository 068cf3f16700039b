//! Games in the database.

use std::collections::BTreeMap;
use std::time::Duration;

use game::{Move, Position, Team};
use player::Evaluation;
use record::{Fault, FaultKind, Game, Verdict};
use rusqlite::{Row, named_params};

use super::{Store, StoreError, StoredMatch};
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
#[derive(Clone, PartialEq, Debug)]
pub struct ListedGame {
    /// The number of the game in the database.
    pub id: i64,
    /// When it ended or was imported: UTC in RFC 3339.
    pub ended: String,
    /// Names of the contestants, team one first.
    pub names: [String; 2],
    /// Their points.
    pub points: [i32; 2],
    /// Result of the game.
    pub verdict: Verdict,
}

/// How a game that ended began.
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
    /// [`StoreError::Taken`] if the match has the game already, [`StoreError::Sqlite`].
    pub fn add_game(&mut self, match_id: i64, game: &PlayedGame, source: Option<&str>) -> Result<i64, StoreError> {
        let end = game.end();
        let [points_a, points_b] = Side::ALL.map(|side| end.team_points(game.team(side)));
        let fault = game.fault.as_ref();
        self.sql(|connection| {
            let transaction = connection.unchecked_transaction()?;
            transaction.execute(
                "INSERT INTO game (match, pair, team_of_a, ended, start, points_a, points_b, score_a, fault_by, fault,
                    fault_detail, source)
                 VALUES (:match, :pair, :team_of_a, :ended, :start, :points_a, :points_b, :score_a, :fault_by, :fault,
                    :fault_detail, :source)",
                named_params! {
                    ":match": match_id,
                    ":pair": game.pair,
                    ":team_of_a": game.team_of_a.name(),
                    ":ended": super::now(),
                    ":start": game.start.to_string(),
                    ":points_a": points_a,
                    ":points_b": points_b,
                    ":score_a": game.outcome(Side::A).map(|outcome| outcome.half_points() as f64 / 2.0),
                    ":fault_by": fault.map(|(side, _)| side.name()),
                    ":fault": fault.map(|(_, fault)| fault.kind.name()),
                    ":fault_detail": fault.map(|(_, fault)| &fault.detail),
                    ":source": source,
                },
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
            drop(insert);
            transaction.commit()?;
            Ok(id)
        })
    }

    /// The games of a match by pair, the first of each pair first.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn games(&self, match_id: i64) -> Result<Vec<StoredGame>, StoreError> {
        self.games_with("game.match", match_id)
    }

    /// Which games of a match there are.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn game_ids(&self, match_id: i64) -> Result<Vec<GameId>, StoreError> {
        let rows = self.sql(|connection| {
            let mut statement = connection.prepare("SELECT pair, team_of_a FROM game WHERE match = ?")?;
            let rows = statement.query_map([match_id], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        })?;
        rows.into_iter().map(|(pair, team_of_a)| Ok((pair, read_team(&team_of_a)? == Team::Two))).collect()
    }

    /// The games whose `column` has a value.
    fn games_with(&self, column: &str, value: i64) -> Result<Vec<StoredGame>, StoreError> {
        let (rows, mut plies) = self.sql(|connection| {
            let sql = format!("SELECT {COLUMNS} FROM game WHERE {column} = ? ORDER BY pair, team_of_a");
            let mut games = connection.prepare(&sql)?;
            let rows = games.query_map([value], GameRow::read)?.collect::<rusqlite::Result<Vec<_>>>()?;
            let mut statement = connection.prepare(&format!(
                "SELECT game, move, micros, win, margin, nodes, depth FROM ply JOIN game ON ply.game = game.id
                 WHERE {column} = ? ORDER BY game, number"
            ))?;
            let mut plies: BTreeMap<i64, Vec<PlyRow>> = BTreeMap::new();
            let mut found = statement.query([value])?;
            while let Some(row) = found.next()? {
                plies.entry(row.get(0)?).or_default().push(PlyRow::read(row)?);
            }
            Ok((rows, plies))
        })?;
        rows.into_iter()
            .map(|row| {
                let plies = plies.remove(&row.id).unwrap_or_default();
                row.game(&plies)
            })
            .collect()
    }

    /// The number of the game that was imported before from the same file or a copy of it: with the
    /// same names, source, start and moves, and the same end.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn find_imported(&self, names: [&str; 2], game: &PlayedGame, source: &str) -> Result<Option<i64>, StoreError> {
        let end = game.end();
        let [points_a, points_b] = Side::ALL.map(|side| end.team_points(game.team(side)));
        let candidates = self.sql(|connection| {
            let mut statement = connection.prepare(
                "SELECT game.id FROM game JOIN match ON match.id = game.match
                 WHERE source = ? AND start = ? AND a = ? AND b = ? AND points_a = ? AND points_b = ?
                    AND ? = (SELECT count(*) FROM ply WHERE ply.game = game.id) ORDER BY game.id",
            )?;
            let (start, plies) = (game.start.to_string(), game.plies.len() as i64);
            let key = (source, start, names[0], names[1], points_a, points_b, plies);
            statement.query_map(key, |row| row.get(0))?.collect::<rusqlite::Result<Vec<i64>>>()
        })?;
        for id in candidates {
            let known = self.game(id)?.record;
            let moves = |game: &PlayedGame| game.plies.iter().map(|ply| ply.mv).collect::<Vec<_>>();
            if moves(&known) == moves(game) && known.fault == game.fault {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    /// The games of a match that were added last, the last first.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn newest_games(&self, match_id: i64, most: u32) -> Result<Vec<ListedGame>, StoreError> {
        let stored = self.find_match(match_id)?;
        let rows = self.sql(|connection| {
            let mut statement = connection.prepare(
                "SELECT id, ended, team_of_a, points_a, points_b, score_a FROM game WHERE match = ?
                 ORDER BY id DESC LIMIT ?",
            )?;
            let rows = statement.query_map((match_id, most), |row| {
                let points = [row.get(3)?, row.get(4)?];
                Ok((row.get(0)?, row.get(1)?, row.get::<_, String>(2)?, points, row.get(5)?))
            })?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        })?;
        let listed = |(id, ended, team_of_a, mut points, score_a): (i64, String, String, [i32; 2], Option<f64>)| {
            let team_of_a = read_team(&team_of_a)?;
            let mut names = stored.names.clone();
            if team_of_a == Team::Two {
                names.reverse();
                points.reverse();
            }
            let verdict = match score_a {
                None => Verdict::Unfinished,
                Some(0.5) => Verdict::Drawn,
                Some(score) if score > 0.5 => Verdict::Won(team_of_a),
                Some(_) => Verdict::Won(team_of_a.opponent()),
            };
            Ok(ListedGame { id, ended, names, points, verdict })
        };
        rows.into_iter().map(listed).collect()
    }

    /// The first moves, at most `plies`, of the next `most` games after the one with the number `after` that ended.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn beginnings(&self, after: i64, plies: u32, most: u32) -> Result<Vec<Beginning>, StoreError> {
        struct Found {
            id: i64,
            start: String,
            moves: Vec<String>,
            score: f64,
        }
        let found = self.sql(|connection| {
            let mut statement = connection.prepare(
                "SELECT game.id, start, CASE team_of_a WHEN 'ONE' THEN score_a ELSE 1 - score_a END, move
                 FROM (SELECT * FROM game WHERE id > ?1 AND score_a IS NOT NULL ORDER BY id LIMIT ?3) AS game
                 JOIN ply ON ply.game = game.id AND number < ?2 ORDER BY game.id, number",
            )?;
            let mut rows = statement.query((after, plies, most))?;
            let mut found: Vec<Found> = Vec::new();
            while let Some(row) = rows.next()? {
                let id = row.get(0)?;
                if found.last().is_none_or(|last| last.id != id) {
                    found.push(Found { id, start: row.get(1)?, moves: Vec::new(), score: row.get(2)? });
                }
                if let Some(last) = found.last_mut() {
                    last.moves.push(row.get(3)?);
                }
            }
            Ok(found)
        })?;
        let read = |Found { id, start, moves, score }| {
            let moves = moves.iter().map(|mv| read_move(mv)).collect::<Result<_, StoreError>>()?;
            Ok(Beginning { id, start: read_position(&start)?, moves, score })
        };
        found.into_iter().map(read).collect()
    }

    /// One game.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn game(&self, id: i64) -> Result<StoredGame, StoreError> {
        let mut games = self.games_with("game.id", id)?;
        games.pop().ok_or(StoreError::Missing { what: "game", id })
    }
}

fn read_position(text: &str) -> Result<Position, StoreError> {
    text.parse().map_err(|error| StoreError::value("position", text, error))
}

fn read_move(text: &str) -> Result<Move, StoreError> {
    text.parse().map_err(|error| StoreError::value("move", text, error))
}

fn read_team(name: &str) -> Result<Team, StoreError> {
    name.parse().map_err(|_| StoreError::value("team", name, "expected ONE or TWO"))
}

const COLUMNS: &str = "game.id, match, pair, team_of_a, start, fault_by, fault, fault_detail";

/// A row of the table `game`.
struct GameRow {
    id: i64,
    match_id: i64,
    pair: u32,
    team_of_a: String,
    start: String,
    fault_by: Option<String>,
    fault: Option<String>,
    fault_detail: Option<String>,
}

impl GameRow {
    fn read(row: &Row) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            match_id: row.get(1)?,
            pair: row.get(2)?,
            team_of_a: row.get(3)?,
            start: row.get(4)?,
            fault_by: row.get(5)?,
            fault: row.get(6)?,
            fault_detail: row.get(7)?,
        })
    }

    /// The game with these moves, which are checked.
    fn game(self, plies: &[PlyRow]) -> Result<StoredGame, StoreError> {
        let start = read_position(&self.start)?;
        let mut position = start;
        let read = |row: &PlyRow| {
            let ply = row.ply()?;
            position.try_play(ply.mv).map_err(|refusal| StoreError::value("move", &row.mv, refusal))?;
            Ok(ply)
        };
        let plies = plies.iter().map(read).collect::<Result<_, StoreError>>()?;
        let team_of_a = read_team(&self.team_of_a)?;
        let fault = match (self.fault_by, self.fault) {
            (Some(side), Some(kind)) => {
                let side = Side::from_name(&side).ok_or_else(|| StoreError::value("side", &side, "expected A or B"))?;
                let kind: FaultKind = kind.parse().map_err(|error| StoreError::value("fault", &kind, error))?;
                Some((side, Fault::new(kind, self.fault_detail.unwrap_or_default())))
            }
            _ => None,
        };
        let record = PlayedGame { pair: self.pair, team_of_a, start, plies, fault };
        Ok(StoredGame { id: self.id, match_id: self.match_id, record })
    }
}

/// A row of the table `ply`.
struct PlyRow {
    mv: String,
    micros: Option<i64>,
    win: Option<f32>,
    margin: Option<f32>,
    nodes: Option<i64>,
    depth: Option<u32>,
}

impl PlyRow {
    /// The first column is the game.
    fn read(row: &Row) -> rusqlite::Result<Self> {
        Ok(Self {
            mv: row.get(1)?,
            micros: row.get(2)?,
            win: row.get(3)?,
            margin: row.get(4)?,
            nodes: row.get(5)?,
            depth: row.get(6)?,
        })
    }

    fn ply(&self) -> Result<Ply, StoreError> {
        let mv = read_move(&self.mv)?;
        let evaluation = self.win.zip(self.margin).map(|(win, margin)| Evaluation { win, margin });
        let choice = self.micros.map(|micros| Choice {
            time: Duration::from_micros(micros.unsigned_abs()),
            evaluation,
            nodes: self.nodes.unwrap_or(0) as u64,
            depth: self.depth.unwrap_or(0),
        });
        Ok(Ply { mv, choice })
    }
}
