//! SQL schema of the arena's database without the tables of a league.

use super::file::Tables;

/// Tables of the database and their version.
pub(super) const TABLES: Tables = Tables { sql: SQL, version: 6, is_private: false };

const SQL: &str = "
-- Times are UTC in RFC 3339; positions and moves are in the notation of the crate game.
CREATE TABLE match (
    id INTEGER PRIMARY KEY,
    created TEXT NOT NULL,
    a TEXT NOT NULL,            -- contestant A
    b TEXT NOT NULL,
    rules TEXT NOT NULL
) STRICT;

CREATE TABLE ply (
    game INTEGER NOT NULL REFERENCES game,
    number INTEGER NOT NULL,    -- from 0
    move TEXT NOT NULL,
    micros INTEGER,             -- time for the move; null in openings
    win REAL,                   -- expected score of the contestant, 0 to 1
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
    ended TEXT NOT NULL,
    start TEXT NOT NULL,        -- position before the first move
    points_a INTEGER NOT NULL,
    points_b INTEGER NOT NULL,
    score_a REAL NOT NULL,      -- 1, 0.5 or 0
    fault_by TEXT,              -- A or B
    fault TEXT,                 -- illegal, late, left or resigned
    fault_detail TEXT,
    UNIQUE (match, pair, team_of_a)
) STRICT;

-- Plans, from which matches resume. League matches have none.
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    key TEXT UNIQUE,            -- equal if two plans play the same games in each pair; null for single matches
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
