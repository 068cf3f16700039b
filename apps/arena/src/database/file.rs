//! Database files: creation and checks.

use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::StoreError;

/// Maximum time to wait for another process that locks the database.
const BUSY: Duration = Duration::from_secs(10);

/// Interval between two tries to lock the database.
const RETRY: Duration = Duration::from_millis(2);

/// The tables of a database.
#[derive(Debug)]
pub struct Tables {
    /// SQL that creates the tables.
    pub sql: &'static str,
    /// Version of the tables, kept in `user_version`.
    pub version: i64,
    /// `true` if only the owner may read the file.
    pub is_private: bool,
}

/// Opens a database. Creates it if the file is missing.
///
/// # Errors
/// [`StoreError`], also if the tables are others or of another version; then the file does not change.
pub fn open(path: &Path, tables: &Tables) -> Result<Connection, StoreError> {
    if path == Path::new(":memory:") {
        return Err(StoreError::Content("the database must be a file, not :memory:".to_owned()));
    }
    if !path.exists() {
        create(path, tables)?;
    }
    let connection = open_existing(path, tables, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let prepared = use_write_ahead_log(&connection).and_then(|()| connection.pragma_update(None, "foreign_keys", true));
    prepared.map_err(|source| StoreError::of(path, source))?;
    Ok(connection)
}

/// Opens a database that must exist.
pub(super) fn open_existing(path: &Path, tables: &Tables, flags: OpenFlags) -> Result<Connection, StoreError> {
    let sql = |source| StoreError::of(path, source);
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX).map_err(sql)?;
    connection.busy_timeout(BUSY).map_err(sql)?;
    match connection.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(sql)? {
        found if found == tables.version => Ok(connection),
        // SQLite would begin a database in an empty file.
        0 => Err(StoreError::Damaged { path: path.to_owned(), reason: "its tables are missing".to_owned() }),
        found => Err(StoreError::Content(format!(
            "{} has version {found} of the tables, this program supports version {}: use the program that wrote the \
             file (arena and board have databases of their own), or another file",
            path.display(),
            tables.version
        ))),
    }
}

/// Checks all pages of a database.
///
/// # Errors
/// [`StoreError::Damaged`] with the first damage.
pub fn check(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let reason = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0));
    let reason: String = reason.map_err(|source| StoreError::of(path, source))?;
    if reason == "ok" { Ok(()) } else { Err(StoreError::Damaged { path: path.to_owned(), reason }) }
}

/// Creates the file complete under another name, so that a crash leaves no empty database. Does nothing if another
/// process has created it.
fn create(path: &Path, tables: &Tables) -> Result<(), StoreError> {
    let io = |source: std::io::Error| StoreError::Content(format!("cannot create {}: {source}", path.display()));
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut names = tempfile::Builder::new();
    names.prefix(".new-");
    // Closed at once: closing it later would release the locks of other connections of this process.
    let draft = match tables.is_private {
        true => names.tempfile_in(folder).map_err(io)?.into_temp_path(),
        false => names.make_in(folder, |path| File::create_new(path)).map_err(io)?.into_temp_path(),
    };
    let filled = Connection::open(&draft).and_then(|connection| {
        let Tables { sql, version, .. } = tables;
        connection.execute_batch(&format!("BEGIN; {sql} PRAGMA user_version = {version}; COMMIT"))?;
        connection.close().map_err(|(_, error)| error)
    });
    filled.map_err(|source| StoreError::of(path, source))?;
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

#[cfg(test)]
mod tests {
    use super::*;

    const TABLES: Tables = Tables { sql: "CREATE TABLE thing (x);", version: 3, is_private: true };

    #[test]
    fn leaves_damaged_files_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("things.sqlite");
        let foreign = folder.path().join("foreign.sqlite");
        Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE other (x)").unwrap();
        drop(open(&path, &TABLES).unwrap());
        let mut cut = std::fs::read(&path).unwrap();
        cut.truncate(cut.len() / 2);
        for bytes in [Vec::new(), b"S".to_vec(), b"text".repeat(500), std::fs::read(foreign).unwrap(), cut] {
            std::fs::write(&path, &bytes).unwrap();
            for flags in [OpenFlags::SQLITE_OPEN_READ_WRITE, OpenFlags::SQLITE_OPEN_READ_ONLY] {
                let error = open_existing(&path, &TABLES, flags).unwrap_err();
                assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
            }
            assert!(open(&path, &TABLES).is_err());
            assert_eq!(std::fs::read(&path).unwrap(), bytes);
        }
    }

    #[test]
    fn rejects_other_versions() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("things.sqlite");
        drop(open(&path, &TABLES).unwrap());
        let error = open(&path, &Tables { version: 4, ..TABLES }).unwrap_err().to_string();
        assert!(error.contains("version 3") && error.contains("version 4"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn only_owner_reads_private_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("things.sqlite");
        drop(open(&path, &TABLES).unwrap());
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
