//! Games, links and insights in an SQLite database.
//!
//! Every change is one transaction that is on the disk when it is confirmed.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OptionalExtension, Transaction, TransactionBehavior, params};
use thiserror::Error;

use super::links::role;
use crate::session::{By, DocumentError, Insight, Session};
use crate::talk::role_name;

/// Version of the tables, kept in `user_version`.
const VERSION: i64 = 1;

const TABLES: &str = "
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

-- Times are seconds since 1970.
CREATE TABLE game (
    id INTEGER PRIMARY KEY,
    document TEXT NOT NULL,     -- the session
    created INTEGER NOT NULL DEFAULT (unixepoch()),
    changed INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT;

CREATE TABLE link (
    token TEXT PRIMARY KEY,
    game INTEGER NOT NULL REFERENCES game,
    role TEXT NOT NULL          -- host, watch, or the letters of colours
) STRICT;
CREATE INDEX link_of_game ON link (game);

CREATE TABLE insight (
    game INTEGER NOT NULL REFERENCES game,
    position TEXT NOT NULL,     -- its key
    insight TEXT NOT NULL,      -- JSON
    PRIMARY KEY (game, position)
) STRICT, WITHOUT ROWID;
";

/// How long another process may keep the database busy.
const BUSY: Duration = Duration::from_secs(5);

/// Why the database cannot be used, in words for people.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The disk is full.
    #[error("the disk is full; {} cannot be written", .0.display())]
    Full(PathBuf),
    /// Another program keeps it locked.
    #[error("another program keeps {} locked", .0.display())]
    Locked(PathBuf),
    /// The file is damaged, or no database.
    #[error("{} is damaged or no database", .0.display())]
    Damaged(PathBuf),
    /// The file is from another version of this program.
    #[error("{} has version {found} of the tables, this program knows version {VERSION}", .path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// The version in the file.
        found: i64,
    },
    /// Another process has changed the game since it was loaded.
    #[error("another program has changed the game meanwhile")]
    Changed,
    /// A game in it cannot be read.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// SQLite refuses for another reason.
    #[error("{}: {source}", .path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// Why.
        source: rusqlite::Error,
    },
}

impl StoreError {
    /// The error in one word.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Full(_) => "disk_full",
            Self::Locked(_) => "database_locked",
            Self::Damaged(_) => "database_damaged",
            Self::Version { .. } | Self::Changed | Self::Document(_) | Self::Sqlite { .. } => "store",
        }
    }
}

/// A game in a list.
#[derive(serde::Serialize)]
pub(crate) struct Listed {
    /// The host's link.
    pub token: String,
    /// When it was changed last, in seconds since 1970.
    pub changed: i64,
}

pub(crate) struct Store {
    connection: Mutex<Connection>,
    path: PathBuf,
}

impl Store {
    /// Opens a database; a new one is made if there is no such file.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let error = |source| store_error(path, source);
        let connection = Connection::open(path).map_err(error)?;
        let found = prepare(&connection).map_err(error)?;
        if found != VERSION {
            return Err(StoreError::Version { path: path.to_owned(), found });
        }
        Ok(Self { connection: Mutex::new(connection), path: path.to_owned() })
    }

    /// Does something in one transaction.
    fn sql<T>(&self, action: impl FnOnce(&Transaction) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let done = connection.transaction_with_behavior(TransactionBehavior::Immediate).and_then(|transaction| {
            let done = action(&transaction)?;
            transaction.commit()?;
            Ok(done)
        });
        done.map_err(|source| store_error(&self.path, source))
    }

    /// A setting, which is kept as `new` makes it if there is none yet.
    pub fn setting(&self, name: &str, new: impl FnOnce() -> String) -> Result<String, StoreError> {
        self.sql(|sql| {
            let known =
                sql.query_row("SELECT value FROM setting WHERE name = ?", [name], |row| row.get(0)).optional()?;
            if let Some(known) = known {
                return Ok(known);
            }
            let value = new();
            sql.execute("INSERT INTO setting VALUES (?, ?)", [name, &value])?;
            Ok(value)
        })
    }

    /// Keeps a new game with its links, and gives it a number.
    pub fn create(&self, session: &Session, links: &[(String, By)]) -> Result<i64, StoreError> {
        self.sql(|sql| {
            sql.execute("INSERT INTO game (document) VALUES (?)", [session.document()])?;
            let game = sql.last_insert_rowid();
            for (token, by) in links {
                sql.execute("INSERT INTO link VALUES (?, ?, ?)", params![token, game, role_name(*by)])?;
            }
            Ok(game)
        })
    }

    /// Keeps what has become of a game, unless another process has changed it as often or more.
    pub fn save(&self, game: i64, session: &Session) -> Result<(), StoreError> {
        let sql = "UPDATE game SET document = ?, changed = unixepoch()
                   WHERE id = ? AND document ->> '$.changes' < ?";
        let values = params![session.document(), game, session.version() as i64];
        match self.sql(|transaction| transaction.execute(sql, values))? {
            0 => Err(StoreError::Changed),
            _ => Ok(()),
        }
    }

    /// A game with its insights.
    pub fn load(&self, game: i64) -> Result<Session, StoreError> {
        let (document, insights) = self.sql(|sql| {
            let document: String = sql.query_row("SELECT document FROM game WHERE id = ?", [game], |row| row.get(0))?;
            let mut select = sql.prepare("SELECT position, insight FROM insight WHERE game = ?")?;
            let rows = select.query_map([game], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok((document, rows.collect::<rusqlite::Result<Vec<(String, String)>>>()?))
        })?;
        let mut session = Session::from_document(&document)?;
        for (position, insight) in insights {
            // An insight of another version can be found again.
            if !serde_json::from_str(&insight).is_ok_and(|insight| session.learn_by_key(&position, insight)) {
                log::warn!("game {game}: the insight about {position} cannot be read");
            }
        }
        Ok(session)
    }

    /// Keeps what an engine thinks of a position of a game.
    pub fn keep_insight(&self, game: i64, position: &str, insight: &Insight) -> Result<(), StoreError> {
        let json = serde_json::to_string(insight).unwrap_or_default();
        let sql = "INSERT OR REPLACE INTO insight VALUES (?, ?, ?)";
        self.sql(|transaction| transaction.execute(sql, params![game, position, json]).map(|_| ()))
    }

    /// The game of a link, and what the link is for.
    pub fn find(&self, token: &str) -> Result<Option<(i64, By)>, StoreError> {
        let read = |row: &rusqlite::Row| Ok((row.get(0)?, row.get::<_, String>(1)?));
        let found: Option<(i64, String)> =
            self.sql(|sql| sql.query_row("SELECT game, role FROM link WHERE token = ?", [token], read).optional())?;
        Ok(found.and_then(|(game, name)| Some((game, role(&name)?))))
    }

    /// The links of a game with what they are for.
    pub fn links(&self, game: i64) -> Result<Vec<(String, String)>, StoreError> {
        self.sql(|sql| {
            let mut select = sql.prepare("SELECT role, token FROM link WHERE game = ?")?;
            let rows = select.query_map([game], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        })
    }

    /// The games that were changed last, the last first.
    pub fn recent(&self, most: u32) -> Result<Vec<Listed>, StoreError> {
        self.sql(|sql| {
            let mut select = sql.prepare(
                "SELECT token, changed FROM game JOIN link ON game.id = link.game WHERE role = 'host'
                 ORDER BY changed DESC, game.id DESC LIMIT ?",
            )?;
            let rows = select.query_map([most], |row| Ok(Listed { token: row.get(0)?, changed: row.get(1)? }))?;
            rows.collect()
        })
    }
}

fn prepare(connection: &Connection) -> rusqlite::Result<i64> {
    connection.busy_timeout(BUSY)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // What is confirmed survives even the power going off.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    let version = |connection: &Connection| connection.pragma_query_value(None, "user_version", |row| row.get(0));
    if version(connection)? == 0 {
        // Another process may be doing the same.
        let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
        if version(&transaction)? == 0 {
            transaction.execute_batch(TABLES)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
        }
        transaction.commit()?;
    }
    version(connection)
}

fn store_error(path: &Path, source: rusqlite::Error) -> StoreError {
    let path = path.to_owned();
    match source.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StoreError::Full(path),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Locked(path),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => StoreError::Damaged(path),
        _ => StoreError::Sqlite { path, source },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Action;
    use game::{Position, Rules};

    fn session() -> Session {
        Session::new(Position::new(Rules::Classic, None).unwrap())
    }

    #[test]
    fn games_come_back_with_their_links_and_insights() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.sqlite");
        let (game, links) = {
            let store = Store::open(&path).unwrap();
            let links = super::super::links::new_links();
            let mut session = session();
            let game = store.create(&session, &links).unwrap();
            session.act(&Action::Play { mv: "MONO@0,0".parse().unwrap() }, By::Host, 0).unwrap();
            store.save(game, &session).unwrap();
            let insight = Insight { win: 0.5, margin: 1.0, nodes: 3, time: 500, line: vec![], candidates: vec![] };
            let position = *session.position();
            session.learn(&position, insight);
            for (key, insight) in session.insights() {
                store.keep_insight(game, &key, insight).unwrap();
            }
            (game, links)
        };
        let store = Store::open(&path).unwrap();
        let session = store.load(game).unwrap();
        assert_eq!(session.position().turn(), 1);
        assert!(session.insight(session.position()).is_some());
        for (token, by) in links {
            assert_eq!(store.find(&token).unwrap(), Some((game, by)));
        }
        assert_eq!(store.find("0").unwrap(), None);
        assert_eq!(store.recent(5).unwrap().len(), 1);
        let key = store.setting("key", || "a".to_owned()).unwrap();
        assert_eq!((key.as_str(), store.setting("key", || "b".to_owned()).unwrap()), ("a", "a".to_owned()));
    }

    #[test]
    fn what_another_process_did_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.sqlite");
        let (ours, theirs) = (Store::open(&path).unwrap(), Store::open(&path).unwrap());
        let game = ours.create(&session(), &[]).unwrap();
        let played = |mv: &str| {
            let mut session = theirs.load(game).unwrap();
            session.act(&Action::Play { mv: mv.parse().unwrap() }, By::Host, 0).unwrap();
            session
        };
        let (first, second) = (played("MONO@0,0"), played("DOMINO@0,0"));
        theirs.save(game, &first).unwrap();
        assert!(matches!(ours.save(game, &second), Err(StoreError::Changed)));
        assert!(ours.load(game).unwrap().stands_as(&first));
        ours.save(game, &played("MONO@19,0")).unwrap();
    }

    #[test]
    fn what_is_wrong_with_the_file_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.sqlite");
        std::fs::write(&path, "this is not a database, although it is long enough to look like one ".repeat(50))
            .unwrap();
        assert!(matches!(Store::open(&path), Err(StoreError::Damaged(_))));

        let path = folder.path().join("full.sqlite");
        let store = Store::open(&path).unwrap();
        let pages: i64 = store.sql(|sql| sql.pragma_query_value(None, "page_count", |row| row.get(0))).unwrap();
        store.connection.lock().unwrap().pragma_update(None, "max_page_count", pages).unwrap();
        let full = (0..200).find_map(|_| store.create(&session(), &[]).err());
        assert!(matches!(full, Some(StoreError::Full(_))), "{full:?}");

        let path = folder.path().join("locked.sqlite");
        let store = Store::open(&path).unwrap();
        store.connection.lock().unwrap().busy_timeout(Duration::ZERO).unwrap();
        let other = Connection::open(&path).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        assert!(matches!(store.create(&session(), &[]), Err(StoreError::Locked(_))));
        other.execute_batch("COMMIT").unwrap();
        assert!(store.create(&session(), &[]).is_ok());
    }
}
