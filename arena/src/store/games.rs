//! Games in the database.

use std::collections::BTreeMap;
use std::time::Duration;

use game::{Move, Position};
use player::Evaluation;
use record::{Fault, FaultKind, Game};
use rusqlite::{Row, named_params};

use super::{Store, StoreError, StoredMatch};
use crate::played::{Choice, PlayedGame, Ply, Side};

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
    /// What the game is called in files.
    pub fn name(&self) -> String {
        format!("match-{}-game-{}", self.match_id, self.id)
    }

    /// The game for a file, with its name and those of the contestants of its match.
    pub fn to_game(&self, stored: &StoredMatch) -> Game {
        let mut game = self.record.to_game(stored.names.each_ref().map(String::as_str));
        game.id = self.name();
        game
    }
}

impl Store {
    /// Adds a game to a match; its number. When this returns, the game is safe. `source` is what an
    /// imported game was called where it was played; `None` if it was played here.
    ///
    /// # Errors
    /// [`StoreError::Sqlite`], also if the match has the game already.
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
                    ":ended": jiff::Timestamp::now().to_string(),
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

    /// One game.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn game(&self, id: i64) -> Result<StoredGame, StoreError> {
        let mut games = self.games_with("game.id", id)?;
        games.pop().ok_or(StoreError::Missing { what: "game", id })
    }
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
        let start: Position = self.start.parse().map_err(|error| StoreError::value("position", &self.start, error))?;
        let mut position = start;
        let read = |row: &PlyRow| {
            let ply = row.ply()?;
            position.try_play(ply.mv).map_err(|refusal| StoreError::value("move", &row.mv, refusal))?;
            Ok(ply)
        };
        let plies = plies.iter().map(read).collect::<Result<_, StoreError>>()?;
        let team_of_a =
            self.team_of_a.parse().map_err(|_| StoreError::value("team", &self.team_of_a, "expected ONE or TWO"))?;
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
        let mv: Move = self.mv.parse().map_err(|error| StoreError::value("move", &self.mv, error))?;
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
