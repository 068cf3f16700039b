//! Plans in the database.

use rusqlite::{Connection, OptionalExtension};

use super::matches::insert_planned;
use super::{Store, StoreError};
use crate::plan::{Part, Plan};

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
    /// Returns the matches of a plan that have games, by the plan's key: their numbers in the plan and in the database.
    /// Updates what may have changed in a resumed plan: the number of games, the test and the names.
    pub fn resume_run(&mut self, key: &str, plan: &Plan) -> Result<Vec<(u32, i64)>, StoreError> {
        let sprt = plan.sprt;
        self.transact(|transaction| {
            let sql = "UPDATE run SET plan = ? WHERE key = ? RETURNING id";
            let id = transaction.query_row(sql, (plan.to_text(), key), |row| row.get(0)).optional()?;
            let Some(id) = id else { return Ok(Vec::new()) };
            transaction.execute(
                "UPDATE plan SET pairs = ?, elo0 = ?, elo1 = ?, alpha = ?, beta = ?
                 WHERE match IN (SELECT match FROM run_match WHERE run = ?)",
                (
                    plan.pairs,
                    sprt.map(|sprt| sprt.elo0),
                    sprt.map(|sprt| sprt.elo1),
                    sprt.map(|sprt| sprt.alpha),
                    sprt.map(|sprt| sprt.beta),
                    id,
                ),
            )?;
            matches(transaction, id)
        })
    }

    /// Returns all plans, oldest first.
    pub fn runs(&self) -> Result<Vec<Run>, StoreError> {
        self.transact(|transaction| {
            let mut statement = transaction.prepare("SELECT plan, parts, id FROM run ORDER BY id")?;
            let run = |row: &rusqlite::Row| {
                Ok(Run { plan: row.get(0)?, parts: row.get(1)?, matches: matches(transaction, row.get(2)?)? })
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

fn matches(connection: &Connection, run: i64) -> rusqlite::Result<Vec<(u32, i64)>> {
    let mut matches = connection.prepare("SELECT number, match FROM run_match WHERE run = ? ORDER BY number")?;
    matches.query_map([run], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}
