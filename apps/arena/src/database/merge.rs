//! Adding the matches of another database.

use std::path::Path;

use rusqlite::types::{ToSqlOutput, Type, ValueRef};
use rusqlite::{Connection, OptionalExtension, Transaction};

use super::checksum::GAME;
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
        // So that an error names the right file.
        file::check(&Self::open_to_read(other)?.connection, other)?;
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
                    "INSERT OR IGNORE INTO main.game (match, {GAME}, checksum)
                     SELECT ?, {GAME}, checksum FROM other.game WHERE id = ?"
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
    let planned = transaction.query_row(
        "SELECT run, number, plan FROM other.run_match JOIN other.run ON run = run.id WHERE match = ?",
        [from],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
    );
    let planned: Option<(i64, u32, String)> = planned.optional()?;
    let to = if let Some((run, number, plan_there)) = planned {
        let (run, plan_here): (i64, String) = transaction.query_row(
            "INSERT INTO main.run (key, plan, parts) SELECT key, plan, parts FROM other.run WHERE id = ?
             ON CONFLICT DO UPDATE SET parts = coalesce(parts, excluded.parts) RETURNING id, plan",
            [run],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        if games(&plan_there)? > games(&plan_here)? {
            transaction.execute("UPDATE main.run SET plan = ? WHERE id = ?", (plan_there, run))?;
        }
        let sql = "SELECT match FROM main.run_match WHERE run = ? AND number = ?";
        match transaction.query_row(sql, (run, number), |row| row.get(0)).optional()? {
            Some(known) => known,
            None => {
                let to = copy_match(transaction, from)?;
                let sql = "INSERT INTO main.run_match (match, run, number) VALUES (?, ?, ?)";
                transaction.execute(sql, (to, run, number))?;
                to
            }
        }
    } else {
        let sql = "SELECT here.id FROM main.match AS here JOIN other.match AS there USING (created, a, b, rules)
                   WHERE there.id = ?";
        match transaction.query_row(sql, [from], |row| row.get(0)).optional()? {
            Some(known) => known,
            None => copy_match(transaction, from)?,
        }
    };
    transaction.execute(GROW, [to, from])?;
    Ok(to)
}

/// Extends a match here and the other matches of its plan to the length of the longest of them and the match there:
/// more games, or until the same test is decided.
const GROW: &str = "
WITH related AS (
    SELECT ?1 AS match UNION
    SELECT match FROM main.run_match WHERE run = (SELECT run FROM main.run_match WHERE match = ?1)),
longest AS (
    SELECT pairs, elo0, elo1, alpha, beta FROM main.plan WHERE match IN related UNION ALL
    SELECT pairs, elo0, elo1, alpha, beta FROM other.plan WHERE match = ?2 ORDER BY pairs DESC LIMIT 1)
UPDATE main.plan SET (pairs, elo0, elo1, alpha, beta) = (SELECT * FROM longest)
WHERE match IN related AND pairs < (SELECT pairs FROM longest)";

/// Returns the number of games in a plan's text.
fn games(plan: &str) -> rusqlite::Result<u32> {
    games_of_two(plan).map_err(|error| rusqlite::Error::FromSqlConversionFailure(0, Type::Text, error.into()))
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
        Store::open(&there).unwrap().add_import(Rules::Classic, ["a", "b"]).unwrap();
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
        Store::open(&there).unwrap().add_import(Rules::Classic, ["a", "b"]).unwrap();
        let mut store = Store::open(&folder.path().join("here.sqlite")).unwrap();
        assert_eq!(store.merge(&there).unwrap().len(), 1);
    }
}
