//! The tables.

use rusqlite::{Connection, TransactionBehavior};

/// Version of the tables, kept in `user_version`.
pub(super) const VERSION: i64 = 1;

const TABLES: &str = "
-- Times are UTC in RFC 3339; positions and moves are in the notation of the crate game.
CREATE TABLE match (
    id INTEGER PRIMARY KEY,
    created TEXT NOT NULL,
    a TEXT NOT NULL,            -- the contestants
    b TEXT NOT NULL,
    rules TEXT NOT NULL
) STRICT;

-- What a match that is played here needs to go on; imported matches have none.
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

CREATE TABLE game (
    id INTEGER PRIMARY KEY,
    match INTEGER NOT NULL REFERENCES match,
    pair INTEGER NOT NULL,
    team_of_a TEXT NOT NULL,    -- ONE or TWO
    ended TEXT NOT NULL,
    start TEXT NOT NULL,        -- the position before the first move
    points_a INTEGER NOT NULL,
    points_b INTEGER NOT NULL,
    score_a REAL NOT NULL,      -- 1, 0.5 or 0
    fault_by TEXT,              -- A or B
    fault TEXT,                 -- illegal, late, left or resigned
    fault_detail TEXT,
    UNIQUE (match, pair, team_of_a)
) STRICT;

CREATE TABLE ply (
    game INTEGER NOT NULL REFERENCES game,
    number INTEGER NOT NULL,    -- from 0
    move TEXT NOT NULL,
    micros INTEGER,             -- time for the move; null in openings
    win REAL,                   -- what the contestant expects
    margin REAL,
    nodes INTEGER,
    depth INTEGER,
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID;
";

/// Makes the tables in a new database; the version of the tables that are there then.
pub(super) fn prepare(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // A crash of the system may undo the last games, but not damage the file.
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    let version = |connection: &Connection| connection.pragma_query_value(None, "user_version", |row| row.get(0));
    if version(connection)? == 0 {
        // Another process may be doing the same.
        let transaction = rusqlite::Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
        if version(&transaction)? == 0 {
            transaction.execute_batch(TABLES)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
        }
        transaction.commit()?;
    }
    version(connection)
}
