//! The store, open for writing: the one way in for everything that changes it.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use chrono_tz::Tz;
use duckdb::{AccessMode, Connection};
use plantune_domain::paths::Paths;

use super::feed::Slot;
use super::open::{
    Reason, State, failed, keep_earlier, lock, look_at, news, open, parse_zone, quarantined_lines,
    remove, replace, sweep, unfinished,
};
use super::run::Run;
use super::segments::{Work, load};
use super::view::save_view;
use crate::error::Error;
use crate::progress::Progress;
use crate::spool::list;
use crate::trace;

/// From how many new bytes on a store may be computed again that could be gone on with.
const LARGE_BYTES: u64 = 64 * 1024 * 1024;

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Events that were read.
    pub events: u64,
    /// Lines that are no events.
    pub quarantined: u64,
    /// Why the store was computed again, if it was.
    pub computed: Option<Reason>,
}

/// The store, open for writing. Only one process at a time has one.
pub struct Writer {
    paths: Paths,
    zone: Tz,
    state: Option<Open>,
    /// How many lines were in quarantine, as far as the store could be read.
    quarantined: Option<u64>,
    // Behind the connection: what is dropped later is released later.
    _lock: File,
}

/// An open store.
enum Open {
    /// The store, and what is new in the log.
    Current(Store, Vec<Work>),
    /// No store that can be gone on with.
    Unusable(Reason),
}

struct Store {
    connection: Connection,
    slot: Slot,
}

impl Writer {
    /// Looks at the store below `paths`. Days are those of `time_zone` (an IANA name). A store that is
    /// missing, damaged, of another schema or zone, or was left by a killed writer is computed again by
    /// the next [`Writer::ingest`]; [`Writer::reason`] has why.
    ///
    /// # Errors
    /// [`Error::TimeZone`] for a name that no zone has, [`Error::Held`] when another process keeps the
    /// store for longer than five seconds, [`Error::Newer`] for a store of a newer plantune, which is left
    /// as it is, and those of the file system and DuckDB.
    pub fn open(paths: &Paths, time_zone: &str) -> Result<Self, Error> {
        let zone = parse_zone(time_zone)?;
        let lock = lock(paths)?;
        remove(&unfinished(&paths.store()))?;
        let (state, quarantined) = match look_at(paths, zone)? {
            State::Usable(connection, work) => {
                sweep(&paths.store())?;
                (Open::Current(Store::new(connection)?, work), None)
            }
            State::Unusable(reason, quarantined) => (Open::Unusable(reason), quarantined),
        };
        Ok(Self {
            paths: paths.clone(),
            zone,
            state: Some(state),
            quarantined,
            _lock: lock,
        })
    }

    /// Why the next [`Writer::ingest`] computes the store again; `None` when it goes on with it.
    pub fn reason(&self) -> Option<&Reason> {
        match &self.state {
            Some(Open::Unusable(reason)) => Some(reason),
            _ => None,
        }
    }

    /// Lets the next [`Writer::ingest`] compute the store again.
    pub fn discard(&mut self) {
        self.state = Some(Open::Unusable(Reason::Asked));
    }

    /// Brings the store up to date with the log, and returns what was read. `progress` tells how far it
    /// is, meanwhile.
    ///
    /// # Errors
    /// Of the log and DuckDB's; nothing was changed then.
    pub fn ingest(&mut self, progress: &Progress) -> Result<Summary, Error> {
        match self.state.take() {
            Some(Open::Current(store, work)) => self.go_on(store, work, progress),
            Some(Open::Unusable(reason)) => {
                if reason == Reason::Schema {
                    keep_earlier(&self.paths)?;
                }
                self.compute(reason, progress)
            }
            None => self.compute(Reason::Unfinished, progress),
        }
    }

    /// Applies what is new to the store as it is.
    fn go_on(
        &mut self,
        store: Store,
        mut work: Vec<Work>,
        progress: &Progress,
    ) -> Result<Summary, Error> {
        if work.is_empty() {
            // Something may have been logged since the store was opened.
            match news(&store.connection, &self.paths, self.zone)? {
                Ok(news) => work = news,
                Err(reason) => return self.compute(reason, progress),
            }
        }
        if work.is_empty() {
            self.state = Some(Open::Current(store, work));
            return Ok(Summary::default());
        }
        let bytes = work.iter().map(Work::bytes).sum::<u64>();
        if bytes > LARGE_BYTES && bytes > bytes_read(&store.connection)? {
            // Most of the log is new: computing everything is quicker, and takes less memory.
            drop(store);
            return self.compute(Reason::Larger, progress);
        }
        let is_any_new = work.iter().any(|work| work.checkpoint.offset == 0);
        let applied = store.apply(self.zone, false, work, progress);
        match applied {
            Ok(summary) => {
                if is_any_new {
                    save_view(&store.connection, &self.paths.events());
                }
                self.state = Some(Open::Current(store, Vec::new()));
                Ok(summary)
            }
            Err(Error::Broken(error)) => {
                drop(store);
                self.compute(Reason::Damaged(error.to_string()), progress)
            }
            // A new store is written part by part, which takes less memory than one transaction.
            Err(error) if error.is_out_of_memory() => {
                drop(store);
                self.compute(Reason::Larger, progress)
            }
            Err(error) => {
                self.state = Some(Open::Current(store, Vec::new()));
                Err(error)
            }
        }
    }

    /// Computes the store from the whole log, under another name, and puts it in its place.
    fn compute(&mut self, reason: Reason, progress: &Progress) -> Result<Summary, Error> {
        let path = self.paths.store();
        let new = unfinished(&path);
        remove(&new)?;
        let segments = list(&self.paths.events()).map_err(Error::Spool)?;
        let work = segments.into_iter().map(Work::whole).collect();
        let events = self.paths.events();
        let filled = fill(&new, self.zone, work, Some(&events), progress);
        if filled.is_err() {
            // Where there is no space, it must not take what there is.
            let _ = remove(&new);
        }
        let mut summary = filled?;
        summary.computed = Some(reason);
        replace(&new, &path)?;
        sync_folder(&path);
        let connection = open(&path, &AccessMode::ReadWrite)?;
        self.state = Some(Open::Current(Store::new(connection)?, Vec::new()));
        Ok(summary)
    }

    /// The segments that cannot be read to their ends, with why. Untrusted text.
    ///
    /// # Errors
    /// DuckDB's.
    pub fn damaged(&self) -> Result<Vec<(String, String)>, Error> {
        let Some(connection) = self.connection() else {
            return Ok(Vec::new());
        };
        let checkpoints = load(connection)?.into_iter();
        let mut damaged: Vec<_> = checkpoints
            .filter_map(|(name, checkpoint)| Some((name, checkpoint.damage?)))
            .collect();
        damaged.sort();
        Ok(damaged)
    }

    /// How many lines are in quarantine; `None` before the first [`Writer::ingest`] where there is no store, or
    /// none that can be read.
    ///
    /// # Errors
    /// DuckDB's.
    pub fn quarantined_lines(&self) -> Result<Option<u64>, Error> {
        let now = self.connection().map(quarantined_lines).transpose()?;
        Ok(now.or(self.quarantined))
    }

    pub(crate) fn paths(&self) -> &Paths {
        &self.paths
    }

    /// The store's connection; `None` before the first [`Writer::ingest`] of one that is computed again.
    pub(crate) fn connection(&self) -> Option<&Connection> {
        match &self.state {
            Some(Open::Current(store, _)) => Some(&store.connection),
            _ => None,
        }
    }
}

impl Store {
    fn new(connection: Connection) -> Result<Self, Error> {
        connection.execute_batch(include_str!("../../sql/session.sql"))?;
        let slot = Slot::register(&connection)?;
        Ok(Self { connection, slot })
    }

    fn apply(
        &self,
        zone: Tz,
        is_new: bool,
        work: Vec<Work>,
        progress: &Progress,
    ) -> Result<Summary, Error> {
        let run = Run {
            connection: &self.connection,
            slot: &self.slot,
            zone,
            is_new,
        };
        let mut transaction = self.connection.unchecked_transaction()?;
        let summary = run.insert(work, progress)?;
        if is_new {
            // Nobody sees a new store before it is whole. Rows that are not committed yet are expensive
            // to delete.
            trace::step("commit", || transaction.commit())?;
            transaction = self.connection.unchecked_transaction()?;
        }
        run.merge()?;
        trace::step("commit", || transaction.commit())?;
        Ok(summary)
    }

    /// Closes the store, with all it holds in its file and none of it in the write-ahead log.
    fn close(self) -> Result<(), Error> {
        // Closing does so too, and ignores what goes wrong, such as a full disk.
        self.connection
            .execute_batch(include_str!("../../sql/checkpoint.sql"))?;
        Ok(self.connection.close().map_err(|(_, error)| error)?)
    }
}

/// Makes a new store in `path` from the segments `work`, and closes it; with the view `events` of that folder.
///
/// # Errors
/// Of the log, of the file system, and DuckDB's.
pub(crate) fn fill(
    path: &Path,
    zone: Tz,
    work: Vec<Work>,
    events: Option<&Path>,
    progress: &Progress,
) -> Result<Summary, Error> {
    let connection = open(path, &AccessMode::ReadWrite)?;
    make_private(path)?;
    let store = Store::new(connection)?;
    plantune_migrations::create(&store.connection)?;
    store
        .connection
        .execute(include_str!("../../sql/put_zone.sql"), [zone.name()])?;
    let summary = store.apply(zone, true, work, progress)?;
    if let Some(events) = events {
        save_view(&store.connection, events);
    }
    trace::step("close", || store.close())?;
    Ok(summary)
}

/// How many bytes of the log a store holds.
fn bytes_read(connection: &Connection) -> Result<u64, Error> {
    let checkpoints = load(connection)?;
    Ok(checkpoints.values().map(|known| known.offset).sum())
}

fn make_private(path: &Path) -> Result<(), Error> {
    fs::set_permissions(path, Permissions::from_mode(0o600)).map_err(|error| failed(path, error))
}

/// Lets renames in the folder of `path` survive a power cut; not every file system can.
pub(crate) fn sync_folder(path: &Path) {
    if let Some(Ok(folder)) = path.parent().map(File::open) {
        let _ = folder.sync_all();
    }
}
