//! Decides whether the store can be updated, or why it must be computed again; opens, locks and replaces it.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use chrono::{DateTime, Offset as _, TimeZone as _};
use chrono_tz::Tz;
use duckdb::{AccessMode, Connection};
use plantune_domain::atomic_file;
use plantune_domain::paths::{Paths, create_private_dir};
use plantune_migrations::{PATIENCE, check, holder, newest, open_patiently};
use thiserror::Error;

use super::checkpoints::{Work, compare, load_checkpoints};
use super::lost::lost_among;
use crate::Error;
use crate::segment::list;

/// How long to wait before trying a lock again.
const PAUSE: Duration = Duration::from_millis(50);

/// Why a store is computed again from the log.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RebuildReason {
    /// There is no store.
    #[error("there is none")]
    Missing,
    /// Its writer was killed.
    #[error("the last run was killed")]
    Unfinished,
    /// It is damaged or not a store, in DuckDB's words.
    #[error("it is damaged: {}", .0.lines().next().unwrap_or_default())]
    Damaged(String),
    /// An earlier plantune wrote it.
    #[error("an earlier plantune wrote it")]
    Schema,
    /// Its days are those of another time zone.
    #[error("the time zone is another one")]
    TimeZone,
    /// This segment of the log no longer contains the bytes that were read from it. Untrusted text.
    #[error("the log changed ({0})")]
    LogChanged(String),
    /// Most of the log is not in it, or too much for one transaction.
    #[error("much of the log is new")]
    Larger,
    /// Many runs each added a small part, which makes it large and slow.
    #[error("many runs each left a small part of it")]
    Scattered,
    /// The caller asked for it.
    #[error("as asked")]
    Asked,
}

/// Opens the store below `paths` for writing. Returns its connection, or why it must be computed again.
///
/// # Errors
/// [`Error::Held`] when another process keeps it for longer than five seconds, [`Error::Newer`] for a store
/// of a newer plantune, and file system errors.
pub(crate) fn look_at(paths: &Paths, zone: Tz) -> Result<Result<Connection, RebuildReason>, Error> {
    let store = paths.store();
    if !store.exists() {
        return Ok(Err(RebuildReason::Missing));
    }
    if store.is_dir() {
        return Ok(Err(RebuildReason::Damaged("it is a folder".to_owned())));
    }
    // No other writer is running.
    if was_killed(paths) {
        // Opening it for writing would replay the write-ahead log that was left.
        let read = open(&store, &AccessMode::ReadOnly).and_then(|found| Ok(check(&found)?));
        return match read {
            Err(error @ (Error::Newer(_) | Error::Held { .. })) => Err(error),
            _ => Ok(Err(RebuildReason::Unfinished)),
        };
    }
    let looked = open(&store, &AccessMode::ReadWrite)
        .and_then(|connection| Ok((news(&connection, paths, zone)?, connection)));
    match looked {
        Ok((Ok(_), connection)) => {
            sweep(&store)?;
            Ok(Ok(connection))
        }
        Ok((Err(reason), _)) => Ok(Err(reason)),
        Err(Error::Broken(error)) => Ok(Err(RebuildReason::Damaged(error.to_string()))),
        Err(error) => Err(error),
    }
}

/// True when the store behind `connection` covers the whole log below `paths`, for a person in `time_zone`.
///
/// # Errors
/// [`Error::Newer`] for a store of a newer plantune, file system errors, and DuckDB errors.
pub fn is_current(connection: &Connection, paths: &Paths, time_zone: &str) -> Result<bool, Error> {
    let zone = parse_zone(time_zone)?;
    // What a run that computed the store again left when it was killed is for a writer to remove.
    let has_lock = || File::open(paths.events()).is_ok_and(|lock| lock.try_lock().is_ok());
    if was_killed(paths) || (unfinished(&paths.store()).exists() && has_lock()) {
        return Ok(false);
    }
    let news = news(connection, paths, zone)?;
    Ok(news.is_ok_and(|work| work.is_empty()))
}

/// The time zone with an IANA name.
///
/// # Errors
/// [`Error::TimeZone`] for an unknown name.
pub(crate) fn parse_zone(name: &str) -> Result<Tz, Error> {
    name.parse().map_err(|_| Error::TimeZone(name.to_owned()))
}

/// True when the zone named `known` and `zone` are the same clock. A zone has several names, and without the variable
/// `TZ` the system may report a different one than a person would use.
fn is_one_clock(known: &str, zone: Tz) -> bool {
    /// 70 years from 1970 on, one time per day.
    const DAYS: std::ops::Range<i64> = 0..70 * 366;
    let offset = |zone: Tz, day| {
        let time = DateTime::from_timestamp(day * 86_400, 0).unwrap_or_default();
        zone.offset_from_utc_datetime(&time.naive_utc()).fix()
    };
    known == zone.name()
        || known.parse().is_ok_and(|known: Tz| {
            DAYS.into_iter()
                .all(|day| offset(known, day) == offset(zone, day))
        })
}

/// The segments with something new, or why the store must be computed again. Sealed months whose events only the store
/// holds are no reason.
pub(crate) fn news(
    connection: &Connection,
    paths: &Paths,
    zone: Tz,
) -> Result<Result<Vec<Work>, RebuildReason>, Error> {
    if check(connection)? < newest() {
        return Ok(Err(RebuildReason::Schema));
    }
    let known: String =
        connection.query_row(include_str!("../../sql/zone.sql"), [], |row| row.get(0))?;
    if !is_one_clock(&known, zone) {
        return Ok(Err(RebuildReason::TimeZone));
    }
    let (mut known, mut segments) = (load_checkpoints(connection)?, list(&paths.events())?);
    // What only the store still holds stays in it.
    for lost in lost_among(&known, &paths.events(), false) {
        known.remove(&lost.segment);
        segments.retain(|segment| segment.name.file_name() != lost.segment);
    }
    let work = compare(known, segments)?;
    Ok(work.map_err(RebuildReason::LogChanged))
}

/// Opens the store at `path`, and waits up to five seconds for another process to release it.
///
/// # Errors
/// [`Error::Held`] when that takes longer, [`Error::Broken`] for a file that is not a store, and DuckDB errors.
pub(crate) fn open(path: &Path, access: &AccessMode) -> Result<Connection, Error> {
    open_patiently(path, access, PATIENCE).map_err(|error| match holder(&error) {
        Some(holder) => Error::Held {
            store: path.to_owned(),
            holder,
        },
        None => error.into(),
    })
}

/// Keeps other writers away with a lock on the folder of the log, which ends with the process that holds it. (The data
/// folder itself may also be the configuration folder, which is locked while preferences change.)
///
/// # Errors
/// [`Error::Held`] when another process keeps it for longer than five seconds, and file system errors.
pub(crate) fn lock(paths: &Paths) -> Result<File, Error> {
    let folder = paths.events();
    let opened = create_private_dir(&folder).and_then(|()| File::open(&folder));
    let file = opened.map_err(|error| failed(&folder, error))?;
    let start = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if start.elapsed() < PATIENCE => thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => {
                // The process that blocks the writer with the lock, or that writer itself.
                let store = paths.store();
                let opened = plantune_migrations::open(&store, AccessMode::ReadOnly);
                let holder = opened.err().and_then(|error| holder(&error));
                let holder = holder.unwrap_or_else(|| "another plantune".to_owned());
                return Err(Error::Held { store, holder });
            }
            // A file system without such locks has none to wait for.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                return Ok(file);
            }
            Err(TryLockError::Error(error)) => return Err(failed(&folder, error)),
        }
    }
}

/// True when the last writer of the store below `paths` was killed, provided that none is running: a writer that
/// finishes leaves no write-ahead log.
pub fn was_killed(paths: &Paths) -> bool {
    paths.store().with_added_extension("wal").exists()
}

/// The path under which a new store is computed.
pub(crate) fn unfinished(store: &Path) -> PathBuf {
    store.with_added_extension("new")
}

/// Removes an unfinished store, and all its files.
pub(crate) fn remove(store: &Path) -> Result<(), Error> {
    remove_file(store)?;
    remove_file(&store.with_added_extension("wal"))?;
    sweep(store)
}

/// Removes the temporary DuckDB files that a killed run left.
pub(crate) fn sweep(store: &Path) -> Result<(), Error> {
    remove_folder(&store.with_added_extension("tmp"))
}

/// Removes a folder and its contents, or a file with its name.
pub(crate) fn remove_folder(folder: &Path) -> Result<(), Error> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => remove_file(folder),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(folder, error)),
        _ => Ok(()),
    }
}

/// Replaces `store` by the closed store `new`. A kill in between leaves no store.
pub(crate) fn replace(new: &Path, store: &Path) -> Result<(), Error> {
    // The file must be removed before its write-ahead log: without the log, it would look complete.
    remove(store)?;
    fs::rename(new, store).map_err(|error| failed(store, error))
}

fn remove_file(path: &Path) -> Result<(), Error> {
    let removed = match fs::remove_file(path) {
        // Only if it is empty: its files may belong to somebody else.
        Err(_) if path.is_dir() => fs::remove_dir(path),
        removed => removed,
    };
    match removed {
        // A read-only file system refuses before it checks whether the file exists.
        Err(error) if path.exists() => Err(failed(path, error)),
        _ => Ok(()),
    }
}

/// Makes renames in the folder of `path` survive a power cut. Not every file system can.
pub(crate) fn sync_folder(path: &Path) {
    path.parent().map(atomic_file::sync_folder);
}

pub(crate) fn failed(path: &Path, error: io::Error) -> Error {
    Error::Folder {
        path: path.to_owned(),
        error,
    }
}
