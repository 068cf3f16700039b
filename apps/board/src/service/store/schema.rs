//! The tables: creation and checks.

use std::fs::{self, File, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::StoreError;

/// Version of the tables, stored in `user_version`.
const VERSION: i64 = 2;

const TABLES: &str = "
-- Times are seconds since 1970. Hashes are SHA-256.
CREATE TABLE key (
    hash TEXT PRIMARY KEY,
    created INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT;

CREATE TABLE game (
    id INTEGER PRIMARY KEY,
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

/// Size of the smallest page of a database in bytes.
const SMALLEST_PAGE: u64 = 512;

/// Time that another process may keep the database locked.
const BUSY: Duration = Duration::from_secs(5);

/// Opens a database of games. Creates it if the file is missing.
pub(super) fn open(path: &Path) -> Result<Connection, StoreError> {
    let io = |source| StoreError::io(path, &source);
    let damaged = |reason: &str| StoreError::damaged(path, reason);
    match File::open(path).and_then(|file| file.metadata()) {
        Ok(file) if file.is_dir() => return Err(io(ErrorKind::IsADirectory.into())),
        // SQLite would begin a database in it.
        Ok(file) if file.len() == 0 => return Err(damaged("it is empty")),
        Ok(file) if file.len() < SMALLEST_PAGE => return Err(damaged("it is too short")),
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => create(path)?,
        Err(error) => return Err(io(error)),
    }
    let sql = |source| StoreError::of(path, &source);
    let connection = connect(path).map_err(sql)?;
    let check: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(sql)?;
    if check != "ok" {
        return Err(damaged(&check));
    }
    match version(&connection).map_err(sql)? {
        0 => return Err(damaged("it has no games")),
        VERSION => {}
        found => {
            let file = path.display();
            let text = format!("{file} has version {found} of the tables, this program supports version {VERSION}");
            return Err(StoreError::other(text));
        }
    }
    Ok(connection)
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.busy_timeout(BUSY)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // Confirmed changes survive a power failure.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    Ok(connection)
}

fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Creates the file complete under another name, so that a crash leaves no empty database.
fn create(path: &Path) -> Result<(), StoreError> {
    let io = |source| StoreError::io(path, &source);
    let new = beside(path, &format!(".new-{}", std::process::id()));
    private_file(&new).map_err(io)?;
    let filled = connect(&new).and_then(|connection| {
        connection.execute_batch(TABLES)?;
        connection.pragma_update(None, "user_version", VERSION)?;
        connection.close().map_err(|(_, error)| error)
    });
    let moved = filled.map_err(|error| StoreError::of(&new, &error)).and_then(|()| {
        // A link fails if another process was faster, but not every file system has links.
        let linked = fs::hard_link(&new, path);
        let is_there = linked.is_ok() || path.exists();
        if is_there { Ok(()) } else { fs::rename(&new, path).map_err(io) }
    });
    _ = fs::remove_file(&new);
    moved
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Creates an empty file that only its owner can read.
fn private_file(path: &Path) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    fn mode(path: &Path) -> u32 {
        use std::os::unix::fs::PermissionsExt;
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn damaged_files_are_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.sqlite");
        let foreign = b"this is no database".repeat(50);
        for (bytes, reason) in [(&b""[..], "is empty"), (b"S", "too short"), (&foreign, "not a database")] {
            fs::write(&path, bytes).unwrap();
            let error = open(&path).unwrap_err().to_string();
            assert!(error.contains(reason) && error.contains("--games"), "{error}");
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
        fs::remove_file(&path).unwrap();
        drop(open(&path).unwrap());
        #[cfg(unix)]
        assert_eq!(mode(&path), 0o600);
        let mut bytes = fs::read(&path).unwrap();
        bytes[4096..4200].fill(0xff);
        fs::write(&path, bytes).unwrap();
        assert_eq!(open(&path).unwrap_err().0.name, "database_damaged");
        fs::remove_file(&path).unwrap();
        Connection::open(&path).unwrap().execute_batch("CREATE TABLE other (x)").unwrap();
        assert_eq!(open(&path).unwrap_err().0.name, "database_damaged");
    }
}
