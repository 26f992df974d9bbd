//! The store's schema, `schema.sql`, which has a single version. A store of another version is rebuilt from the log.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use duckdb::{AccessMode, Config, Connection};

/// The schema's version.
const VERSION: u32 = 22;

/// Why a store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SchemaError {
    /// DuckDB's own error.
    #[error(transparent)]
    DuckDb(#[from] duckdb::Error),
    /// The store was written by a newer plantune: its version, and the newest known here.
    #[error("the store has schema version {found}, and this plantune knows versions up to {known}")]
    Newer {
        /// The store's version.
        found: u32,
        /// The newest version known here.
        known: u32,
    },
}

/// The schema version of a store; 0 for a new one.
///
/// # Errors
/// DuckDB errors.
pub fn version(connection: &Connection) -> duckdb::Result<u32> {
    let version = connection.query_row(include_str!("../sql/version.sql"), [], |row| row.get(0));
    // A store nearly always has a version, so the check for a store without one runs only when this query fails.
    version.or_else(|error| {
        let sql = include_str!("../sql/has_migrations.sql");
        match connection.query_row(sql, [], |row| row.get(0))? {
            true => Err(error),
            false => Ok(0),
        }
    })
}

/// The newest schema version known here.
pub const fn newest() -> u32 {
    VERSION
}

/// Checks that a store is not newer than this program, and returns its version.
///
/// # Errors
/// DuckDB's errors, and [`SchemaError::Newer`] for a newer store.
pub fn check(connection: &Connection) -> Result<u32, SchemaError> {
    let (found, known) = (version(connection)?, newest());
    if found > known {
        Err(SchemaError::Newer { found, known })
    } else {
        Ok(found)
    }
}

/// Makes the tables in an empty store.
///
/// # Errors
/// DuckDB errors.
pub fn create(connection: &Connection) -> duckdb::Result<()> {
    // Every transaction waits for the disk, so all statements share one.
    let transaction = connection.unchecked_transaction()?;
    connection.execute_batch(include_str!("../sql/schema.sql"))?;
    connection.execute(include_str!("../sql/record_migration.sql"), [VERSION])?;
    transaction.commit()
}

// Opening the store's file, and what it means when DuckDB refuses: another process holds it, or it is damaged. DuckDB
// reports both in its messages only, and no other file reads them.

/// How long to wait for a store that another process holds.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// How long to wait before trying again.
const PAUSE: Duration = Duration::from_millis(50);

/// Parts of DuckDB's messages about a file that is damaged or was never a DuckDB database. For a SQLite database DuckDB
/// asks for an extension.
const DAMAGE: [&str; 7] = [
    "not a valid DuckDB database file",
    "Corrupt database file",
    "Could not read enough bytes from file",
    "Serialization Error",
    "Failure while replaying WAL",
    "INTERNAL Error",
    "sqlite_scanner.duckdb_extension\" not found",
];

/// A store up to this size, in bytes, has only one or two row groups (122,880 questions each). DuckDB's threads share
/// work by the row group.
const ONE_THREAD: u64 = 8 * 1024 * 1024;

/// The oldest DuckDB that opens a store made now. Writing this version's format takes three quarters of the time, and
/// closing a store of ten million events after one more takes 5 ms instead of 21. 1.4.0 to 1.4.3 open it and get
/// `IS DISTINCT FROM` wrong for columns without any value.
const STORAGE_VERSION: &str = "v1.4.0";

/// The block size of a new store, in bytes. Each column that gets a row starts with one block.
const BLOCK_SIZE: &str = "131072";

/// Opens the store at `path` read-write or read-only. The connection never touches the network: extensions are neither
/// installed nor loaded automatically. Reading a small store starts no threads: each would clear megabytes of memory
/// for a few rows.
///
/// # Errors
/// DuckDB's errors, for example that another process holds the file.
pub fn open(path: &Path, access: AccessMode) -> duckdb::Result<Connection> {
    let is_small = || path.metadata().is_ok_and(|file| file.len() <= ONE_THREAD);
    let config = match access {
        AccessMode::ReadOnly if is_small() => Config::default().threads(1)?,
        _ => Config::default(),
    };
    let config = config
        .access_mode(access)?
        .with("autoinstall_known_extensions", "false")?
        .with("autoload_known_extensions", "false")?
        .with("allow_community_extensions", "false")?
        .with("storage_compatibility_version", STORAGE_VERSION)?
        .with("default_block_size", BLOCK_SIZE)?;
    Connection::open_with_flags(path, written_once(config, path)?)
}

/// `config` for the database at `path`, which is written once and closed: what is committed stays in the write-ahead log
/// until then.
///
/// DuckDB takes what follows a `?` for options. It would have the log of `/a?b/plantune.duckdb` at
/// `/a.wal?b/plantune.duckdb`, and temporary files likewise. There each commit goes into the database itself and needs no
/// log.
///
/// # Errors
/// DuckDB's errors.
fn written_once(config: Config, path: &Path) -> duckdb::Result<Config> {
    let text = path.to_string_lossy();
    if !text.contains('?') {
        return config.with("checkpoint_threshold", "1TiB");
    }
    config
        .with("checkpoint_threshold", "0 bytes")?
        .with("auto_checkpoint_skip_wal_threshold", "0")?
        .with("temp_directory", format!("{text}.tmp"))
}

/// Like [`open`], but waits up to `patience` for another process to release the file.
///
/// # Errors
/// The errors of [`open`]. [`holder`] tells whether the file was still held when `patience` ran out.
pub fn open_patiently(
    path: &Path,
    access: &AccessMode,
    patience: Duration,
) -> duckdb::Result<Connection> {
    let start = Instant::now();
    loop {
        match open(path, access.clone()) {
            Err(error) if holder(&error).is_some() && start.elapsed() < patience => {
                thread::sleep(PAUSE);
            }
            opened => return opened,
        }
    }
}

/// The process that holds the file, in DuckDB's words: its program and id. `None` when the error has another cause.
pub fn holder(error: &duckdb::Error) -> Option<String> {
    holder_in(&error.to_string())
}

/// From "Conflicting lock is held in PROGRAM (PID n)…".
fn holder_in(message: &str) -> Option<String> {
    let (_, held) = message.split_once("Conflicting lock is held in ")?;
    let (program, rest) = held.split_once(" (PID ")?;
    let (pid, _) = rest.split_once(')')?;
    Some(format!("{program} (PID {pid})"))
}

/// True when the file is not a database, or is damaged. Asked only of errors of opening and of plantune's own queries: a
/// person's statement can make DuckDB say anything.
pub fn is_damage(error: &duckdb::Error) -> bool {
    let message = error.to_string();
    DAMAGE.iter().any(|words| message.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn a_new_store_has_the_newest_version() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.duckdb");
        let store = open(&path, AccessMode::ReadWrite).unwrap();
        assert_eq!(version(&store).unwrap(), 0);
        create(&store).unwrap();
        assert_eq!(check(&store).unwrap(), newest());
        drop(store);
        let store = open(&path, AccessMode::ReadOnly).unwrap();
        assert_eq!(version(&store).unwrap(), newest());
    }

    #[test]
    fn a_new_store_has_the_format_and_the_blocks_that_it_is_measured_with() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder.path().join("store.duckdb"), AccessMode::ReadWrite).unwrap();
        let format: String = store
            .query_row(
                "SELECT tags['storage_version'] FROM duckdb_databases() WHERE database_name = 'store'",
                [],
                |row| row.get(0),
            )
            .unwrap();
        assert!(format.starts_with("v1.4.0"), "{format}");
        let block: u64 = store
            .query_row("SELECT block_size FROM pragma_database_size()", [], |row| {
                row.get(0)
            })
            .unwrap();
        assert_eq!(block, 128 * 1024);
    }

    #[test]
    fn a_question_mark_in_the_path_leads_nowhere_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a?b=c").join("store.duckdb");
        std::fs::create_dir(path.parent().unwrap()).unwrap();
        let store = open(&path, AccessMode::ReadWrite).unwrap();
        create(&store).unwrap();
        let temporary: String = store
            .query_row("SELECT current_setting('temp_directory')", [], |row| {
                row.get(0)
            })
            .unwrap();
        assert_eq!(temporary, format!("{}.tmp", path.display()));
        store.close().unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        let store = open(&path, AccessMode::ReadOnly).unwrap();
        assert_eq!(version(&store).unwrap(), newest());
    }

    #[test]
    fn a_newer_store_is_refused() {
        let store = Connection::open_in_memory().unwrap();
        create(&store).unwrap();
        store
            .execute(include_str!("../sql/record_migration.sql"), [newest() + 1])
            .unwrap();
        assert!(matches!(check(&store), Err(SchemaError::Newer { .. })));
    }

    #[test]
    fn the_holder_is_named() {
        let message = "IO Error: Could not set lock on file \"/x\": Conflicting lock is held in \
                       /opt/a (b)/duckdb (PID 4711). See also https://duckdb.org/docs";
        assert_eq!(
            holder_in(message).as_deref(),
            Some("/opt/a (b)/duckdb (PID 4711)")
        );
        assert_eq!(holder_in("IO Error: not a database"), None);
    }

    #[test]
    fn damage_is_not_a_missing_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.duckdb");
        let missing = open(&path, AccessMode::ReadOnly).unwrap_err();
        assert!(!is_damage(&missing) && holder(&missing).is_none());
        let sqlite = b"SQLite format 3\0".repeat(500);
        for content in [&b""[..], b"text", &[7; 40_000], &sqlite] {
            std::fs::File::create(&path)
                .unwrap()
                .write_all(content)
                .unwrap();
            assert!(is_damage(&open(&path, AccessMode::ReadWrite).unwrap_err()));
            assert_eq!(std::fs::read(&path).unwrap(), content);
        }
    }
}
