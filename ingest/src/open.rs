//! The store's file: opened for writing, made whole or not at all, and moved aside when the person
//! asks for it.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use duckdb::{AccessMode, Connection};
use plantune_domain::paths::Paths;
use plantune_migrations::{PATIENCE, holder, open_patiently};

use crate::error::Error;
use crate::kept::lock;

/// Opens the store in `path` for writing.
///
/// # Errors
/// [`Error::Held`] when another process keeps it for longer than five seconds, [`Error::Broken`]
/// for a file that is no store, and those of the file system and DuckDB.
pub(crate) fn open(path: &Path) -> Result<Connection, Error> {
    patiently(path, &AccessMode::ReadWrite)
}

/// Makes an empty store under another name and renames it, so that a run that is killed meanwhile
/// leaves no half of one. Several processes may do so at once: one makes it, and the others find it
/// made. The name is taken only while there is no store.
///
/// # Errors
/// Those of [`open`].
pub(crate) fn create(path: &Path) -> Result<(), Error> {
    let folder = path.parent().unwrap_or(Path::new("."));
    // Whoever comes late must not rename a new file of its own over the store that is in use by then.
    let _lock = lock(folder).map_err(|error| file(folder, error))?;
    if path.exists() {
        return Ok(());
    }
    let new = path.with_extension("duckdb.new");
    let connection = match patiently(&new, &AccessMode::ReadWrite) {
        Err(Error::Broken(_)) => {
            remove(&new)?;
            remove(&write_ahead_log(&new))?;
            patiently(&new, &AccessMode::ReadWrite)?
        }
        opened => opened?,
    };
    make_private(&new)?;
    // That of a store which was taken away. Nothing is only there: gc checkpoints before it drops.
    remove(&write_ahead_log(path))?;
    connection.close().map_err(|(_, error)| error)?;
    fs::rename(&new, path).map_err(|error| file(path, error))
}

/// Removes what a killed run left that had run out of memory: DuckDB writes its temporary files over,
/// and removes them, only when it needs some again. To be called by the one that has the store open,
/// before it needs any.
///
/// # Errors
/// Those of the file system.
pub(crate) fn sweep_temporary_files(store: &Path) -> Result<(), Error> {
    let folder = with_suffix(store, ".tmp");
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(file(&folder, error)),
        _ => Ok(()),
    }
}

/// Opens the store in `path`, and waits for whoever holds it.
///
/// # Errors
/// [`Error::Held`] when that takes longer than five seconds, and those of [`open`].
pub(crate) fn patiently(path: &Path, access: &AccessMode) -> Result<Connection, Error> {
    open_patiently(path, access, PATIENCE).map_err(|error| match holder(&error) {
        Some(holder) => Error::Held {
            store: path.to_owned(),
            holder,
        },
        None => error.into(),
    })
}

/// Moves the store and its write-ahead log aside, under names that tell the time, and returns
/// where the store lies now; `None` when there is none.
///
/// # Errors
/// [`Error::Held`] when another process writes to it, and those of the file system.
pub fn move_aside(paths: &Paths, now: DateTime<Utc>) -> Result<Option<PathBuf>, Error> {
    let store = paths.store();
    if fs::symlink_metadata(&store).is_err() {
        return Ok(None);
    }
    // Whether it can be read does not matter; who writes to it does.
    if let Err(held @ Error::Held { .. }) = patiently(&store, &AccessMode::ReadOnly) {
        return Err(held);
    }
    let aside = free_name(&store, now);
    // The log first: a new store must never meet an old one's.
    let log = write_ahead_log(&store);
    match fs::rename(&log, with_suffix(&aside, ".wal")) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(file(&log, error)),
        _ => {}
    }
    fs::rename(&store, &aside).map_err(|error| file(&store, error))?;
    sync_folder(&store);
    Ok(Some(aside))
}

fn free_name(store: &Path, now: DateTime<Utc>) -> PathBuf {
    let first = with_suffix(store, &format!(".broken-{}", now.format("%Y%m%dT%H%M%SZ")));
    let more = (2u32..).map(|number| with_suffix(&first, &format!("-{number}")));
    let is_free = |path: &PathBuf| fs::symlink_metadata(path).is_err();
    std::iter::once(first.clone())
        .chain(more)
        .find(is_free)
        .unwrap_or(first)
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Where DuckDB keeps what is committed and not yet in the store's file.
pub(crate) fn write_ahead_log(store: &Path) -> PathBuf {
    with_suffix(store, ".wal")
}

/// Gives `path` mode 0600.
///
/// # Errors
/// Those of the file system.
pub(crate) fn make_private(path: &Path) -> Result<(), Error> {
    fs::set_permissions(path, Permissions::from_mode(0o600)).map_err(|error| file(path, error))
}

/// Lets renames in the folder of `path` survive a power cut; not every file system can.
pub(crate) fn sync_folder(path: &Path) {
    if let Some(Ok(folder)) = path.parent().map(File::open) {
        let _ = folder.sync_all();
    }
}

fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(file(path, error)),
        _ => Ok(()),
    }
}

fn file(path: &Path, error: io::Error) -> Error {
    Error::Folder {
        path: path.to_owned(),
        error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn put(path: &Path, content: &[u8]) {
        File::create(path).unwrap().write_all(content).unwrap();
    }

    #[test]
    fn a_store_is_made_whole_whatever_a_killed_run_left() {
        for left in [None, Some(&b""[..]), Some(b"half a header")] {
            let folder = tempfile::tempdir().unwrap();
            let store = folder.path().join("plantune.duckdb");
            if let Some(left) = left {
                put(&folder.path().join("plantune.duckdb.new"), left);
                put(
                    &folder.path().join("plantune.duckdb.wal"),
                    b"of another store",
                );
            }
            create(&store).unwrap();
            assert_eq!(names(folder.path()), ["plantune.duckdb"]);
            let mode = fs::metadata(&store).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
            drop(open(&store).unwrap());
            // A second one, who was late, leaves it alone.
            let before = fs::read(&store).unwrap();
            create(&store).unwrap();
            assert_eq!(names(folder.path()), ["plantune.duckdb"]);
            assert_eq!(fs::read(&store).unwrap(), before);
        }
    }

    #[test]
    fn who_comes_late_finds_the_store_made() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("plantune.duckdb");
        let making = lock(folder.path()).unwrap();
        let late = std::thread::spawn({
            let store = store.clone();
            move || create(&store)
        });
        put(&store, b"made meanwhile");
        drop(making);
        late.join().unwrap().unwrap();
        assert_eq!(fs::read(&store).unwrap(), b"made meanwhile");
        assert_eq!(names(folder.path()), ["plantune.duckdb"]);
    }

    #[test]
    fn a_broken_store_is_moved_and_nothing_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        let now = "2026-11-20T10:00:00Z".parse().unwrap();
        assert_eq!(move_aside(&paths, now).unwrap(), None);
        for text in [&b"one"[..], b"two"] {
            put(&paths.store(), text);
            put(&write_ahead_log(&paths.store()), text);
            assert!(matches!(open(&paths.store()), Err(Error::Broken(_))));
            let aside = move_aside(&paths, now).unwrap().unwrap();
            assert_eq!(fs::read(&aside).unwrap(), text);
            assert_eq!(fs::read(write_ahead_log(&aside)).unwrap(), text);
        }
        assert_eq!(
            names(folder.path()),
            [
                "plantune.duckdb.broken-20261120T100000Z",
                "plantune.duckdb.broken-20261120T100000Z-2",
                "plantune.duckdb.broken-20261120T100000Z-2.wal",
                "plantune.duckdb.broken-20261120T100000Z.wal",
            ]
        );
    }
}
