//! The tables.

use arena::database::file::Tables;

/// The tables of the board, which contain secret links.
pub(super) const TABLES: Tables = Tables { sql: SQL, version: 2, is_private: true };

const SQL: &str = "
-- Times are seconds since 1970. Hashes are SHA-256.
CREATE TABLE key (
    hash TEXT PRIMARY KEY,
    created INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT;

CREATE TABLE game (
    id INTEGER PRIMARY KEY AUTOINCREMENT,   -- not reused after a deletion
    document TEXT NOT NULL,     -- the session
    created INTEGER NOT NULL DEFAULT (unixepoch()),
    changed INTEGER NOT NULL DEFAULT (unixepoch()),
    checksum TEXT NOT NULL      -- hash of the document
) STRICT;

CREATE TABLE link (
    hash TEXT PRIMARY KEY,      -- of the token
    game INTEGER NOT NULL REFERENCES game,
    role TEXT NOT NULL          -- host, watch, or the letters of colours
) STRICT;

CREATE TABLE insight (
    game INTEGER NOT NULL REFERENCES game,
    position TEXT NOT NULL,     -- its key
    insight TEXT NOT NULL,      -- JSON
    PRIMARY KEY (game, position)
) STRICT, WITHOUT ROWID;
";
