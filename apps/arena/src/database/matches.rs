//! Matches and plans in the database.

use std::fmt::Display;

use game::Rules;
use rusqlite::{Connection, OptionalExtension, Params, Row, ToSql};
use serde::Serialize;

use super::games::reason_of;
use super::{Store, StoreError, parsed};
use crate::games::played::Side;
use crate::plan::file::with_games;
use crate::plan::{Part, Plan};

/// Entry in a list of matches.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StoredMatch {
    /// Its number.
    pub id: i64,
    /// Time of its start: UTC in RFC 3339.
    pub created: String,
    /// The contestants, A first.
    pub names: [String; 2],
    /// The rules.
    pub rules: Rules,
    /// Number of games.
    pub games: u64,
    /// The points of A: 1 for a win, ½ for a draw.
    pub points: f64,
}

/// A plan in the database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredRun {
    /// The text of the plan.
    pub plan: String,
    /// Number of parts, if the plan was divided.
    pub parts: Option<u32>,
    /// The matches that have games: their numbers in the plan and in the database.
    pub matches: Vec<(u32, i64)>,
}

impl Store {
    /// Adds a match that is about to be played and returns its number. `key` is the [key](Plan::key) of its plan, which
    /// a single match lacks; `number` is its number in the plan.
    ///
    /// # Errors
    /// [`StoreError`], also if the plan has the match already.
    pub fn add_match(&mut self, key: Option<&str>, plan: &Plan, part: Part, number: u32) -> Result<i64, StoreError> {
        self.transact(|transaction| {
            let planned = plan.match_plan(number);
            let id = insert_match(transaction, plan.rules, Side::ALL.map(|side| planned.spec(side).to_string()))?;
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

    /// Changes the number of pairs of a single match.
    ///
    /// # Errors
    /// [`StoreError`], also if the match belongs to the plan of a file.
    pub fn set_pairs(&mut self, id: i64, pairs: u32) -> Result<(), StoreError> {
        let (text, _) = self.planned(id)?;
        let sql = "SELECT key IS NOT NULL FROM run_match JOIN run ON run = run.id WHERE match = ?";
        if self.sql(|connection| connection.query_row(sql, [id], |row| row.get(0)))? {
            return Err(StoreError::Content(format!(
                "match {id} belongs to a plan: change `games` in its file and run it again"
            )));
        }
        let text = with_games(&text, 2 * pairs).map_err(|error| unreadable(id, error))?;
        let sql = "UPDATE run SET plan = ? WHERE id = (SELECT run FROM run_match WHERE match = ?)";
        self.sql(|connection| connection.execute(sql, (text, id))).map(|_| ())
    }

    /// Adds a match without a plan, as in a league, and returns its number.
    pub fn add_match_without_plan(&mut self, rules: Rules, names: [&str; 2]) -> Result<i64, StoreError> {
        self.sql(|connection| insert_match(connection, rules, names))
    }

    /// Deletes a match and returns the number of its games.
    pub fn delete_match(&mut self, id: i64) -> Result<usize, StoreError> {
        let (deleted, games) = self.transact(|transaction| {
            transaction.execute("DELETE FROM ply WHERE game IN (SELECT id FROM game WHERE match = ?)", [id])?;
            let games = transaction.execute("DELETE FROM game WHERE match = ?", [id])?;
            transaction.execute("DELETE FROM run_match WHERE match = ?", [id])?;
            transaction.execute("DELETE FROM run WHERE id NOT IN (SELECT run FROM run_match)", [])?;
            Ok((transaction.execute("DELETE FROM match WHERE id = ?", [id])?, games))
        })?;
        if deleted > 0 { Ok(games) } else { Err(StoreError::Missing { what: "match", id }) }
    }

    /// Returns all matches, the oldest first, and an error in place of each damaged one.
    pub fn matches(&self) -> Result<Vec<Result<StoredMatch, StoreError>>, StoreError> {
        self.matches_with("TRUE", [])
    }

    /// Returns a match.
    pub fn find_match(&self, id: i64) -> Result<StoredMatch, StoreError> {
        self.matches_with("match.id = ?", [id])?.pop().unwrap_or(Err(StoreError::Missing { what: "match", id }))
    }

    fn matches_with(
        &self,
        condition: &str,
        params: impl Params,
    ) -> Result<Vec<Result<StoredMatch, StoreError>>, StoreError> {
        let sql = format!(
            "SELECT match.id, created, a, b, rules, count(game.id), total(score_a)
             FROM match LEFT JOIN game ON game.match = match.id WHERE {condition} GROUP BY match.id ORDER BY match.id"
        );
        let damaged = |id, error| StoreError::Match { path: self.path.clone(), id, reason: reason_of(error) };
        self.rows(&sql, params, |row| {
            let id = row.get(0)?;
            Ok(read_match(row).map_err(|error| damaged(id, error)))
        })
    }

    /// Returns the plan of a match.
    pub fn plan(&self, id: i64) -> Result<Plan, StoreError> {
        let (text, number) = self.planned(id)?;
        let plan: Plan = text.parse().map_err(|error| unreadable(id, error))?;
        // Only in a database that something else has changed.
        if number >= plan.matches() {
            return Err(unreadable(id, format_args!("it has no match {number}")));
        }
        Ok(plan.match_plan(number))
    }

    /// Returns the text of the plan of a match, and its number in the plan.
    fn planned(&self, id: i64) -> Result<(String, u32), StoreError> {
        self.find_match(id)?;
        let sql = "SELECT plan, number FROM run_match JOIN run ON run = run.id WHERE match = ?";
        let planned = self.sql(|connection| connection.query_row(sql, [id], |row| row.try_into()).optional())?;
        planned
            .ok_or_else(|| StoreError::Content(format!("match {id} belongs to a league: `arena league` continues it")))
    }

    /// Returns the matches of a plan that have games, by the plan's key: their numbers in the plan and in the database.
    /// Updates what may have changed in a resumed plan: the number of games, the test and the names.
    pub fn resume_run(&mut self, key: &str, plan: &Plan) -> Result<Vec<(u32, i64)>, StoreError> {
        self.transact(|transaction| {
            let sql = "UPDATE run SET plan = ? WHERE key = ? RETURNING id";
            let id: Option<i64> = transaction.query_row(sql, (plan.to_text(), key), |row| row.get(0)).optional()?;
            id.map_or(Ok(Vec::new()), |id| matches_of(transaction, id))
        })
    }

    /// Returns the plans of `arena run`, oldest first.
    pub fn runs(&self) -> Result<Vec<StoredRun>, StoreError> {
        self.transact(|transaction| {
            let mut statement =
                transaction.prepare("SELECT plan, parts, id FROM run WHERE key IS NOT NULL ORDER BY id")?;
            let run = |row: &Row| {
                Ok(StoredRun { plan: row.get(0)?, parts: row.get(1)?, matches: matches_of(transaction, row.get(2)?)? })
            };
            statement.query_map([], run)?.collect()
        })
    }
}

fn unreadable(id: i64, reason: impl Display) -> StoreError {
    StoreError::Content(format!("cannot read the plan of match {id}: {reason}"))
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
    })
}

/// Returns the matches of a plan: their numbers in the plan and in the database.
fn matches_of(connection: &Connection, run: i64) -> rusqlite::Result<Vec<(u32, i64)>> {
    let mut matches = connection.prepare("SELECT number, match FROM run_match WHERE run = ? ORDER BY number")?;
    matches.query_map([run], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}
