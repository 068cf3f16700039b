//! Adding the matches of another database.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, Transaction};

use super::{Store, StoreError};

/// What became of a match of another database.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Merged {
    /// Its number there.
    pub from: i64,
    /// Its number here.
    pub to: i64,
    /// How many games it brought.
    pub games: usize,
}

const COLUMNS_OF_GAME: &str =
    "pair, team_of_a, ended, start, points_a, points_b, score_a, fault_by, fault, fault_detail, source";

impl Store {
    /// Adds the matches of another database. One that is here already gets the games that it lacks: the same match of
    /// the same plan, or one that was begun at the same moment between the same contestants. All are added or none.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn merge(&mut self, other: &Path) -> Result<Vec<Merged>, StoreError> {
        // This brings its tables up to date.
        drop(Self::open(other)?);
        let other = other.to_string_lossy().into_owned();
        self.sql(|connection| {
            connection.execute("ATTACH ? AS other", [&other])?;
            let merged = merge(connection);
            connection.execute("DETACH other", [])?;
            merged
        })
    }
}

fn merge(connection: &Connection) -> rusqlite::Result<Vec<Merged>> {
    let transaction = connection.unchecked_transaction()?;
    let ids = |sql: &str, id: Option<i64>| {
        let mut statement = transaction.prepare(sql)?;
        statement.query_map(rusqlite::params_from_iter(id), |row| row.get(0))?.collect::<rusqlite::Result<Vec<i64>>>()
    };
    let mut merged = Vec::new();
    for from in ids("SELECT id FROM other.match ORDER BY id", None)? {
        let to = match_here(&transaction, from)?;
        let mut games = 0;
        for game in ids("SELECT id FROM other.game WHERE match = ? ORDER BY id", Some(from))? {
            let added = transaction.execute(
                &format!(
                    "INSERT OR IGNORE INTO main.game (match, {COLUMNS_OF_GAME})
                     SELECT ?, {COLUMNS_OF_GAME} FROM other.game WHERE id = ?"
                ),
                [to, game],
            )?;
            if added > 0 {
                let here = transaction.last_insert_rowid();
                transaction.execute(
                    "INSERT INTO main.ply SELECT ?, number, move, micros, win, margin, nodes, depth
                     FROM other.ply WHERE game = ?",
                    [here, game],
                )?;
            }
            games += added;
        }
        merged.push(Merged { from, to, games });
    }
    transaction.commit()?;
    Ok(merged)
}

/// The number of a match of the other database here, where it is added if it is new.
fn match_here(transaction: &Transaction, from: i64) -> rusqlite::Result<i64> {
    let planned = transaction.query_row("SELECT run, number FROM other.run_match WHERE match = ?", [from], |row| {
        Ok((row.get(0)?, row.get(1)?))
    });
    let Some((run, number)): Option<(i64, u32)> = planned.optional()? else {
        let begun_then = transaction.query_row(
            "SELECT here.id FROM main.match AS here JOIN other.match AS there USING (created, a, b, rules)
             WHERE there.id = ?",
            [from],
            |row| row.get(0),
        );
        return begun_then.optional()?.map_or_else(|| copy_match(transaction, from), Ok);
    };
    let run: i64 = transaction.query_row(
        "INSERT INTO main.run (key, plan, parts) SELECT key, plan, parts FROM other.run WHERE id = ?
         ON CONFLICT DO UPDATE SET parts = coalesce(parts, excluded.parts) RETURNING id",
        [run],
        |row| row.get(0),
    )?;
    let sql = "SELECT match FROM main.run_match WHERE run = ? AND number = ?";
    if let Some(known) = transaction.query_row(sql, (run, number), |row| row.get(0)).optional()? {
        return Ok(known);
    }
    let to = copy_match(transaction, from)?;
    transaction.execute("INSERT INTO main.run_match (match, run, number) VALUES (?, ?, ?)", (to, run, number))?;
    Ok(to)
}

fn copy_match(transaction: &Transaction, from: i64) -> rusqlite::Result<i64> {
    transaction.execute(
        "INSERT INTO main.match (created, a, b, rules) SELECT created, a, b, rules FROM other.match WHERE id = ?",
        [from],
    )?;
    let to = transaction.last_insert_rowid();
    transaction.execute(
        "INSERT INTO main.plan SELECT ?, start_piece, opening, pairs, seed, time_a, time_b, nodes_a, nodes_b, soft, hard,
            elo0, elo1, alpha, beta FROM other.plan WHERE match = ?",
        [to, from],
    )?;
    Ok(to)
}
