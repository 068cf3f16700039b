//! Adding the matches of another database.

use std::path::Path;

use rusqlite::types::{ToSqlOutput, Type, ValueRef};
use rusqlite::{Connection, OptionalExtension, Transaction};

use super::games::GAME;
use super::{Store, StoreError, file};
use crate::plan::file::games_of_two;

/// Result of merging a match of another database.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Merged {
    /// Its number there.
    pub from: i64,
    /// Its number here.
    pub to: i64,
    /// Number of games added.
    pub games: usize,
}

impl Store {
    /// Adds the matches of another database, all or none. A match that exists in both gets the missing games; two
    /// matches are the same if they belong to the same plan, or began at the same moment between the same contestants.
    /// Keeps the larger number of planned games.
    pub fn merge(&mut self, other: &Path) -> Result<Vec<Merged>, StoreError> {
        // So that an error names the right file, and no damage spreads.
        let source = Self::open_to_read(other)?;
        file::check(&source.connection, other)?;
        let plans: Vec<String> = source.rows("SELECT plan FROM run", [], |row| row.get(0))?;
        plans.iter().try_for_each(|plan| games(plan).map(drop)).map_err(|error| StoreError::of(other, error))?;
        for stored in source.matches()? {
            source.games(stored?.id)?;
        }
        drop(source);
        // As bytes, because the path may not be UTF-8.
        let other = ToSqlOutput::Borrowed(ValueRef::Text(other.as_os_str().as_encoded_bytes()));
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
    // Takes the write lock first: a transaction that has only read cannot write after another process has written. An
    // immediate transaction would lock both databases.
    transaction.execute("DELETE FROM main.match WHERE FALSE", [])?;
    let mut merged = Vec::new();
    for from in ids(&transaction, "SELECT id FROM other.match ORDER BY id", None)? {
        let to = match_here(&transaction, from)?;
        let mut games = 0;
        for game in ids(&transaction, "SELECT id FROM other.game WHERE match = ? ORDER BY id", Some(from))? {
            let added = transaction.execute(
                &format!(
                    "INSERT OR IGNORE INTO main.game (match, {GAME}) SELECT ?, {GAME} FROM other.game WHERE id = ?"
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

fn ids(transaction: &Transaction, sql: &str, of: Option<i64>) -> rusqlite::Result<Vec<i64>> {
    let mut statement = transaction.prepare(sql)?;
    statement.query_map(rusqlite::params_from_iter(of), |row| row.get(0))?.collect()
}

/// Returns the number in this database of a match from the other one. Adds the match if it is new.
fn match_here(transaction: &Transaction, from: i64) -> rusqlite::Result<i64> {
    let sql = "SELECT here.id FROM main.match AS here JOIN other.match AS there USING (created, a, b, rules)
               WHERE there.id = ?";
    let known: Option<i64> = transaction.query_row(sql, [from], |row| row.get(0)).optional()?;
    let sql = "SELECT run, number FROM other.run_match WHERE match = ?";
    let planned: Option<(i64, u32)> = transaction.query_row(sql, [from], |row| row.try_into()).optional()?;
    let Some((run, number)) = planned else {
        return known.map_or_else(|| copy_match(transaction, from), Ok);
    };
    let run = run_here(transaction, run, known)?;
    let sql = "SELECT match FROM main.run_match WHERE run = ? AND number = ?";
    if let Some(known) = transaction.query_row(sql, (run, number), |row| row.get(0)).optional()? {
        return Ok(known);
    }
    let to = copy_match(transaction, from)?;
    transaction.execute("INSERT INTO main.run_match (match, run, number) VALUES (?, ?, ?)", (to, run, number))?;
    Ok(to)
}

/// Returns the number in this database of a plan from the other one, which may be the plan of the single match `known`
/// here. Adds the plan if it is new, and keeps the text with more games.
fn run_here(transaction: &Transaction, from: i64, known: Option<i64>) -> rusqlite::Result<i64> {
    let sql = "SELECT plan FROM other.run WHERE id = ?";
    let plan_there: String = transaction.query_row(sql, [from], |row| row.get(0))?;
    let sql = "SELECT id, plan FROM main.run_match JOIN main.run ON run = id WHERE match = ? AND key IS NULL";
    let single: Option<(i64, String)> = transaction.query_row(sql, [known], |row| row.try_into()).optional()?;
    let (here, plan_here) = match single {
        Some(single) => single,
        None => transaction.query_row(
            "INSERT INTO main.run (key, plan, parts) SELECT key, plan, parts FROM other.run WHERE id = ?
             ON CONFLICT DO UPDATE SET parts = coalesce(parts, excluded.parts) RETURNING id, plan",
            [from],
            |row| row.try_into(),
        )?,
    };
    if games(&plan_there)? > games(&plan_here)? {
        transaction.execute("UPDATE main.run SET plan = ? WHERE id = ?", (plan_there, here))?;
    }
    Ok(here)
}

/// Returns the number of games in a plan's text.
fn games(plan: &str) -> rusqlite::Result<u32> {
    games_of_two(plan).map_err(|error| rusqlite::Error::FromSqlConversionFailure(0, Type::Text, error.into()))
}

fn copy_match(transaction: &Transaction, from: i64) -> rusqlite::Result<i64> {
    transaction.execute(
        "INSERT INTO main.match (created, a, b, rules) SELECT created, a, b, rules FROM other.match WHERE id = ?",
        [from],
    )?;
    Ok(transaction.last_insert_rowid())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;
    use std::time::Duration;

    use game::Rules;

    #[test]
    fn merge_waits_for_other_writers() {
        let folder = tempfile::tempdir().unwrap();
        let [here, there] = ["here", "there"].map(|name| folder.path().join(name));
        Store::open(&there).unwrap().add_match_without_plan(Rules::Classic, ["a", "b"]).unwrap();
        let mut store = Store::open(&here).unwrap();
        let other = Store::open(&here).unwrap();
        let writing = other.connection.unchecked_transaction().unwrap();
        insert_match(&writing, "c");
        thread::scope(|scope| {
            let merging = scope.spawn(|| store.merge(&there));
            thread::sleep(Duration::from_millis(200));
            writing.commit().unwrap();
            assert_eq!(merging.join().unwrap().unwrap(), [Merged { from: 1, to: 2, games: 0 }]);
        });
    }

    fn insert_match(connection: &Connection, name: &str) {
        connection.execute("INSERT INTO match (created, a, b, rules) VALUES ('', ?1, ?1, 'classic')", [name]).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn accepts_paths_other_than_utf_8() {
        use std::os::unix::ffi::OsStrExt;

        let folder = tempfile::tempdir().unwrap();
        let there = folder.path().join(std::ffi::OsStr::from_bytes(b"\xff.sqlite"));
        Store::open(&there).unwrap().add_match_without_plan(Rules::Classic, ["a", "b"]).unwrap();
        let mut store = Store::open(&folder.path().join("here.sqlite")).unwrap();
        assert_eq!(store.merge(&there).unwrap().len(), 1);
    }
}
