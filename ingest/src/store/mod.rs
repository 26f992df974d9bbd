//! The store: a function of the log, updated in place, and computed again whenever in doubt.

pub(crate) mod log_reader;
pub(crate) mod open;
pub(crate) mod run;

use std::fs;
use std::fs::{File, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use chrono_tz::Tz;
use duckdb::{AccessMode, Connection};
use plantune_domain::paths::Paths;

use self::log_reader::Slot;
use self::open::{
    Reason, Work, failed, load_checkpoints, lock, look_at, news, open, parse_zone,
    quarantined_lines, remove, replace, sync_folder, unfinished,
};
use self::run::{Progress, Store, Summary};
use crate::Error;
use crate::segment::list;

/// The number of new bytes from which a store may be computed again even though it could be updated.
const LARGE_BYTES: u64 = 64 * 1024 * 1024;

/// The store, open for writing. Every change goes through this type, and only one process at a time has one.
pub struct Writer {
    paths: Paths,
    zone: Tz,
    /// The store, or why it must be computed again.
    store: Result<Store, Reason>,
    /// How many lines were in quarantine, if the store could be read.
    quarantined: Option<u64>,
    // After the connection: fields are dropped in order, so the lock is released last.
    _lock: File,
}

impl Writer {
    /// Opens the store below `paths`. Days are those of `time_zone` (an IANA name). If the store is missing, damaged,
    /// of another schema or time zone, or was left by a killed writer, the next [`Writer::ingest`] computes it again;
    /// [`Writer::reason`] says why.
    ///
    /// # Errors
    /// [`Error::TimeZone`] for an unknown zone, [`Error::Held`] when another process keeps the
    /// store for longer than five seconds, [`Error::Newer`] for a store of a newer plantune, which is left
    /// as it is, and file system and DuckDB errors.
    pub fn open(paths: &Paths, time_zone: &str) -> Result<Self, Error> {
        let zone = parse_zone(time_zone)?;
        let lock = lock(paths)?;
        remove(&unfinished(&paths.store()))?;
        let (found, quarantined) = look_at(paths, zone)?;
        let store = match found {
            Ok(connection) => Ok(Store::new(connection, zone)?),
            Err(reason) => Err(reason),
        };
        Ok(Self {
            paths: paths.clone(),
            zone,
            store,
            quarantined,
            _lock: lock,
        })
    }

    /// Why the next [`Writer::ingest`] will compute the store again; `None` when it will update it.
    pub fn reason(&self) -> Option<&Reason> {
        self.store.as_ref().err()
    }

    /// Makes the next [`Writer::ingest`] compute the store again.
    pub fn discard(&mut self) {
        self.store = Err(Reason::Asked);
    }

    /// Brings the store up to date with the log, and returns counts of what was read. Meanwhile, `progress` shows how
    /// far it is.
    ///
    /// # Errors
    /// Log and DuckDB errors. Nothing is changed then.
    pub fn ingest(&mut self, progress: &Progress) -> Result<Summary, Error> {
        let reason = match self.go_on(progress) {
            Ok(Ok(summary)) => return Ok(summary),
            Ok(Err(reason)) => reason,
            Err(Error::Broken(error)) => Reason::Damaged(error.to_string()),
            // A new store is written in parts, which takes less memory than one transaction.
            Err(error) if error.is_out_of_memory() => Reason::Larger,
            Err(error) => return Err(error),
        };
        self.compute(reason, progress)
    }

    /// Applies new events to the existing store, unless it must be computed again or that is quicker.
    fn go_on(&self, progress: &Progress) -> Result<Result<Summary, Reason>, Error> {
        let store = match &self.store {
            Ok(store) => store,
            Err(reason) => return Ok(Err(reason.clone())),
        };
        let work = match news(&store.connection, &self.paths, self.zone)? {
            Ok(work) if work.is_empty() => return Ok(Ok(Summary::default())),
            Ok(work) => work,
            Err(reason) => return Ok(Err(reason)),
        };
        let bytes = work.iter().map(Work::bytes).sum::<u64>();
        if bytes > LARGE_BYTES {
            let known = load_checkpoints(&store.connection)?;
            if bytes > known.values().map(|known| known.offset).sum() {
                return Ok(Err(Reason::Larger));
            }
        }
        let sql = include_str!("../../sql/is_scattered.sql");
        if store.connection.query_row(sql, [], |row| row.get(0))? {
            return Ok(Err(Reason::Scattered));
        }
        store.apply(false, work, progress).map(Ok)
    }

    /// Computes the store from the whole log under another name, and then replaces the old one.
    fn compute(&mut self, reason: Reason, progress: &Progress) -> Result<Summary, Error> {
        self.store = Err(reason.clone());
        let path = self.paths.store();
        let new = unfinished(&path);
        remove(&new)?;
        let segments = list(&self.paths.events())?;
        let work = segments.into_iter().map(Work::whole).collect();
        let filled = fill(&new, self.zone, work, progress);
        if filled.is_err() {
            // When the disk is full, the unfinished store must not stay on it.
            let _ = remove(&new);
        }
        let mut summary = filled?;
        summary.computed = Some(reason);
        replace(&new, &path)?;
        sync_folder(&path);
        self.store = Ok(Store::new(open(&path, &AccessMode::ReadWrite)?, self.zone)?);
        Ok(summary)
    }

    /// The segments that cannot be read to their end, with the reasons. Untrusted text.
    ///
    /// # Errors
    /// DuckDB errors.
    pub fn damaged(&self) -> Result<Vec<(String, String)>, Error> {
        let Some(connection) = self.connection() else {
            return Ok(Vec::new());
        };
        let mut damaged: Vec<_> = load_checkpoints(connection)?
            .into_iter()
            .filter_map(|(name, checkpoint)| Some((name, checkpoint.damage?)))
            .collect();
        damaged.sort();
        Ok(damaged)
    }

    /// How many lines are in quarantine; `None` before the first [`Writer::ingest`] if there is no readable store.
    ///
    /// # Errors
    /// DuckDB errors.
    pub fn quarantined_lines(&self) -> Result<Option<u64>, Error> {
        let now = self.connection().map(quarantined_lines).transpose()?;
        Ok(now.or(self.quarantined))
    }

    pub(crate) fn paths(&self) -> &Paths {
        &self.paths
    }

    /// The store's connection; `None` if the store must be computed again and [`Writer::ingest`] has not run yet.
    pub(crate) fn connection(&self) -> Option<&Connection> {
        self.store.as_ref().ok().map(|store| &store.connection)
    }
}

impl Store {
    fn new(connection: Connection, zone: Tz) -> Result<Self, Error> {
        connection.execute_batch(include_str!("../../sql/session.sql"))?;
        Ok(Self {
            slot: Slot::register(&connection)?,
            connection,
            zone,
        })
    }

    /// Closes the store, after moving everything from the write-ahead log to its file.
    fn close(self) -> Result<(), Error> {
        // Closing does so too, but ignores errors such as a full disk.
        self.connection
            .execute_batch(include_str!("../../sql/checkpoint.sql"))?;
        Ok(self.connection.close().map_err(|(_, error)| error)?)
    }
}

/// Creates a new store at `path` from the segments `work`, and closes it.
pub(crate) fn fill(
    path: &Path,
    zone: Tz,
    work: Vec<Work>,
    progress: &Progress,
) -> Result<Summary, Error> {
    let store = Store::new(open(path, &AccessMode::ReadWrite)?, zone)?;
    fs::set_permissions(path, Permissions::from_mode(0o600))
        .map_err(|error| failed(path, error))?;
    plantune_migrations::create(&store.connection)?;
    let put_zone = include_str!("../../sql/put_zone.sql");
    store.connection.execute(put_zone, [zone.name()])?;
    let summary = store.apply(true, work, progress)?;
    run::step("close", || store.close())?;
    Ok(summary)
}

/// `text` as an SQL literal.
pub(crate) fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
