//! The tables.

use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode};

use super::error::{StoreError, error_of};

/// Maximum time to wait for another process that locks the database.
pub(super) const BUSY: Duration = Duration::from_secs(10);

/// Interval between two tries to lock the database.
const RETRY: Duration = Duration::from_millis(2);

/// Version of the tables, kept in `user_version`.
pub(super) const VERSION: i64 = 4;

const TABLES: &str = "
-- Times are UTC in RFC 3339; positions and moves are in the notation of the crate game.
CREATE TABLE match (
    id INTEGER PRIMARY KEY,
    created TEXT NOT NULL,
    a TEXT NOT NULL,            -- the contestants
    b TEXT NOT NULL,
    rules TEXT NOT NULL
) STRICT;

-- Settings with which a match resumes; imported matches have none.
CREATE TABLE plan (
    match INTEGER PRIMARY KEY REFERENCES match,
    start_piece TEXT,
    opening TEXT NOT NULL,
    pairs INTEGER NOT NULL,
    seed INTEGER NOT NULL,      -- 64 bits, as a signed number
    time_a INTEGER,             -- milliseconds per move
    time_b INTEGER,
    nodes_a INTEGER,
    nodes_b INTEGER,
    soft INTEGER NOT NULL,      -- milliseconds
    hard INTEGER NOT NULL,
    elo0 REAL,
    elo1 REAL,
    alpha REAL,
    beta REAL
) STRICT;

CREATE TABLE ply (
    game INTEGER NOT NULL REFERENCES game,
    number INTEGER NOT NULL,    -- from 0
    move TEXT NOT NULL,
    micros INTEGER,             -- time for the move; null in openings
    win REAL,                   -- expected by the contestant
    margin REAL,
    nodes INTEGER,
    depth INTEGER,
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE game (
    id INTEGER PRIMARY KEY,
    match INTEGER NOT NULL REFERENCES match,
    pair INTEGER NOT NULL,
    team_of_a TEXT NOT NULL,    -- ONE or TWO
    ended TEXT NOT NULL,        -- or when it was imported
    start TEXT NOT NULL,        -- position before the first move
    points_a INTEGER NOT NULL,
    points_b INTEGER NOT NULL,
    score_a REAL,               -- 1, 0.5 or 0; null for imported games that did not end
    fault_by TEXT,              -- A or B
    fault TEXT,                 -- illegal, late, left or resigned
    fault_detail TEXT,
    source TEXT,                -- name of an imported game, for example its room
    checksum INTEGER,           -- of the game and its moves; null until they are stored
    UNIQUE (match, pair, team_of_a)
) STRICT;

-- Plans of `arena run`.
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,   -- equal for plans whose pairs are equal
    plan TEXT NOT NULL,         -- the latest text
    parts INTEGER               -- number of parts, if divided
) STRICT;

-- Matches of plans.
CREATE TABLE run_match (
    match INTEGER PRIMARY KEY REFERENCES match,
    run INTEGER NOT NULL REFERENCES run,
    number INTEGER NOT NULL,
    UNIQUE (run, number)
) STRICT;
";

/// Creates the file complete under another name, so that a crash leaves no empty database. Does nothing if another
/// process has created it.
pub(super) fn create(path: &Path) -> Result<(), StoreError> {
    let io = |source| StoreError::Create { path: path.to_owned(), source };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let draft = tempfile::Builder::new().prefix(".new-").make_in(folder, |path| File::create_new(path));
    // Closed at once: closing it later would release the locks of other connections of this process.
    let draft = draft.map_err(io)?.into_temp_path();
    let filled = Connection::open(&draft).and_then(|connection| {
        connection.execute_batch(&format!("BEGIN; {TABLES} PRAGMA user_version = {VERSION}; COMMIT"))?;
        connection.close().map_err(|(_, error)| error)
    });
    filled.map_err(|source| error_of(path, source))?;
    let failed = match draft.persist_noclobber(path) {
        Ok(()) => return Ok(()),
        Err(failed) => failed,
    };
    // Not every file system can move a file without replacing another.
    match File::create_new(path) {
        Ok(_) => failed.path.persist(path).map_err(|failed| io(failed.error)),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(io(error)),
    }
}

/// Sets how a connection writes to the database.
pub(super) fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    use_write_ahead_log(connection)?;
    // A crash of the system may undo the last games, but not damage the file.
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "foreign_keys", true)
}

/// Turns on the write-ahead log. If other processes do so at the same time, SQLite reports that the database is
/// locked without waiting for `BUSY`.
fn use_write_ahead_log(connection: &Connection) -> rusqlite::Result<()> {
    let deadline = Instant::now() + BUSY;
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && Instant::now() < deadline => {
                thread::sleep(RETRY);
            }
            done => return done,
        }
    }
}

/// Returns the version of the tables; 0 if there are none.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}
