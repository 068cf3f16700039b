//! Matches and games in an SQLite database.
//!
//! A game is written in one transaction as soon as it ends, with a write-ahead log: whatever happens to this process,
//! the database holds every game that has ended and none in part.

mod error;
pub mod file;
mod games;
mod league;
mod matches;
mod merge;
mod schema;

use std::path::{Path, PathBuf};
use std::str::FromStr;

use game::excerpt;
use rusqlite::types::Type;
use rusqlite::{Connection, OpenFlags, Params, Row, Transaction};
use time::OffsetDateTime;

pub use error::StoreError;
pub use games::{ListedGame, StoredGame};
pub use league::{LeagueFault, LeagueGame, LeagueMatch, LeaguePlayer};
pub use matches::{StoredMatch, StoredRun};
pub use merge::Merged;

/// An open database.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
}

impl Store {
    /// Opens a database. Creates it if the file is missing.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let store = Self { connection: file::open(path, &schema::TABLES)?, path: path.to_owned() };
        // A crash of the system may undo the last games, but not damage the file.
        store.sql(|connection| connection.pragma_update(None, "synchronous", "NORMAL"))?;
        Ok(store)
    }

    /// Opens an existing database for reading. Other processes may write to it at the same time.
    ///
    /// # Errors
    /// [`StoreError`], also if the tables are of an older version.
    pub fn open_to_read(path: &Path) -> Result<Self, StoreError> {
        let connection = file::open_existing(path, &schema::TABLES, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        Ok(Self { connection, path: path.to_owned() })
    }

    /// Runs `action` in a transaction.
    fn transact<T>(&self, action: impl FnOnce(&Transaction) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        self.sql(|connection| {
            let transaction = connection.unchecked_transaction()?;
            let done = action(&transaction)?;
            transaction.commit()?;
            Ok(done)
        })
    }

    /// Reads all rows of a query.
    fn rows<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnMut(&Row) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        self.sql(|connection| connection.prepare(sql)?.query_map(params, read)?.collect())
    }

    /// Runs `action` and adds the path to its errors.
    fn sql<T>(&self, action: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        action(&self.connection).map_err(|source| StoreError::of(&self.path, source))
    }
}

/// Parses a text column.
fn parsed<T>(row: &Row, column: usize, what: &'static str) -> rusqlite::Result<T>
where
    T: FromStr<Err: ToString>,
{
    let text: String = row.get(column)?;
    text.parse().map_err(|error| bad_value(what, &text, error))
}

fn bad_value(what: &'static str, text: impl AsRef<[u8]>, reason: impl ToString) -> rusqlite::Error {
    let error = format!("{what} `{}`: {}", excerpt(text), reason.to_string());
    rusqlite::Error::FromSqlConversionFailure(0, Type::Text, error.into())
}

/// Returns the current time as text, for example `2027-01-31T12:00:00.000000000Z`.
fn now() -> String {
    let now = OffsetDateTime::now_utc();
    let (hour, minute, second, nano) = now.to_hms_nano();
    format!("{}T{hour:02}:{minute:02}:{second:02}.{nano:09}Z", now.date())
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Position, Rules, Team};
    use record::{Fault, FaultKind};

    use crate::games::played::{PlayedGame, Side};

    #[test]
    fn threads_open_new_database_together() {
        let folder = tempfile::tempdir().unwrap();
        for i in 0..8 {
            let path = folder.path().join(i.to_string());
            let start = std::sync::Barrier::new(8);
            std::thread::scope(|scope| {
                for _ in 0..8 {
                    scope.spawn(|| {
                        start.wait();
                        Store::open(&path).unwrap();
                    });
                }
            });
        }
    }

    #[test]
    fn accepts_games_added_by_another_process() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("arena.sqlite");
        let start = Position::new(Rules::Classic, None).unwrap();
        let fault = Some((Side::A, Fault::new(FaultKind::Left, "")));
        let game = PlayedGame { pair: 0, team_of_a: Team::One, start, plies: Vec::new(), fault };
        let mut store = Store::open(&path).unwrap();
        let id = store.add_match_without_plan(Rules::Classic, ["a", "b"]).unwrap();
        store.add_game(id, &game).unwrap();
        let error = Store::open(&path).unwrap().add_game(id, &game).unwrap_err();
        assert!(error.to_string().ends_with("another process is playing the same match"), "{error}");
        let error = store.add_game(id + 1, &game).unwrap_err();
        assert!(error.to_string().ends_with("another process has deleted the match"), "{error}");
    }
}
