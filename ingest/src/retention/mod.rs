//! Retention: decides which segments to seal, drop or keep, and why, and does so. A segment is touched only when its
//! UTC day is closed and every byte of it is in the store.

pub(crate) mod seal;

use std::collections::{BTreeMap, HashMap};
use std::fs::{File, Metadata};
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::{fs, io};

use chrono::{DateTime, Datelike as _, NaiveDate, Utc};
use duckdb::{AccessMode, Connection};
use plantune_domain::config::Retention;
use plantune_domain::paths::Paths;

use crate::Error;
use crate::Progress;
use crate::segment::{Format, Segment, SegmentName};
use crate::store::Writer;
use crate::store::checkpoints::{Checkpoint, goes_on, load_checkpoints};
use crate::store::open::open;

/// One file of the log, and the step planned for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// The file's name. Untrusted text.
    pub file_name: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// The step to be taken.
    pub step: RetentionStep,
}

/// A planned step for a file of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RetentionStep {
    /// Its events go to the sealed segment of its month.
    Seal,
    /// It is removed, and its contents are lost.
    Drop,
    /// It is kept.
    Keep(KeepReason),
}

/// Why a file is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeepReason {
    /// Its day, or the day it was last written to, may still get events: today, yesterday, or a future day.
    DayIsOpen,
    /// It is old enough to be sealed, but its month is not: a month is sealed as a whole.
    MonthIsOpen,
    /// It is not old enough yet.
    Young {
        /// Days since its day or its last write, whichever is less. For a sealed segment, days since the last day of
        /// its month.
        days: u32,
    },
    /// Not all of it is in the store.
    NotRead {
        /// The missing bytes; for a sealed file, its whole length.
        bytes: u64,
    },
    /// It ends in the middle of a line.
    Torn,
    /// It is not the file that was read.
    Replaced,
    /// It is old enough, but some of its lines are in quarantine.
    Quarantined {
        /// How many.
        lines: u64,
    },
    /// It is sealed, and cannot be read to its end.
    Damaged,
    /// The sealed segment of its month is damaged, or plantune did not write it.
    MonthIsDamaged,
    /// The store, which would be computed again, is the only copy of this sealed segment.
    OnlyCopy(String),
    /// It is empty.
    Empty,
    /// It is a symbolic link.
    Link,
    /// It has a name that plantune does not give.
    Unknown,
    /// The file system refuses, in its words.
    Unreadable(String),
}

/// The outcome for a file of the log.
#[derive(Debug)]
pub struct Collected {
    /// The planned step.
    pub planned: Planned,
    /// How many bytes were freed, or why nothing was done.
    pub freed: Result<u64, String>,
}

/// The step that [`Writer::gc`] would take for each file of the log, sorted by name. Changes nothing, and does not read
/// new events into the store.
///
/// # Errors
/// [`Error::Held`] when another process writes to the store, [`Error::Newer`] for a store of a newer plantune,
/// and file system and DuckDB errors.
pub fn plan(
    paths: &Paths,
    retention: &Retention,
    now: DateTime<Utc>,
) -> Result<Vec<Planned>, Error> {
    let mut known = KnownLog::default();
    if paths.store().exists() {
        let connection = open(&paths.store(), &AccessMode::ReadOnly)?;
        if plantune_migrations::check(&connection)? == plantune_migrations::newest() {
            known = load(&connection)?;
        }
    }
    judge_all(paths, &known, retention, now)
}

impl Writer {
    /// Seals the segments that are old enough, drops those that are older still, and returns the outcome for each file
    /// of the log, sorted by name. After a drop the store is computed again; `progress` shows how far that is. A killed
    /// run loses nothing, and the next one finishes its work.
    ///
    /// # Errors
    /// Errors of the log's folder, and DuckDB errors. An error for one segment is reported with that segment.
    pub fn gc(
        &mut self,
        retention: &Retention,
        now: DateTime<Utc>,
        progress: &Progress,
    ) -> Result<Vec<Collected>, Error> {
        let paths = self.paths().clone();
        sweep(&paths)?;
        let known = self.connection().map(load).transpose()?;
        let known = known.unwrap_or_default();
        let lost = self.lost_months()?;
        let (files, is_dropped) = self.closed_during(|| {
            let mut planned = judge_all(&paths, &known, retention, now)?;
            // After a drop the store is computed again.
            if let Some(lost) = lost.first() {
                for file in &mut planned {
                    if file.step == RetentionStep::Drop {
                        file.step = RetentionStep::Keep(KeepReason::OnlyCopy(lost.segment.clone()));
                    }
                }
            }
            collect(&paths, &known, planned, progress)
        })??;
        if is_dropped {
            self.discard();
            self.ingest(progress)?;
        }
        Ok(files)
    }
}

/// Seals and drops, as [`Writer::gc`] does, and returns whether something was dropped. Meanwhile others read the store.
fn collect(
    paths: &Paths,
    known: &KnownLog,
    planned: Vec<Planned>,
    progress: &Progress,
) -> Result<(Vec<Collected>, bool), Error> {
    let freed = |planned| Collected {
        planned,
        freed: Ok(0),
    };
    let mut files: Vec<Collected> = planned.into_iter().map(freed).collect();
    let mut is_dropped = false;
    let mut months: BTreeMap<SegmentName, Vec<&mut Collected>> = BTreeMap::new();
    for file in &mut files {
        let Planned {
            file_name,
            bytes,
            step,
        } = &file.planned;
        match step {
            RetentionStep::Keep(_) => {}
            RetentionStep::Seal => {
                let day = SegmentName::parse(file_name).and_then(|name| name.day());
                let month = SegmentName::sealed(day.unwrap_or_default());
                months.entry(month).or_default().push(file);
            }
            RetentionStep::Drop => {
                let path = paths.events().join(file_name);
                let removed = seal::open_itself(&path)
                    .and_then(|open| seal::remove_unless_grown(&path, &open, *bytes));
                is_dropped |= removed.is_ok();
                let freed = removed.map(|()| *bytes);
                file.freed = freed.map_err(|error| Error::Spool(error).to_string());
            }
        }
    }
    for (month, files) in months {
        seal::seal(paths, known, &month, files, progress);
    }
    Ok((files, is_dropped))
}

fn load(connection: &Connection) -> Result<KnownLog, Error> {
    let sql = include_str!("../../sql/quarantined_by_segment.sql");
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(KnownLog {
        checkpoints: load_checkpoints(connection)?,
        quarantined: rows.collect::<duckdb::Result<HashMap<String, u64>>>()?,
    })
}

fn judge_all(
    paths: &Paths,
    known: &KnownLog,
    retention: &Retention,
    now: DateTime<Utc>,
) -> Result<Vec<Planned>, Error> {
    let names = file_names(&paths.events())?;
    let names = names.into_iter().filter(|name| !is_unfinished(name));
    Ok(names
        .map(|name| judge(&paths.events(), &name, known, retention, now))
        .collect())
}

/// The names of everything in the folder `events`, sorted; empty without a folder.
fn file_names(events: &Path) -> io::Result<Vec<String>> {
    let entries = match fs::read_dir(events) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let name = |entry: io::Result<fs::DirEntry>| {
        entry.map(|entry| entry.file_name().to_string_lossy().into_owned())
    };
    let mut names: Vec<String> = entries.map(name).collect::<io::Result<_>>()?;
    names.sort();
    Ok(names)
}

/// True for the name of a file that is being sealed.
fn is_unfinished(name: &str) -> bool {
    let segment = name.strip_suffix(".tmp").and_then(SegmentName::parse);
    segment.is_some_and(|segment| segment.month().is_some())
}

/// Removes the unfinished files of a killed run.
fn sweep(paths: &Paths) -> Result<(), Error> {
    let events = paths.events();
    for name in file_names(&events)? {
        let path = events.join(&name);
        if is_unfinished(&name) && fs::symlink_metadata(&path).is_ok_and(|found| found.is_file()) {
            fs::remove_file(&path).map_err(|error| Error::SpoolWrite(path, error))?;
        }
    }
    Ok(())
}

/// How old a day must be to be closed, in days: some clocks are slow, and some time zones are behind UTC.
const CLOSED_DAYS: i64 = 2;

/// The log as the store knows it.
#[derive(Debug, Default)]
struct KnownLog {
    /// By file name.
    checkpoints: HashMap<String, Checkpoint>,
    /// Lines in quarantine by segment.
    quarantined: HashMap<String, u64>,
}

/// The step for the file `name` in the folder `events`.
fn judge(
    events: &Path,
    name: &str,
    known: &KnownLog,
    retention: &Retention,
    now: DateTime<Utc>,
) -> Planned {
    let path = events.join(name);
    let metadata = fs::symlink_metadata(&path);
    let bytes = metadata.as_ref().map_or(0, Metadata::len);
    let step = metadata
        .and_then(|metadata| step(&path, name, &metadata, known, retention, now))
        .unwrap_or_else(|error| RetentionStep::Keep(KeepReason::Unreadable(error.to_string())));
    Planned {
        file_name: name.to_owned(),
        bytes,
        step,
    }
}

fn step(
    path: &Path,
    file_name: &str,
    metadata: &Metadata,
    known: &KnownLog,
    retention: &Retention,
    now: DateTime<Utc>,
) -> io::Result<RetentionStep> {
    if metadata.is_symlink() {
        return Ok(RetentionStep::Keep(KeepReason::Link));
    }
    let name = SegmentName::parse(file_name).filter(|_| metadata.is_file());
    let day = |name: &SegmentName| name.day().or(name.month().map(last_day));
    let Some((name, day)) = name.and_then(|name| Some((name.clone(), day(&name)?))) else {
        return Ok(RetentionStep::Keep(KeepReason::Unknown));
    };
    let format = name.format();
    // A sealed segment is written after its days.
    let written = match format {
        Format::Sealed => day,
        _ => DateTime::<Utc>::from(metadata.modified()?).date_naive(),
    };
    let today = now.date_naive();
    let days_since = |day: NaiveDate| (today - day.max(written)).num_days();
    let age = days_since(day);
    if age < CLOSED_DAYS {
        return Ok(RetentionStep::Keep(KeepReason::DayIsOpen));
    }
    let segment = Segment::new(name, path.to_owned(), metadata);
    if let Some(why) = unread(&segment, known.checkpoints.get(file_name))? {
        return Ok(RetentionStep::Keep(why));
    }
    let is_due = |days: Option<u32>, age: i64| days.is_some_and(|days| age >= i64::from(days));
    let is_to_be_dropped = is_due(retention.drop_after_days, age);
    let is_to_be_sealed = format != Format::Sealed && is_due(retention.seal_after_days, age);
    let lines = known.quarantined.get(file_name).copied().unwrap_or(0);
    Ok(if (is_to_be_dropped || is_to_be_sealed) && lines > 0 {
        RetentionStep::Keep(KeepReason::Quarantined { lines })
    } else if is_to_be_dropped {
        RetentionStep::Drop
    } else if !is_to_be_sealed {
        let days = u32::try_from(age).unwrap_or(u32::MAX);
        RetentionStep::Keep(KeepReason::Young { days })
    } else if !is_due(retention.seal_after_days, days_since(last_day(day)))
        || days_since(last_day(day)) < CLOSED_DAYS
    {
        RetentionStep::Keep(KeepReason::MonthIsOpen)
    } else if !may_be_sealed_into(path, &SegmentName::sealed(day), known) {
        RetentionStep::Keep(KeepReason::MonthIsDamaged)
    } else {
        RetentionStep::Seal
    })
}

/// The last day of the month of `day`.
fn last_day(day: NaiveDate) -> NaiveDate {
    let last = u32::from(day.num_days_in_month());
    day.with_day(last).unwrap_or(day)
}

/// Why not every byte of the segment is in the store; `None` when it is.
fn unread(segment: &Segment, known: Option<&Checkpoint>) -> io::Result<Option<KeepReason>> {
    if segment.length == 0 {
        return Ok(Some(KeepReason::Empty));
    }
    let known = known.cloned().unwrap_or_default();
    let is_as_read = known.is_of(segment);
    if segment.name.format() != Format::Lines {
        return Ok(match (is_as_read, known.damage) {
            (true, None) => None,
            (true, Some(_)) => Some(KeepReason::Damaged),
            (false, _) => Some(KeepReason::NotRead {
                bytes: segment.length,
            }),
        });
    }
    if !is_as_read && !goes_on(&known, segment)? {
        return Ok(Some(KeepReason::Replaced));
    }
    if known.offset == segment.length {
        return Ok(None);
    }
    let mut last = [0];
    File::open(&segment.path)?.read_exact_at(&mut last, segment.length - 1)?;
    Ok(Some(match last {
        [b'\n'] => KeepReason::NotRead {
            bytes: segment.length - known.offset,
        },
        _ => KeepReason::Torn,
    }))
}

/// True when the sealed segment `month` next to the file `path` is unchanged since it was read, or missing.
fn may_be_sealed_into(path: &Path, month: &SegmentName, known: &KnownLog) -> bool {
    let path = path.with_file_name(month.file_name());
    match fs::symlink_metadata(&path) {
        Err(error) => error.kind() == io::ErrorKind::NotFound,
        Ok(metadata) => {
            let checkpoint = known.checkpoints.get(&month.file_name());
            let sealed = Segment::new(month.clone(), path, &metadata);
            metadata.is_file()
                && checkpoint.is_some_and(|known| known.is_of(&sealed) && known.damage.is_none())
        }
    }
}
