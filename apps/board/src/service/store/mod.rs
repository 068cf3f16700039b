//! The database of games. Calls wait for each other and for the disk.
//!
//! Each change is one transaction that is on the disk when it is confirmed. Keys and tokens are stored as hashes.

mod error;
mod schema;

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use arena::database::{self, file};
use arena::lock::lock;
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

pub use error::GameStoreError;

use super::links::{self, GameLink, hash};
use crate::session::{By, Insight, Session};

/// Maximum number of valid keys. Each start of the service adds one.
const MAX_KEYS: u32 = 20;

/// A recently changed game.
#[derive(serde::Serialize)]
pub(crate) struct RecentGame {
    #[serde(skip)]
    pub game: i64,
    /// A token for the host.
    pub token: String,
    /// The time of the last change in seconds since 1970.
    pub changed: i64,
}

pub(crate) struct GameStore(Mutex<Database>);

struct Database {
    connection: Connection,
    path: PathBuf,
    /// Host tokens of lists are derived from this secret. They are stored when they are used first.
    secret: String,
    /// Games by the hashes of these tokens.
    listed: HashMap<String, i64>,
}

impl Database {
    fn sql<T>(&mut self, action: impl FnOnce(&Transaction) -> rusqlite::Result<T>) -> Result<T, GameStoreError> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate);
        let done = transaction.and_then(|transaction| {
            let done = action(&transaction)?;
            transaction.commit()?;
            Ok(done)
        });
        done.map_err(|source| database::StoreError::of(&self.path, source).into())
    }
}

fn insert_link(sql: &Transaction, hash: &str, game: i64, role: &str) -> rusqlite::Result<()> {
    sql.execute("INSERT OR IGNORE INTO link VALUES (?, ?, ?)", params![hash, game, role]).map(drop)
}

fn insert_links(sql: &Transaction, game: i64, links: &[GameLink]) -> rusqlite::Result<()> {
    links.iter().try_for_each(|link| insert_link(sql, &hash(&link.token), game, &link.role))
}

impl GameStore {
    /// Opens a database. Creates it if the file is missing.
    pub fn open(path: &Path) -> Result<Self, GameStoreError> {
        let connection = file::open(path, &schema::TABLES)?;
        file::check(&connection, path)?;
        // Confirmed changes survive a power failure.
        let set_up = connection.pragma_update(None, "synchronous", "FULL");
        set_up.map_err(|source| database::StoreError::of(path, source))?;
        let database = Database { connection, path: path.to_owned(), secret: links::secret(), listed: HashMap::new() };
        Ok(Self(Mutex::new(database)))
    }

    /// Adds a key, and removes all others if asked to. Returns the hashes of the valid keys.
    pub fn add_key(&self, key: &str, is_only: bool) -> Result<BTreeSet<String>, GameStoreError> {
        let hash = hash(key);
        lock(&self.0).sql(|sql| {
            if is_only {
                sql.execute("DELETE FROM key", [])?;
            }
            sql.execute("INSERT OR REPLACE INTO key (hash) VALUES (?)", [hash])?;
            let newest = "DELETE FROM key WHERE rowid NOT IN (SELECT rowid FROM key ORDER BY rowid DESC LIMIT ?)";
            sql.execute(newest, [MAX_KEYS])?;
            sql.prepare("SELECT hash FROM key")?.query_map([], |row| row.get(0))?.collect()
        })
    }

    /// Stores a new game with the links that follow from the host's token. Returns its number.
    pub fn create(&self, session: &Session, host: &str) -> Result<i64, GameStoreError> {
        let (document, links) = (session.document(), links::of_host(host));
        let checksum = hash(&document);
        lock(&self.0).sql(|sql| {
            sql.execute("INSERT INTO game (document, checksum) VALUES (?, ?)", [document, checksum])?;
            let game = sql.last_insert_rowid();
            insert_links(sql, game, &links)?;
            Ok(game)
        })
    }

    /// Saves a game. Returns `false` if the stored version is not older.
    pub fn save(&self, game: i64, session: &Session) -> Result<bool, GameStoreError> {
        let update = "UPDATE game SET document = ?, checksum = ?, changed = unixepoch()
                      WHERE id = ? AND document ->> '$.changes' < ?";
        let (document, version) = (session.document(), session.version() as i64);
        let checksum = hash(&document);
        lock(&self.0).sql(|sql| Ok(sql.execute(update, params![document, checksum, game, version])? > 0))
    }

    /// Deletes a game with its links and insights.
    pub fn delete(&self, game: i64) -> Result<(), GameStoreError> {
        let mut database = lock(&self.0);
        database.listed.retain(|_, listed| *listed != game);
        database.sql(|sql| {
            let of_game = ["insight WHERE game", "link WHERE game", "game WHERE id"];
            of_game.iter().try_for_each(|rows| sql.execute(&format!("DELETE FROM {rows} = ?"), [game]).map(drop))
        })
    }

    /// Loads a game with its insights; `None` if it is deleted.
    pub fn load(&self, game: i64) -> Result<Option<Session>, GameStoreError> {
        let found = lock(&self.0).sql(|sql| {
            let select = "SELECT document, checksum FROM game WHERE id = ?";
            let found: Option<(String, String)> = sql.query_row(select, [game], |row| row.try_into()).optional()?;
            let Some(document) = found else { return Ok(None) };
            let mut select = sql.prepare("SELECT position, insight FROM insight WHERE game = ?")?;
            let rows = select.query_map([game], |row| row.try_into())?;
            Ok(Some((document, rows.collect::<rusqlite::Result<Vec<(String, String)>>>()?)))
        })?;
        let Some(((document, checksum), insights)) = found else { return Ok(None) };
        if hash(&document) != checksum {
            let text = "is damaged: it does not match its checksum; restore it from a backup";
            return Err(GameStoreError::other(format!("game {game} of the database {text}")));
        }
        // An unreadable insight can be searched again.
        let read = |(position, text): (String, String)| match serde_json::from_str(&text) {
            Ok(insight) => Some((position, insight)),
            Err(error) => {
                log::warn!("cannot read the insight into position {position} of game {game}: {error}");
                None
            }
        };
        Ok(Some(Session::from_document(&document, insights.into_iter().filter_map(read))?))
    }

    /// Saves an insight into a position of a game.
    pub fn save_insight(&self, game: i64, position: &str, insight: &Insight) -> Result<(), GameStoreError> {
        let insert = "INSERT OR REPLACE INTO insight VALUES (?, ?, ?)";
        let json = serde_json::to_string(insight).unwrap_or_default();
        lock(&self.0).sql(|sql| sql.execute(insert, params![game, position, json]).map(drop))
    }

    /// Finds the game of a token, and the role of its holder.
    pub fn find(&self, token: &str) -> Result<Option<(i64, By)>, GameStoreError> {
        let hash = hash(token);
        let mut database = lock(&self.0);
        let listed = database.listed.get(&hash).copied();
        let found: Option<(i64, String)> = database.sql(|sql| {
            let select = "SELECT game, role FROM link WHERE hash = ?";
            let found = sql.query_row(select, [&hash], |row| row.try_into()).optional()?;
            let (None, Some(game)) = (&found, listed) else { return Ok(found) };
            insert_link(sql, &hash, game, links::HOST)?;
            Ok(Some((game, links::HOST.to_owned())))
        })?;
        Ok(found.and_then(|(game, name)| Some((game, links::read_role(&name)?))))
    }

    /// Returns the links that a host can hand out.
    pub fn links(&self, game: i64, host: &str) -> Result<Vec<GameLink>, GameStoreError> {
        let links = links::of_host(host);
        lock(&self.0).sql(|sql| insert_links(sql, game, &links))?;
        Ok(links)
    }

    /// Returns the games that were changed last, the newest first.
    pub fn recent(&self, max_games: u32) -> Result<Vec<RecentGame>, GameStoreError> {
        let mut database = lock(&self.0);
        let games: Vec<(i64, i64)> = database.sql(|sql| {
            let mut select = sql.prepare("SELECT id, changed FROM game ORDER BY changed DESC, id DESC LIMIT ?")?;
            select.query_map([max_games], |row| row.try_into())?.collect()
        })?;
        let listed = games.into_iter().map(|(game, changed)| {
            let token = links::derive(&database.secret, &game.to_string());
            database.listed.insert(hash(&token), game);
            RecentGame { game, token, changed }
        });
        Ok(listed.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Position, Rules};
    use std::time::Duration;

    #[test]
    fn new_key_replaces_all_others() {
        let folder = tempfile::tempdir().unwrap();
        let store = GameStore::open(&folder.path().join("games.sqlite")).unwrap();
        assert_eq!(store.add_key("a", false).unwrap().len(), 1);
        assert_eq!(store.add_key("b", false).unwrap(), [hash("a"), hash("b")].into());
        assert_eq!(store.add_key("c", true).unwrap(), [hash("c")].into());
        let many = (0..30).map(|n| store.add_key(&n.to_string(), false).unwrap().len());
        assert_eq!(many.max(), Some(MAX_KEYS as usize));
    }

    #[test]
    fn numbers_of_deleted_games_are_not_reused() {
        let folder = tempfile::tempdir().unwrap();
        let store = GameStore::open(&folder.path().join("games.sqlite")).unwrap();
        let session = Session::new(Position::new(Rules::Classic, None).unwrap());
        let deleted = store.create(&session, "a").unwrap();
        store.delete(deleted).unwrap();
        assert!(store.create(&session, "b").unwrap() > deleted);
    }

    #[test]
    fn opens_file_without_autoincrement() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.sqlite");
        let sql = &*schema::TABLES.sql.replace(" AUTOINCREMENT", "").leak();
        drop(file::open(&path, &file::Tables { sql, ..schema::TABLES }).unwrap());
        let store = GameStore::open(&path).unwrap();
        let session = Session::new(Position::new(Rules::Classic, None).unwrap());
        let game = store.create(&session, "a").unwrap();
        assert_eq!(store.load(game).unwrap().unwrap().document(), session.document());
    }

    #[test]
    fn rejects_damaged_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.sqlite");
        drop(GameStore::open(&path).unwrap());
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[4096..4200].fill(0xff);
        for bytes in [bytes, Vec::new()] {
            std::fs::write(&path, &bytes).unwrap();
            let GameStoreError(refused) = GameStore::open(&path).err().unwrap();
            assert!(refused.name == "database_damaged" && refused.text.contains("--games"), "{refused}");
        }
    }

    #[test]
    fn full_disk_and_lock_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let store = GameStore::open(&folder.path().join("full.sqlite")).unwrap();
        lock(&store.0).connection.execute_batch("PRAGMA max_page_count = 1").unwrap();
        let session = Session::new(Position::new(Rules::Classic, None).unwrap());
        let full = (0..200).find_map(|n| store.create(&session, &n.to_string()).err());
        assert_eq!(full.unwrap().0.name, "disk_full");

        let path = folder.path().join("locked.sqlite");
        let store = GameStore::open(&path).unwrap();
        lock(&store.0).connection.busy_timeout(Duration::ZERO).unwrap();
        let other = Connection::open(&path).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        assert_eq!(store.create(&session, "host").unwrap_err().0.name, "database_locked");
        other.execute_batch("COMMIT").unwrap();
        assert!(store.create(&session, "host").is_ok());
    }
}
