//! Games in the database.

use std::collections::BTreeMap;
use std::time::Duration;

use game::{Move, Position, Team};
use player::Evaluation;
use rusqlite::{OptionalExtension, Row, named_params};

use super::{Store, StoreError};
use crate::record::{Choice, Fault, FaultKind, GameRecord, Ply, Side};

/// A game and its number.
#[derive(Clone, PartialEq, Debug)]
pub struct StoredGame {
    /// The number of the game in the database.
    pub id: i64,
    /// The number of its match.
    pub match_id: i64,
    /// The game.
    pub record: GameRecord,
}

impl Store {
    /// Adds a game to a match; its number. When this returns, the game is safe.
    ///
    /// # Errors
    /// [`StoreError::Sqlite`], also if the match has the game already.
    pub fn add_game(&mut self, match_id: i64, game: &GameRecord) -> Result<i64, StoreError> {
        let end = game.end();
        let [points_a, points_b] = Side::ALL.map(|side| end.team_points(game.team(side)));
        let fault = game.fault.as_ref();
        self.sql(|connection| {
            let transaction = connection.unchecked_transaction()?;
            transaction.execute(
                "INSERT INTO game (match, pair, team_of_a, ended, start, points_a, points_b, score_a, fault_by, fault,
                    fault_detail)
                 VALUES (:match, :pair, :team_of_a, :ended, :start, :points_a, :points_b, :score_a, :fault_by, :fault,
                    :fault_detail)",
                named_params! {
                    ":match": match_id,
                    ":pair": game.pair,
                    ":team_of_a": game.team_of_a.name(),
                    ":ended": jiff::Timestamp::now().to_string(),
                    ":start": game.start.to_string(),
                    ":points_a": points_a,
                    ":points_b": points_b,
                    ":score_a": game.outcome(Side::A).half_points() as f64 / 2.0,
                    ":fault_by": fault.map(|(side, _)| side.name()),
                    ":fault": fault.map(|(_, fault)| fault.kind.name()),
                    ":fault_detail": fault.map(|(_, fault)| &fault.detail),
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
        let (rows, mut plies) = self.sql(|connection| {
            let sql = format!("SELECT {COLUMNS} FROM game WHERE match = ? ORDER BY pair, team_of_a");
            let mut games = connection.prepare(&sql)?;
            let rows = games.query_map([match_id], GameRow::read)?.collect::<rusqlite::Result<Vec<_>>>()?;
            let mut statement = connection.prepare(
                "SELECT game, move, micros, win, margin, nodes, depth FROM ply JOIN game ON ply.game = game.id
                 WHERE match = ? ORDER BY game, number",
            )?;
            let mut plies: BTreeMap<i64, Vec<PlyRow>> = BTreeMap::new();
            let mut found = statement.query([match_id])?;
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

    /// One game.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn game(&self, id: i64) -> Result<StoredGame, StoreError> {
        let match_id = self.sql(|connection| {
            connection.query_row("SELECT match FROM game WHERE id = ?", [id], |row| row.get(0)).optional()
        })?;
        let missing = || StoreError::Missing { what: "game", id };
        let games = self.games(match_id.ok_or_else(missing)?)?;
        games.into_iter().find(|game| game.id == id).ok_or_else(missing)
    }
}

const COLUMNS: &str = "id, match, pair, team_of_a, start, fault_by, fault, fault_detail";

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
        let team_of_a = Team::from_name(&self.team_of_a)
            .ok_or_else(|| StoreError::value("team", &self.team_of_a, "expected ONE or TWO"))?;
        let fault = match (self.fault_by, self.fault) {
            (Some(side), Some(kind)) => {
                let side = Side::from_name(&side).ok_or_else(|| StoreError::value("side", &side, "expected A or B"))?;
                let kind = FaultKind::from_name(&kind)
                    .ok_or_else(|| StoreError::value("fault", &kind, "there is no such fault"))?;
                Some((side, Fault::new(kind, self.fault_detail.unwrap_or_default())))
            }
            _ => None,
        };
        let record = GameRecord { pair: self.pair, team_of_a, start, plies, fault };
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
