//! Matches and plans in the database.

use std::time::Duration;

use game::{Piece, Rules};
use rusqlite::{Connection, OptionalExtension, Row, ToSql, params};
use serde::Serialize;
use server::Clock;

use super::{Store, StoreError, bad_value, parsed};
use crate::engines::{Budget, Spec};
use crate::games::played::Side;
use crate::plan::{Part, Plan};
use crate::ratings::Sprt;

/// Entry in a list of matches.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StoredMatch {
    /// Its number.
    pub id: i64,
    /// When it was begun or imported: UTC in RFC 3339.
    pub created: String,
    /// The contestants, A first.
    pub names: [String; 2],
    /// The rules.
    pub rules: Rules,
    /// Number of games.
    pub games: u64,
    /// Number of unfinished games; only imported games can be unfinished.
    pub unfinished: u64,
    /// The points of A: 1 for a win, ½ for a draw.
    pub points: f64,
}

/// A plan in the database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The text of the plan.
    pub plan: String,
    /// Number of parts, if the plan was divided.
    pub parts: Option<u32>,
    /// The matches that have games: their numbers in the plan and in the database.
    pub matches: Vec<(u32, i64)>,
}

impl Store {
    /// Adds a match that is about to be played; its number.
    pub fn add_match(&mut self, plan: &Plan) -> Result<i64, StoreError> {
        self.transact(|transaction| insert_planned(transaction, plan))
    }

    /// Changes the number of pairs of a match.
    pub fn set_pairs(&mut self, id: i64, pairs: u32) -> Result<(), StoreError> {
        let sql = "UPDATE plan SET pairs = ? WHERE match = ?";
        self.sql(|connection| connection.execute(sql, (pairs, id))).map(|_| ())
    }

    /// Adds a match of games that were played elsewhere; its number.
    pub fn add_import(&mut self, rules: Rules, names: [&str; 2]) -> Result<i64, StoreError> {
        self.sql(|connection| insert_match(connection, rules, names))
    }

    /// Deletes a match and returns the number of its games.
    pub fn delete_match(&mut self, id: i64) -> Result<usize, StoreError> {
        self.find_match(id)?;
        self.transact(|transaction| {
            transaction.execute("DELETE FROM ply WHERE game IN (SELECT id FROM game WHERE match = ?)", [id])?;
            let games = transaction.execute("DELETE FROM game WHERE match = ?", [id])?;
            transaction.execute("DELETE FROM plan WHERE match = ?", [id])?;
            transaction.execute("DELETE FROM run_match WHERE match = ?", [id])?;
            transaction.execute("DELETE FROM run WHERE id NOT IN (SELECT run FROM run_match)", [])?;
            transaction.execute("DELETE FROM match WHERE id = ?", [id])?;
            Ok(games)
        })
    }

    /// All matches, the oldest first.
    pub fn matches(&self) -> Result<Vec<StoredMatch>, StoreError> {
        let sql =
            "SELECT match.id, created, a, b, rules, count(game.id), total(score_a), count(game.id) - count(score_a)
                   FROM match LEFT JOIN game ON game.match = match.id GROUP BY match.id ORDER BY match.id";
        self.rows(sql, [], read_match)
    }

    /// One match.
    pub fn find_match(&self, id: i64) -> Result<StoredMatch, StoreError> {
        let found = self.matches()?.into_iter().find(|stored| stored.id == id);
        found.ok_or(StoreError::Missing { what: "match", id })
    }

    /// Returns the plan of a match.
    pub fn plan(&self, id: i64) -> Result<Plan, StoreError> {
        let stored = self.find_match(id)?;
        let sql = "SELECT start_piece, opening, pairs, seed, time_a, time_b, nodes_a, nodes_b, soft,
                       elo0, elo1, alpha, beta FROM plan WHERE match = ?";
        let plan = self.sql(|connection| connection.query_row(sql, [id], |row| read_plan(row, &stored)).optional())?;
        plan.ok_or_else(|| StoreError::Content(format!("match {id} was imported and cannot be continued")))
    }

    /// Returns the matches of a plan that have games, by the plan's key: their numbers in the plan and in the database.
    /// Updates what may have changed in a resumed plan: the number of games, the test and the names.
    pub fn resume_run(&mut self, key: &str, plan: &Plan) -> Result<Vec<(u32, i64)>, StoreError> {
        let [elo0, elo1, alpha, beta] = columns_of_test(plan.sprt);
        self.transact(|transaction| {
            let sql = "UPDATE run SET plan = ? WHERE key = ? RETURNING id";
            let id: Option<i64> = transaction.query_row(sql, (plan.to_text(), key), |row| row.get(0)).optional()?;
            let Some(id) = id else { return Ok(Vec::new()) };
            transaction.execute(
                "UPDATE plan SET pairs = ?, elo0 = ?, elo1 = ?, alpha = ?, beta = ?
                 WHERE match IN (SELECT match FROM run_match WHERE run = ?)",
                (plan.pairs, elo0, elo1, alpha, beta, id),
            )?;
            matches_of(transaction, id)
        })
    }

    /// Returns all plans, oldest first.
    pub fn runs(&self) -> Result<Vec<Run>, StoreError> {
        self.transact(|transaction| {
            let mut statement = transaction.prepare("SELECT plan, parts, id FROM run ORDER BY id")?;
            let run = |row: &Row| {
                Ok(Run { plan: row.get(0)?, parts: row.get(1)?, matches: matches_of(transaction, row.get(2)?)? })
            };
            statement.query_map([], run)?.collect()
        })
    }

    /// Adds a match of a plan that is about to be played; its number in the database.
    ///
    /// # Errors
    /// [`StoreError`], also if it is there already.
    pub fn add_run_match(&mut self, key: &str, plan: &Plan, part: Part, number: u32) -> Result<i64, StoreError> {
        self.transact(|transaction| {
            let id = insert_planned(transaction, &plan.match_plan(number))?;
            let run: i64 = transaction.query_row(
                "INSERT INTO run (key, plan, parts) VALUES (?, ?, ?)
                 ON CONFLICT DO UPDATE SET plan = excluded.plan RETURNING id",
                (key, plan.to_text(), (part != Part::WHOLE).then_some(part.parts())),
                |row| row.get(0),
            )?;
            transaction.execute("INSERT INTO run_match (match, run, number) VALUES (?, ?, ?)", (id, run, number))?;
            Ok(id)
        })
    }
}

/// Adds a match that is about to be played; its number.
fn insert_planned(connection: &Connection, plan: &Plan) -> rusqlite::Result<i64> {
    let millis = |time: Duration| time.as_millis() as i64;
    let limits = |spec: &Spec| {
        let Budget { time, nodes } = spec.budget();
        (time.map(millis), nodes.map(|nodes| nodes as i64))
    };
    let [(time_a, nodes_a), (time_b, nodes_b)] = Side::ALL.map(|side| limits(plan.spec(side)));
    let Clock { soft, hard } = plan.clock();
    let (soft, hard) = (millis(soft), millis(hard));
    let [elo0, elo1, alpha, beta] = columns_of_test(plan.sprt);
    let (start, opening) = (plan.start_piece.map(Piece::name), plan.opening.to_string());
    let (pairs, seed) = (plan.pairs, plan.seed as i64);
    let id = insert_match(connection, plan.rules, Side::ALL.map(|side| plan.spec(side).to_string()))?;
    connection.execute(
        "INSERT INTO plan (match, start_piece, opening, pairs, seed, time_a, time_b, nodes_a, nodes_b, soft, hard,
            elo0, elo1, alpha, beta) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        params![id, start, opening, pairs, seed, time_a, time_b, nodes_a, nodes_b, soft, hard, elo0, elo1, alpha, beta],
    )?;
    Ok(id)
}

/// Returns the columns `elo0`, `elo1`, `alpha` and `beta`.
fn columns_of_test(sprt: Option<Sprt>) -> [Option<f64>; 4] {
    sprt.map_or([None; 4], |Sprt { elo0, elo1, alpha, beta }| [elo0, elo1, alpha, beta].map(Some))
}

fn insert_match(connection: &Connection, rules: Rules, [a, b]: [impl ToSql; 2]) -> rusqlite::Result<i64> {
    let created = super::now();
    let sql = "INSERT INTO match (created, a, b, rules) VALUES (?, ?, ?, ?)";
    connection.execute(sql, (created, a, b, rules.name()))?;
    Ok(connection.last_insert_rowid())
}

fn read_match(row: &Row) -> rusqlite::Result<StoredMatch> {
    Ok(StoredMatch {
        id: row.get(0)?,
        created: row.get(1)?,
        names: [row.get(2)?, row.get(3)?],
        rules: parsed(row, 4, "rules")?,
        games: row.get::<_, u32>(5)?.into(),
        points: row.get(6)?,
        unfinished: row.get::<_, u32>(7)?.into(),
    })
}

fn read_plan(row: &Row, stored: &StoredMatch) -> rusqlite::Result<Plan> {
    let number = |column| row.get::<_, Option<i64>>(column).map(|number| number.map(|number| number as u64));
    let millis = |column| number(column).map(|millis| millis.map(Duration::from_millis));
    let side = |name: &String, time, nodes| {
        let spec: Spec = name.parse().map_err(|error| bad_value("contestant", name, error))?;
        Ok::<_, rusqlite::Error>(spec.or_budget(Budget { time: millis(time)?, nodes: number(nodes)? }))
    };
    let sprt = match row.get(9)? {
        Some(elo0) => Some(Sprt { elo0, elo1: row.get(10)?, alpha: row.get(11)?, beta: row.get(12)? }),
        None => None,
    };
    let sides = [side(&stored.names[0], 4, 6)?, side(&stored.names[1], 5, 7)?];
    Ok(Plan {
        timeout: millis(8)?,
        rules: stored.rules,
        opening: parsed(row, 1, "opening")?,
        start_piece: row.get::<_, Option<String>>(0)?.map(|_| parsed(row, 0, "start piece")).transpose()?,
        pairs: row.get(2)?,
        seed: row.get::<_, i64>(3)? as u64,
        sprt,
        ..Plan::of_two(sides)
    })
}

/// Returns the matches of a plan: their numbers in the plan and in the database.
fn matches_of(connection: &Connection, run: i64) -> rusqlite::Result<Vec<(u32, i64)>> {
    let mut matches = connection.prepare("SELECT number, match FROM run_match WHERE run = ? ORDER BY number")?;
    matches.query_map([run], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}
