//! Opening a store's file, and what it means when DuckDB refuses: who holds it, or that it is
//! damaged. DuckDB reports both in its messages only, and this is the one place that reads them.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use duckdb::{AccessMode, Config, Connection};

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
    "sqlite_scanner",
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
    Connection::open_with_flags(path, config)
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

/// True when the file is not a database, or is damaged.
pub fn is_damage(error: &duckdb::Error) -> bool {
    let message = error.to_string();
    DAMAGE.iter().any(|words| message.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

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
