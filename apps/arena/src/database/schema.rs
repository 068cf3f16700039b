//! The tables.

use rusqlite::{Connection, TransactionBehavior};

/// Version of the tables, kept in `user_version`.
pub(super) const VERSION: i64 = 3;

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

/// The table of games, which version 2 replaced: before, every game had a score and no source.
const GAME: &str = "
CREATE TABLE game (
    id INTEGER PRIMARY KEY,
    match INTEGER NOT NULL REFERENCES match,
    pair INTEGER NOT NULL,
    team_of_a TEXT NOT NULL,    -- ONE or TWO
    ended TEXT NOT NULL,        -- or when it was imported
    start TEXT NOT NULL,        -- the position before the first move
    points_a INTEGER NOT NULL,
    points_b INTEGER NOT NULL,
    score_a REAL,               -- 1, 0.5 or 0; null for imported games that did not end
    fault_by TEXT,              -- A or B
    fault TEXT,                 -- illegal, late, left or resigned
    fault_detail TEXT,
    source TEXT,                -- of imported games what they were called, for example the room
    UNIQUE (match, pair, team_of_a)
) STRICT;
";

/// The tables of plans, which version 3 added.
const RUNS: &str = "
-- What `arena run` plays.
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,   -- the same for plans of which the same pairs are the same games
    plan TEXT NOT NULL,         -- as a file, as it was last
    parts INTEGER               -- into how many parts it was divided, if it was
) STRICT;

-- Which match of a plan a match is.
CREATE TABLE run_match (
    match INTEGER PRIMARY KEY REFERENCES match,
    run INTEGER NOT NULL REFERENCES run,
    number INTEGER NOT NULL,
    UNIQUE (run, number)
) STRICT;
";

/// Columns of version 1.
const COLUMNS_OF_1: &str =
    "id, match, pair, team_of_a, ended, start, points_a, points_b, score_a, fault_by, fault, fault_detail";

/// Creates the tables of a new database or migrates an older version. Returns the resulting version.
pub(super) fn prepare(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // A crash of the system may undo the last games, but not damage the file.
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    // While it is checked that moves belong to a game, no table of games can be replaced.
    connection.pragma_update(None, "foreign_keys", false)?;
    if version(connection)? < VERSION {
        // Another process may be doing the same.
        let transaction = rusqlite::Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
        let make = match version(&transaction)? {
            0 => [TABLES, GAME, RUNS].concat(),
            // Renamed the other way round, the moves would belong to the old table.
            1 => format!(
                "{} INSERT INTO new_game ({COLUMNS_OF_1}) SELECT {COLUMNS_OF_1} FROM game;
                 DROP TABLE game; ALTER TABLE new_game RENAME TO game; {RUNS}",
                GAME.replace("TABLE game", "TABLE new_game")
            ),
            2 => RUNS.to_owned(),
            _ => String::new(),
        };
        if !make.is_empty() {
            transaction.execute_batch(&make)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
        }
        transaction.commit()?;
    }
    connection.pragma_update(None, "foreign_keys", true)?;
    version(connection)
}

/// The version of the tables; 0 if there are none.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tables of version 1, with a match of one game with one move.
    const VERSION_1: &str = "
        CREATE TABLE game (
            id INTEGER PRIMARY KEY, match INTEGER NOT NULL REFERENCES match, pair INTEGER NOT NULL,
            team_of_a TEXT NOT NULL, ended TEXT NOT NULL, start TEXT NOT NULL, points_a INTEGER NOT NULL,
            points_b INTEGER NOT NULL, score_a REAL NOT NULL, fault_by TEXT, fault TEXT, fault_detail TEXT,
            UNIQUE (match, pair, team_of_a)
        ) STRICT;
        INSERT INTO match VALUES (3, '2026-01-01T00:00:00Z', 'a', 'b', 'classic');
        INSERT INTO game VALUES (7, 3, 0, 'ONE', '2026-01-01T00:00:00Z', 'start', 1, 0, 0.5, 'B', 'late', 'why');
        INSERT INTO ply VALUES (7, 0, 'MONO@0,0', 12, NULL, NULL, NULL, NULL);
        PRAGMA user_version = 1;";

    #[test]
    fn databases_of_version_1_are_brought_up_to_date() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(&[TABLES, VERSION_1].concat()).unwrap();
        assert_eq!(prepare(&connection), Ok(VERSION));
        let game = connection.query_row("SELECT id, match, score_a, fault_detail, source FROM game", [], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?))
        });
        assert_eq!(game, Ok((7, 3, 0.5, "why".to_owned(), None::<String>)));
        // Moves still belong to games.
        assert!(connection.execute("DELETE FROM game", []).is_err());
        assert!(connection.execute("INSERT INTO ply VALUES (8, 0, '', NULL, NULL, NULL, NULL, NULL)", []).is_err());
        connection
            .execute_batch(
                "INSERT INTO game (match, pair, team_of_a, ended, start, points_a, points_b)
            VALUES (3, 1, 'ONE', '', '', 0, 0)",
            )
            .unwrap();
        assert_eq!(prepare(&connection), Ok(VERSION));
    }

    #[test]
    fn databases_of_version_2_get_the_tables_of_plans() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(&[TABLES, GAME, "PRAGMA user_version = 2"].concat()).unwrap();
        assert_eq!(prepare(&connection), Ok(VERSION));
        let runs =
            connection.query_row("SELECT count(*) FROM run JOIN run_match ON run = run.id", [], |row| row.get(0));
        assert_eq!(runs, Ok(0));
    }
}
