//! The store: a function of the log, updated in place, and computed again whenever in doubt.

pub(crate) mod checkpoints;
pub(crate) mod log_reader;
pub(crate) mod lost;
pub(crate) mod open;

use std::collections::BTreeMap;
use std::fs::{File, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fmt, fs};

use chrono_tz::Tz;
use duckdb::arrow::array::RecordBatch;
use duckdb::arrow::compute::concat_batches;
use duckdb::arrow::error::ArrowError;
use duckdb::{AccessMode, Connection};
use plantune_domain::paths::Paths;
use plantune_migrations::{check, newest};

use self::checkpoints::{Work, load_checkpoints, save_checkpoints};
use self::log_reader::{LogReader, Slot};
use self::lost::{LostMonth, lost_months};
use self::open::{
    RebuildReason, failed, lock, look_at, news, open, parse_zone, remove, replace, sync_folder,
    unfinished, was_killed,
};
use crate::arrow::{append, bytes};
use crate::progress::step;
use crate::projection::fields::rows;
use crate::projection::merge;
use crate::segment::{list, text};
use crate::{Error, Progress};

/// The number of new bytes from which a store may be computed again even though it could be updated.
const LARGE_BYTES: u64 = 64 * 1024 * 1024;

/// The store, open for writing. Every change goes through this type, and only one process at a time has one.
pub struct Writer {
    paths: Paths,
    zone: Tz,
    /// The store, or why it must be computed again.
    store: Result<OpenStore, RebuildReason>,
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
        Ok(Self {
            paths: paths.clone(),
            zone,
            store: open_store(paths, zone)?,
            _lock: lock,
        })
    }

    /// Why the next [`Writer::ingest`] will compute the store again; `None` when it will update it.
    pub fn reason(&self) -> Option<&RebuildReason> {
        self.store.as_ref().err()
    }

    /// Makes the next [`Writer::ingest`] compute the store again.
    pub fn discard(&mut self) {
        self.store = Err(RebuildReason::Asked);
    }

    /// Closes the store while `work` is done, so that others can read it; other writers still wait.
    ///
    /// # Errors
    /// The errors of [`Writer::open`], afterwards.
    pub(crate) fn closed_during<T>(&mut self, work: impl FnOnce() -> T) -> Result<T, Error> {
        if self.store.is_err() {
            return Ok(work());
        }
        self.discard();
        let done = work();
        self.store = open_store(&self.paths, self.zone)?;
        Ok(done)
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
            Err(Error::Broken(error)) => RebuildReason::Damaged(error.to_string()),
            // A new store is written in parts, which takes less memory than one transaction.
            Err(error) if error.is_out_of_memory() => RebuildReason::Larger,
            Err(error) => return Err(error),
        };
        self.compute(reason, progress)
    }

    /// Applies new events to the existing store, unless it must be computed again or that is quicker.
    fn go_on(&self, progress: &Progress) -> Result<Result<Summary, RebuildReason>, Error> {
        let store = match &self.store {
            Ok(store) => store,
            Err(reason) => return Ok(Err(reason.clone())),
        };
        let work = match news(&store.connection, &self.paths, self.zone)? {
            Ok(work) if work.is_empty() => return Ok(Ok(Summary::default())),
            Ok(work) => work,
            Err(reason) => return Ok(Err(reason)),
        };
        // A store that is the only copy of a month is updated, however long that takes.
        if !lost_months(&store.connection, &self.paths.events(), false)?.is_empty() {
            return store.apply(false, work, progress).map(Ok);
        }
        let bytes = work.iter().map(Work::bytes).sum::<u64>();
        if bytes > LARGE_BYTES {
            let known = load_checkpoints(&store.connection)?;
            if bytes > known.values().map(|known| known.offset).sum() {
                return Ok(Err(RebuildReason::Larger));
            }
        }
        let sql = include_str!("../../sql/is_scattered.sql");
        if store.connection.query_row(sql, [], |row| row.get(0))? {
            return Ok(Err(RebuildReason::Scattered));
        }
        store.apply(false, work, progress).map(Ok)
    }

    /// Computes the store from the whole log under another name, and then replaces the old one.
    fn compute(&mut self, reason: RebuildReason, progress: &Progress) -> Result<Summary, Error> {
        let lost = match reason {
            RebuildReason::Asked => Vec::new(),
            _ => self.lost_months()?,
        };
        if !lost.is_empty() {
            let months = lost.into_iter().map(|lost| lost.segment).collect();
            let reason = reason.to_string();
            return Err(Error::OnlyCopy { months, reason });
        }
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
        self.store = Ok(OpenStore::new(
            open(&path, &AccessMode::ReadWrite)?,
            self.zone,
        )?);
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

    /// The sealed months whose events only the store holds, after a look at every byte of the others. Empty without a
    /// store that can be read.
    ///
    /// # Errors
    /// [`Error::Held`] when another process writes to the store.
    pub fn lost_months(&self) -> Result<Vec<LostMonth>, Error> {
        let events = self.paths.events();
        let lost = match self.connection() {
            Some(connection) => lost_months(connection, &events, true),
            None => open(&self.paths.store(), &AccessMode::ReadOnly)
                .and_then(|connection| lost_months(&connection, &events, true)),
        };
        match lost {
            Err(error @ Error::Held { .. }) => Err(error),
            lost => Ok(lost.unwrap_or_default()),
        }
    }

    pub(crate) fn paths(&self) -> &Paths {
        &self.paths
    }

    /// The store's connection; `None` if the store must be computed again and [`Writer::ingest`] has not run yet.
    pub(crate) fn connection(&self) -> Option<&Connection> {
        self.store.as_ref().ok().map(|store| &store.connection)
    }
}

/// The store, open for writing, or why it must be computed again.
fn open_store(paths: &Paths, zone: Tz) -> Result<Result<OpenStore, RebuildReason>, Error> {
    Ok(match look_at(paths, zone)? {
        Ok(connection) => Ok(OpenStore::new(connection, zone)?),
        Err(reason) => Err(reason),
    })
}

// One run: new events of the log become rows, and the checkpoints move to their end.

/// Counts of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Events that were read.
    pub events: u64,
    /// Lines that are not events.
    pub quarantined: u64,
    /// Why the store was computed again, if it was.
    pub computed: Option<RebuildReason>,
}

/// The most questions with several rows that are merged at a time, and how many at first or when rows are long. Each
/// time, DuckDB reads all columns of all rows.
const MERGED_AT_ONCE: usize = 20_000;
const MERGED_FIRST: usize = 2000;
const MERGED_FIRST_LONG: usize = 250;

/// The approximate number of bytes of these rows.
const MERGED_BYTES: usize = 16 * 1024 * 1024;

/// The open store of a [`Writer`].
struct OpenStore {
    connection: Connection,
    slot: Slot,
    zone: Tz,
}

impl OpenStore {
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

    /// Inserts the new events of the segments `work`, merges rows of the same question or session, and dismisses
    /// questions whose sessions went on. `is_new`: the store was empty before, so every row is new.
    fn apply(&self, is_new: bool, work: Vec<Work>, progress: &Progress) -> Result<Summary, Error> {
        let mut transaction = self.connection.unchecked_transaction()?;
        let (summary, has_long_rows) = self.insert(is_new, work, progress)?;
        progress.begin("updating the store", 0);
        if is_new {
            // Nobody sees a new store before it is whole. Rows that are not committed yet are expensive
            // to delete.
            step("commit", || transaction.commit())?;
            transaction = self.connection.unchecked_transaction()?;
        } else {
            self.step("find", is_new, include_str!("../../sql/run/find.sql"))?;
        }
        step("merge", || self.merge_repeated(is_new, has_long_rows))?;
        self.step("index", is_new, include_str!("../../sql/run/index.sql"))?;
        if !is_new {
            let sql = include_str!("../../sql/run/add_questions.sql");
            self.step("add", is_new, sql)?;
        }
        let sql = include_str!("../../sql/run/dismiss_passed.sql");
        self.step("dismiss", is_new, sql)?;
        step("commit", || transaction.commit())?;
        Ok(summary)
    }

    fn step(&self, name: &str, is_new: bool, sql: &str) -> Result<(), Error> {
        let sql = of_questions(sql, is_new);
        Ok(step(name, || self.connection.execute_batch(&sql))?)
    }

    /// Inserts the rows of `work`, and also returns whether they are long.
    fn insert(
        &self,
        is_new: bool,
        work: Vec<Work>,
        progress: &Progress,
    ) -> Result<(Summary, bool), Error> {
        progress.begin("loading the log", work.iter().map(Work::bytes).sum());
        self.step("begin", is_new, include_str!("../../sql/run/begin.sql"))?;
        let reader = Arc::new(LogReader::new(work, self.zone, progress.clone()));
        let mut summary = Summary::default();
        let mut has_long_rows = false;
        loop {
            step("insert", || self.insert_questions(is_new, &reader))?;
            let (read, is_more) = reader.take_rows();
            summary.events += read.events;
            summary.quarantined += read.quarantined;
            has_long_rows |= read.questions.has_long_rows();
            step("other tables", || self.insert_others(read.rows))?;
            if !is_more {
                break;
            }
            self.save_part(is_new)?;
        }
        let checkpoints = reader.take_checkpoints();
        step("checkpoints", || {
            save_checkpoints(&self.connection, &checkpoints)
        })?;
        Ok((summary, has_long_rows))
    }

    fn insert_questions(&self, is_new: bool, reader: &Arc<LogReader>) -> Result<(), Error> {
        self.slot.set(Some(reader.clone()));
        let sql = of_questions(include_str!("../../sql/run/insert_questions.sql"), is_new);
        let inserted = self.connection.execute_batch(&sql);
        self.slot.set(None);
        inserted.map_err(|error| reader.take_failure().unwrap_or_else(|| error.into()))
    }

    fn insert_others(&self, rows: BTreeMap<&str, Vec<RecordBatch>>) -> Result<(), Error> {
        for (table, batches) in rows {
            let batches = match table {
                "quarantine" => batches,
                _ => self.project_others(table, &batches)?,
            };
            let run = |sql: &str| {
                self.connection
                    .execute_batch(&sql.replace("{table}", table))
            };
            run(include_str!("../../sql/run/first_row.sql"))?;
            append(&self.connection, table, batches)?;
            run(match table {
                "sessions" => include_str!("../../sql/run/merge_sessions.sql"),
                "quarantine" => include_str!("../../sql/run/merge_quarantine.sql"),
                _ => include_str!("../../sql/run/merge_events.sql"),
            })?;
        }
        Ok(())
    }

    fn project_others(
        &self,
        table: &str,
        events: &[RecordBatch],
    ) -> Result<Vec<RecordBatch>, Error> {
        let sql = include_str!("../../sql/run/columns.sql");
        let mut statement = self.connection.prepare(sql)?;
        let columns = statement.query_map([table], |row| row.get(0))?;
        let columns = columns.collect::<duckdb::Result<Vec<String>>>()?;
        let project = |events| rows(events, &columns, self.zone);
        Ok(events
            .iter()
            .map(project)
            .collect::<Result<_, ArrowError>>()?)
    }

    /// Commits the inserted rows to the file of a new store, which nobody reads before it is complete. The next rows
    /// begin new row groups.
    fn save_part(&self, is_new: bool) -> Result<(), Error> {
        if is_new {
            self.step("save part", is_new, include_str!("../../sql/save_part.sql"))?;
        }
        Ok(())
    }

    fn merge_repeated(&self, is_new: bool, has_long_rows: bool) -> Result<(), Error> {
        let sql = of_questions(include_str!("../../sql/run/repeated.sql"), is_new);
        let mut statement = self.connection.prepare(&sql)?;
        let repeated = statement.query_map([], |row| row.get(0))?;
        let repeated: Vec<u64> = repeated.collect::<duckdb::Result<_>>()?;
        let mut left = &*repeated;
        let mut count = if has_long_rows {
            MERGED_FIRST_LONG
        } else {
            MERGED_FIRST
        };
        while !left.is_empty() {
            let (ids, rest) = left.split_at(count.min(left.len()));
            left = rest;
            let bytes = self.merge_questions(is_new, ids)?;
            count = (MERGED_BYTES * ids.len() / bytes.max(1)).clamp(1, MERGED_AT_ONCE);
            if count < MERGED_FIRST_LONG {
                self.save_part(is_new)?;
            }
        }
        Ok(())
    }

    /// Merges the rows of each of the questions `ids`. Returns how many bytes the rows had.
    fn merge_questions(&self, is_new: bool, ids: &[u64]) -> Result<usize, Error> {
        let ids = serde_json::to_string(ids).unwrap_or_default();
        let sql = of_questions(include_str!("../../sql/run/questions_by_id.sql"), is_new);
        let mut statement = self.connection.prepare(&sql)?;
        let batches = statement.query_arrow([&ids])?;
        let schema = batches.get_schema();
        let repeated = concat_batches(&schema, &batches.collect::<Vec<_>>())?;
        let merged = merge(&repeated, self.zone)?;
        let sql = of_questions(include_str!("../../sql/run/delete_questions.sql"), is_new);
        self.connection.execute(&sql, [&ids])?;
        append(&self.connection, questions(is_new), vec![merged])?;
        Ok(bytes(&repeated))
    }
}

/// The table for incoming questions. In a store that already has some, they are first collected in a separate table.
fn questions(is_new: bool) -> &'static str {
    if is_new { "questions" } else { "new_questions" }
}

/// `sql` for the table of incoming questions.
fn of_questions(sql: &str, is_new: bool) -> String {
    sql.replace("{questions}", questions(is_new))
}

/// Creates a new store at `path` from the segments `work`, and closes it.
fn fill(path: &Path, zone: Tz, work: Vec<Work>, progress: &Progress) -> Result<Summary, Error> {
    let store = OpenStore::new(open(path, &AccessMode::ReadWrite)?, zone)?;
    fs::set_permissions(path, Permissions::from_mode(0o600))
        .map_err(|error| failed(path, error))?;
    plantune_migrations::create(&store.connection)?;
    let put_zone = include_str!("../../sql/put_zone.sql");
    store.connection.execute(put_zone, [zone.name()])?;
    let summary = store.apply(true, work, progress)?;
    step("close", || store.close())?;
    Ok(summary)
}

/// `text` as an SQL literal.
fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

// Checking that the store matches the log: a second store is computed from the log, and the two are compared.

/// A table that does not match the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The table's name.
    pub relation: String,
    /// How many rows the store has.
    pub stored: u64,
    /// How many rows the log produces.
    pub computed: u64,
    /// A few of the rows that differ, in words. They quote texts of the log unchanged.
    pub rows: Vec<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (relation, stored, computed) = (&self.relation, self.stored, self.computed);
        write!(f, "{relation} differs from the log (rows: {stored}")?;
        if stored != computed {
            write!(f, " instead of {computed}")?;
        }
        f.write_str(")")
    }
}

/// Computes the store again, from the part of the log that it covers, in a temporary file next to it, and returns the
/// tables that differ. `None` when there is no store to compare, or the next run will compute it again anyway.
///
/// # Errors
/// [`Error::Held`] when another process writes to the store for longer than five seconds,
/// [`Error::Newer`] for a store of a newer plantune, and file system and DuckDB errors.
pub fn compare(paths: &Paths) -> Result<Option<Vec<Difference>>, Error> {
    if !paths.store().exists() {
        return Ok(None);
    }
    let stored = open(&paths.store(), &AccessMode::ReadOnly)?;
    if was_killed(paths) {
        return Ok(None);
    }
    let Some(scratch) = Scratch::fill(&stored, paths)? else {
        return Ok(None);
    };
    differences(&stored, &scratch.0).map(Some)
}

fn differences(store: &Connection, computed: &Path) -> Result<Vec<Difference>, Error> {
    let path = quote(text(computed)?);
    store.execute_batch(&format!("ATTACH {path} AS computed (READ_ONLY)"))?;
    let rows =
        |database| include_str!("../../sql/compare/rows.sql").replace("{database}", database);
    let sql = include_str!("../../sql/compare/differences.sql")
        .replace("{stored}", &rows(""))
        .replace("{computed}", &rows("computed."));
    let mut statement = store.prepare(&sql)?;
    let mut rows = statement.query([])?;
    let mut differences: Vec<Difference> = Vec::new();
    while let Some(row) = rows.next()? {
        let (relation, words): (String, Option<String>) = (row.get(0)?, row.get(3)?);
        match differences.last_mut() {
            Some(last) if last.relation == relation => last.rows.extend(words),
            _ => differences.push(Difference {
                relation,
                stored: row.get(1)?,
                computed: row.get(2)?,
                rows: words.into_iter().collect(),
            }),
        }
    }
    Ok(differences)
}

/// A temporary store next to the one in use, for the comparison. Removed on drop.
struct Scratch(PathBuf);

impl Scratch {
    /// A store computed from the part of the log below `paths` that `stored` covers; `None` when `stored` has another
    /// schema version.
    fn fill(stored: &Connection, paths: &Paths) -> Result<Option<Self>, Error> {
        if check(stored)? < newest() {
            return Ok(None);
        }
        let zone: String =
            stored.query_row(include_str!("../../sql/zone.sql"), [], |row| row.get(0))?;
        let known = load_checkpoints(stored)?;
        let mut work = Vec::new();
        for mut segment in list(&paths.events())? {
            if let Some(known) = known.get(&segment.name.file_name()) {
                // Anything appended since is not in the store yet.
                segment.length = segment.length.min(known.length);
                work.push(Work::whole(segment));
            }
        }
        let name = format!("plantune.duckdb.check-{}", std::process::id());
        let scratch = Self(paths.data().join(name));
        remove(&scratch.0)?;
        let zone = parse_zone(&zone)?;
        fill(&scratch.0, zone, work, &Progress::default())?;
        Ok(Some(scratch))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // If this fails, the next comparison with the same process id removes the file, or a person does.
        let _ = remove(&self.0);
    }
}
