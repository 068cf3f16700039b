//! Plans in the database.

use rusqlite::{Connection, OptionalExtension};

use super::matches::insert_planned;
use super::{Store, StoreError};
use crate::plan::{Part, Plan};

/// A plan in the database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// Its number.
    pub id: i64,
    /// Identity of the plan, see [`Plan::key`].
    pub key: String,
    /// The text of the plan.
    pub plan: String,
    /// Number of parts, if the plan was divided.
    pub parts: Option<u32>,
    /// The matches that have games: their numbers in the plan and in the database.
    pub matches: Vec<(u32, i64)>,
}

impl Store {
    /// Finds a plan by its key.
    pub fn find_run(&self, key: &str) -> Result<Option<Run>, StoreError> {
        self.sql(|connection| {
            let id = connection.query_row("SELECT id FROM run WHERE key = ?", [key], |row| row.get(0)).optional()?;
            id.map(|id| read(connection, id)).transpose()
        })
    }

    /// Returns all plans, oldest first.
    pub fn runs(&self) -> Result<Vec<Run>, StoreError> {
        self.sql(|connection| {
            let mut statement = connection.prepare("SELECT id FROM run ORDER BY id")?;
            let ids = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<_>>>()?;
            ids.into_iter().map(|id| read(connection, id)).collect()
        })
    }

    /// Adds a match of a plan that is about to be played; its number in the database.
    ///
    /// # Errors
    /// [`StoreError`], also if it is there already.
    pub fn add_run_match(&mut self, key: &str, plan: &Plan, part: Part, number: u32) -> Result<i64, StoreError> {
        self.sql(|connection| {
            let transaction = connection.unchecked_transaction()?;
            let id = insert_planned(&transaction, &plan.match_plan(number))?;
            let run: i64 = transaction.query_row(
                "INSERT INTO run (key, plan, parts) VALUES (?, ?, ?)
                 ON CONFLICT DO UPDATE SET plan = excluded.plan RETURNING id",
                (key, plan.to_text(), (part != Part::WHOLE).then_some(part.parts())),
                |row| row.get(0),
            )?;
            transaction.execute("INSERT INTO run_match (match, run, number) VALUES (?, ?, ?)", (id, run, number))?;
            transaction.commit()?;
            Ok(id)
        })
    }

    /// Updates a resumed plan: number of games, test, names.
    pub fn update_run(&mut self, id: i64, plan: &Plan) -> Result<(), StoreError> {
        let sprt = plan.sprt;
        self.sql(|connection| {
            let transaction = connection.unchecked_transaction()?;
            transaction.execute("UPDATE run SET plan = ? WHERE id = ?", (plan.to_text(), id))?;
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
            transaction.commit()
        })
    }
}

fn read(connection: &Connection, id: i64) -> rusqlite::Result<Run> {
    let mut matches = connection.prepare("SELECT number, match FROM run_match WHERE run = ? ORDER BY number")?;
    let matches = matches.query_map([id], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()?;
    connection.query_row("SELECT id, key, plan, parts FROM run WHERE id = ?", [id], |row| {
        Ok(Run { id: row.get(0)?, key: row.get(1)?, plan: row.get(2)?, parts: row.get(3)?, matches })
    })
}
