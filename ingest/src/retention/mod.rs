//! Retention: which segments are sealed or dropped, and doing it. A segment is touched only when its UTC
//! day is closed and every byte of it is in the store.

mod judge;
mod plan;
mod remove;
mod seal;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::Path;

use chrono::{DateTime, Utc};
use duckdb::{AccessMode, Connection};
use plantune_domain::config::Retention;
use plantune_domain::paths::Paths;

pub use plan::{Collected, Planned, Step, Why};

use crate::error::Error;
use crate::progress::Progress;
use crate::spool::SegmentName;
use crate::store::{Writer, load_checkpoints, open, remove_folder, save_view};

/// What [`Writer::gc`] would do to each file of the log, in the order of names. Nothing is changed, and what
/// is not in the store yet is not read.
///
/// # Errors
/// [`Error::Held`] when another process writes to the store, [`Error::Newer`] for a store of a newer plantune,
/// and those of the file system and DuckDB.
pub fn plan(
    paths: &Paths,
    retention: &Retention,
    now: DateTime<Utc>,
) -> Result<Vec<Planned>, Error> {
    let mut known = judge::Known::default();
    if paths.store().exists() {
        let connection = open(&paths.store(), &AccessMode::ReadOnly)?;
        if plantune_migrations::check(&connection)? == plantune_migrations::newest() {
            known = load(&connection)?;
        }
    }
    judge_all(paths, &known, retention, now)
}

impl Writer {
    /// Seals the segments that are old enough, drops those that are older still, and returns what became of
    /// each file of the log, in the order of names. After a drop the store is computed again; `progress` shows
    /// how far that is. A run that is killed has lost nothing, and the next one finishes its work.
    ///
    /// # Errors
    /// Of the log's folder, and DuckDB's. What fails for one segment is reported with it.
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
        let freed = |planned| Collected {
            planned,
            freed: Ok(0),
        };
        let planned = judge_all(&paths, &known, retention, now)?.into_iter();
        let mut files: Vec<Collected> = planned.map(freed).collect();
        let mut is_dropped = false;
        let mut months: BTreeMap<SegmentName, Vec<&mut Collected>> = BTreeMap::new();
        for file in &mut files {
            let Planned {
                file_name,
                bytes,
                step,
            } = &file.planned;
            match step {
                Step::Keep(_) => {}
                Step::Seal => {
                    let day = SegmentName::parse(file_name).and_then(|name| name.day());
                    let month = SegmentName::sealed(day.unwrap_or_default());
                    months.entry(month).or_default().push(file);
                }
                Step::Drop => {
                    let path = paths.events().join(file_name);
                    let removed = remove::open_itself(&path)
                        .and_then(|open| remove::remove_unless_grown(&path, &open, *bytes));
                    is_dropped |= removed.is_ok();
                    let freed = removed.map(|()| *bytes);
                    file.freed = freed.map_err(|error| Error::Spool(error).to_string());
                }
            }
        }
        for (month, files) in months {
            seal::seal(self, &known, &month, files);
        }
        if is_dropped {
            self.discard();
            self.ingest(progress)?;
        } else if let Some(connection) = self.connection() {
            save_view(connection, &paths.events());
        }
        Ok(files)
    }
}

fn load(connection: &Connection) -> Result<judge::Known, Error> {
    let sql = include_str!("../../sql/quarantined_by_segment.sql");
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(judge::Known {
        checkpoints: load_checkpoints(connection)?,
        quarantined: rows.collect::<duckdb::Result<HashMap<String, u64>>>()?,
    })
}

fn judge_all(
    paths: &Paths,
    known: &judge::Known,
    retention: &Retention,
    now: DateTime<Utc>,
) -> Result<Vec<Planned>, Error> {
    let names = file_names(&paths.events())?;
    let names = names.into_iter().filter(|name| !is_unfinished(name));
    Ok(names
        .map(|name| judge::judge(&paths.events(), &name, known, retention, now))
        .collect())
}

/// The names of everything in the folder `events`, sorted; none without a folder.
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

/// Removes what a run that was killed had begun to write.
fn sweep(paths: &Paths) -> Result<(), Error> {
    let events = paths.events();
    for name in file_names(&events)? {
        let path = events.join(&name);
        if is_unfinished(&name) && fs::symlink_metadata(&path).is_ok_and(|found| found.is_file()) {
            fs::remove_file(&path).map_err(|error| Error::SpoolWrite(path, error))?;
        }
    }
    remove_folder(&seal::spill_folder(paths))
}
