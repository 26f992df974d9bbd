//! The store: a function of the log, updated in place, and computed again whenever in doubt.

pub(crate) mod log_reader;
pub(crate) mod open;
pub(crate) mod run;

use std::collections::HashSet;
use std::fs::{File, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::{fs, io};

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
use crate::arrow::columns_sql;
use crate::reader::pattern;
use crate::segment::{Format, Segment, list};

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
        // The view must leave out segments with lines too long for DuckDB, even unfinished ones.
        let changes_view = |work: &Work| work.checkpoint.offset == 0 || work.bytes() > LONGEST_LINE;
        let changes_view = work.iter().any(changes_view);
        let summary = store.apply(false, work, progress)?;
        if changes_view || summary.quarantined > 0 {
            save_view(&store.connection, &self.paths.events());
        }
        Ok(Ok(summary))
    }

    /// Computes the store from the whole log under another name, and then replaces the old one.
    fn compute(&mut self, reason: Reason, progress: &Progress) -> Result<Summary, Error> {
        self.store = Err(reason.clone());
        let path = self.paths.store();
        let new = unfinished(&path);
        remove(&new)?;
        let events = self.paths.events();
        let segments = list(&events)?;
        let work = segments.into_iter().map(Work::whole).collect();
        let filled = fill(&new, self.zone, work, Some(&events), progress);
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

/// Creates a new store at `path` from the segments `work`, with the view `events` of that folder, and closes it.
pub(crate) fn fill(
    path: &Path,
    zone: Tz,
    work: Vec<Work>,
    events: Option<&Path>,
    progress: &Progress,
) -> Result<Summary, Error> {
    let store = Store::new(open(path, &AccessMode::ReadWrite)?, zone)?;
    fs::set_permissions(path, Permissions::from_mode(0o600))
        .map_err(|error| failed(path, error))?;
    plantune_migrations::create(&store.connection)?;
    let put_zone = include_str!("../../sql/put_zone.sql");
    store.connection.execute(put_zone, [zone.name()])?;
    let summary = store.apply(true, work, progress)?;
    if let Some(events) = events {
        save_view(&store.connection, events);
    }
    run::step("close", || store.close())?;
    Ok(summary)
}

/// Creates the view `events` (the whole log, each event once, for people's own queries) over the undamaged segments in
/// the folder `events`. It includes hot segments added later. plantune itself does not read the view, so an error is
/// ignored and leaves the old view.
pub(crate) fn save_view(connection: &Connection, events: &Path) {
    let _ = run::step("view", || try_save_view(connection, events));
}

fn try_save_view(connection: &Connection, events: &Path) -> Result<(), Error> {
    let known = load_checkpoints(connection)?;
    let folder = events.canonicalize().unwrap_or_else(|_| events.to_owned());
    let mut segments = list(events)?;
    // A damaged segment would make every query fail, and a segment not read yet may be damaged.
    segments.retain(|segment| {
        let known = known.get(&segment.name.file_name());
        known.is_some_and(|known| known.damage.is_none())
    });
    let long = with_long_lines(connection)?;
    let is_long = |segment: &Segment| {
        // Anything after the last complete line is not in quarantine yet.
        let read = known
            .get(&segment.name.file_name())
            .map(|known| known.offset);
        let rest = segment.length.saturating_sub(read.unwrap_or_default());
        segment.name.format() != Format::Sealed
            && (long.contains(&segment.name.file_name()) || rest > LONGEST_LINE)
    };
    let (long, others): (Vec<Segment>, Vec<Segment>) = segments.into_iter().partition(is_long);
    let names = |segments: &[Segment], format: Option<Format>| {
        let of_format = |one: &&Segment| format.is_none_or(|format| one.name.format() == format);
        let paths = segments.iter().filter(of_format);
        let paths = paths.map(|one| pattern(&folder.join(one.name.file_name())));
        paths
            .map(|path| Ok(quote(&path?)))
            .collect::<io::Result<Vec<_>>>()
    };
    let files = |format| names(&others, Some(format));
    let (sealed, mut lines) = (files(Format::Sealed)?, files(Format::Lines)?);
    if !lines.is_empty() && long.is_empty() {
        // This includes segments that come later.
        lines = vec![quote(&format!("{}/*.jsonl", pattern(&folder)?))];
    }
    let mut selects = Vec::new();
    if !sealed.is_empty() {
        let files = sealed.join(", ");
        selects.push(format!(
            "SELECT * FROM read_parquet([{files}], union_by_name = true)"
        ));
    }
    if !lines.is_empty() {
        let files = lines.join(", ");
        let columns = columns_sql(|name, r#type| format!("\"{name}\": '{type}'"));
        let sql = include_str!("../../sql/lines.sql");
        selects.push(
            sql.replace("{columns}", &columns)
                .replace("{files}", &files),
        );
    }
    if !long.is_empty() {
        let structure = columns_sql(|name, r#type| match r#type.strip_suffix("[]") {
            Some(item) => format!("\"{name}\": [\"{item}\"]"),
            None => format!("\"{name}\": \"{type}\""),
        });
        let sql = include_str!("../../sql/lines_between_long_ones.sql");
        selects.push(
            sql.replace("{structure}", &structure)
                .replace("{files}", &names(&long, None)?.join(", ")),
        );
    }
    if selects.is_empty() {
        return Ok(connection.execute_batch("DROP VIEW IF EXISTS events")?);
    }
    let selects = selects.join("\nUNION ALL BY NAME\n");
    let sql = include_str!("../../sql/view.sql").replace("{selects}", &selects);
    Ok(connection.execute_batch(&sql)?)
}

/// The longest line that DuckDB's JSON reader skips, in bytes. A longer one makes every query fail. The reader uses
/// twice as much memory per thread.
const LONGEST_LINE: u64 = 16 * 1024 * 1024;

/// The file names of segments with a longer line. Quarantined lines are still in their segments.
fn with_long_lines(connection: &Connection) -> Result<HashSet<String>, Error> {
    let mut statement = connection.prepare(include_str!("../../sql/with_long_lines.sql"))?;
    let segments = statement.query_map([LONGEST_LINE], |row| row.get(0))?;
    Ok(segments.collect::<duckdb::Result<_>>()?)
}

/// `text` as an SQL literal.
pub(crate) fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
