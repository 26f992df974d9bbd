//! The store: a function of the log, kept up to date in place and computed again whenever in doubt.

pub(crate) mod log_reader;
pub(crate) mod open;
pub(crate) mod run;

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::path::Path;

use chrono_tz::Tz;
use duckdb::{AccessMode, Connection};
use plantune_domain::paths::Paths;
use plantune_domain::platform;

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

/// From how many new bytes on a store may be computed again that could be gone on with.
const LARGE_BYTES: u64 = 64 * 1024 * 1024;

/// The store, open for writing: the one way in for everything that changes it. Only one process at a time has one.
pub struct Writer {
    paths: Paths,
    zone: Tz,
    /// The store, or why it must be computed again.
    store: Result<Store, Reason>,
    /// How many lines were in quarantine, as far as the store could be read.
    quarantined: Option<u64>,
    // Behind the connection: what is dropped later is released later.
    _lock: File,
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

    /// Why the next [`Writer::ingest`] computes the store again; `None` when it goes on with it.
    pub fn reason(&self) -> Option<&Reason> {
        self.store.as_ref().err()
    }

    /// Lets the next [`Writer::ingest`] compute the store again.
    pub fn discard(&mut self) {
        self.store = Err(Reason::Asked);
    }

    /// Brings the store up to date with the log, and returns what was read. `progress` shows how far it
    /// is, meanwhile.
    ///
    /// # Errors
    /// Of the log and DuckDB's; nothing was changed then.
    pub fn ingest(&mut self, progress: &Progress) -> Result<Summary, Error> {
        let reason = match self.go_on(progress) {
            Ok(Ok(summary)) => return Ok(summary),
            Ok(Err(reason)) => reason,
            Err(Error::Broken(error)) => Reason::Damaged(error.to_string()),
            // A new store is written part by part, which takes less memory than one transaction.
            Err(error) if error.is_out_of_memory() => Reason::Larger,
            Err(error) => return Err(error),
        };
        self.compute(reason, progress)
    }

    /// Applies what is new to the store as it is, unless it must be computed again, or that is quicker.
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
        // The view must know where lines are longer than DuckDB reads, whole or not.
        let changes_view = |work: &Work| work.checkpoint.offset == 0 || work.bytes() > LONGEST_LINE;
        let changes_view = work.iter().any(changes_view);
        let summary = store.apply(false, work, progress)?;
        if changes_view || summary.quarantined > 0 {
            save_view(&store.connection, &self.paths.events());
        }
        Ok(Ok(summary))
    }

    /// Computes the store from the whole log, under another name, and puts it in its place.
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
            // Where there is no space, it must not take what there is.
            let _ = remove(&new);
        }
        let mut summary = filled?;
        summary.computed = Some(reason);
        replace(&new, &path)?;
        sync_folder(&path);
        self.store = Ok(Store::new(open(&path, &AccessMode::ReadWrite)?, self.zone)?);
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
        let mut damaged: Vec<_> = load_checkpoints(connection)?
            .into_iter()
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

    /// Closes the store, with all it holds in its file and none of it in the write-ahead log.
    fn close(self) -> Result<(), Error> {
        // Closing does so too, and ignores what goes wrong, such as a full disk.
        self.connection
            .execute_batch(include_str!("../../sql/checkpoint.sql"))?;
        Ok(self.connection.close().map_err(|(_, error)| error)?)
    }
}

/// Makes a new store in `path` from the segments `work`, and closes it; with the view `events` of that folder.
pub(crate) fn fill(
    path: &Path,
    zone: Tz,
    work: Vec<Work>,
    events: Option<&Path>,
    progress: &Progress,
) -> Result<Summary, Error> {
    let store = Store::new(open(path, &AccessMode::ReadWrite)?, zone)?;
    platform::set_mode(path, 0o600).map_err(|error| failed(path, error))?;
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

/// Makes the view `events` (the whole log, each event once, for people's own queries) over the segments in the folder `events`, as far as they are not damaged. Hot segments that
/// are added later are in it, too. Nothing of plantune's reads it, so that it may fail: then it is as it was.
pub(crate) fn save_view(connection: &Connection, events: &Path) {
    let _ = run::step("view", || try_save_view(connection, events));
}

fn try_save_view(connection: &Connection, events: &Path) -> Result<(), Error> {
    let known = load_checkpoints(connection)?;
    let folder = events.canonicalize().unwrap_or_else(|_| events.to_owned());
    let mut segments = list(events)?;
    // What is damaged would fail every query; what is not read yet may be.
    segments.retain(|segment| {
        let known = known.get(&segment.name.file_name());
        known.is_some_and(|known| known.damage.is_none())
    });
    let long = with_long_lines(connection)?;
    let is_long = |segment: &Segment| {
        // What follows the last whole line is not in quarantine yet.
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
        // Those that come later, too.
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

/// The longest line that DuckDB's reader of JSON skips, in bytes; a longer one fails every query. It takes twice as much
/// memory a thread.
const LONGEST_LINE: u64 = 16 * 1024 * 1024;

/// The segments that hold a longer line, by the names of their files: what is in quarantine is in them still.
fn with_long_lines(connection: &Connection) -> Result<HashSet<String>, Error> {
    let mut statement = connection.prepare(include_str!("../../sql/with_long_lines.sql"))?;
    let segments = statement.query_map([LONGEST_LINE], |row| row.get(0))?;
    Ok(segments.collect::<duckdb::Result<_>>()?)
}

/// `text` as a literal of SQL.
pub(crate) fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
