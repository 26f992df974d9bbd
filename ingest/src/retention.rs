//! Retention: which segments may be compressed or dropped, and doing it. A segment is touched only
//! when its UTC day is closed and every byte of it is in the store.

mod compress;
mod dropped;
mod judge;
mod remove;

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;

use chrono::{DateTime, Utc};
use duckdb::{AccessMode, Connection};
use plantune_domain::config::Retention;
use plantune_domain::paths::Paths;

use crate::checkpoint::Checkpoints;
use crate::error::Error;
use crate::{Writer, open};

pub use dropped::{Dropped, dropped};

/// What the name of a compressed file that is being written ends in.
const UNFINISHED: &str = ".gz.tmp";

/// One file of the spool, and what is to happen to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// The file's name. Untrusted text.
    pub file_name: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// What is to happen.
    pub step: Step,
}

/// What is to happen to a file of the spool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// It is compressed.
    Compress,
    /// It is removed; its events stay in the store alone.
    Drop,
    /// It stays as it is.
    Keep(Why),
}

/// Why a file stays as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// Its day, or the day it was last written to, may still get events: today, yesterday, or
    /// one to come.
    DayIsOpen,
    /// Its time has not come; it is so many days old.
    Young {
        /// Days since its day and since it was last written to, whichever is less.
        days: u32,
    },
    /// So many bytes of it are not in the store.
    NotRead {
        /// The bytes; of a compressed file, about.
        bytes: u64,
    },
    /// It ends in the middle of a line.
    Torn,
    /// It is another file than the one that was read.
    Replaced,
    /// Its time to be dropped has come, but lines of it are in quarantine.
    Quarantined {
        /// How many.
        lines: u64,
    },
    /// It is compressed, and cannot be read to its end.
    Damaged,
    /// It is empty.
    Empty,
    /// It is a symbolic link.
    Link,
    /// plantune gives no such name.
    Unknown,
    /// The file system refuses, in its words.
    Unreadable(String),
}

/// What became of a file of the spool.
#[derive(Debug)]
pub struct Collected {
    /// What was to happen.
    pub planned: Planned,
    /// How many bytes were freed, or why nothing was done.
    pub freed: Result<u64, String>,
}

/// What [`Writer::gc`] would do to each file of the spool, in the order of names. Nothing is
/// changed, and what is not in the store yet is not read.
///
/// # Errors
/// [`Error::Held`] when another process writes to the store, and those of [`Writer::open`].
pub fn plan(
    paths: &Paths,
    retention: &Retention,
    now: DateTime<Utc>,
) -> Result<Vec<Planned>, Error> {
    let store = paths.store();
    if !store.exists() {
        return planned(paths, &judge::Known::default(), retention, now);
    }
    let connection = open::patiently(&store, &AccessMode::ReadOnly)?;
    plantune_migrations::check(&connection)?;
    planned(paths, &known(&connection)?, retention, now)
}

impl Writer {
    /// Compresses the segments that are old enough, drops those that are older still, and returns
    /// what became of each file of the spool, in the order of names. A run that is killed has lost
    /// nothing, and the next one finishes its work.
    ///
    /// # Errors
    /// Of the spool's folder, and DuckDB's. What fails for one segment is told with it.
    pub fn gc(
        &mut self,
        retention: &Retention,
        now: DateTime<Utc>,
    ) -> Result<Vec<Collected>, Error> {
        let paths = self.paths().clone();
        sweep(&paths.events()).map_err(Error::Spool)?;
        let known = known(self.connection())?;
        let planned = planned(&paths, &known, retention, now)?;
        if planned.iter().any(|planned| planned.step == Step::Drop) {
            // What is dropped must not depend on the write-ahead log alone.
            self.checkpoint()?;
        }
        let mut collected = Vec::new();
        for planned in planned {
            let freed = match &planned.step {
                Step::Keep(_) => Ok(0),
                Step::Compress => compress::compress(self, &known.checkpoints, &planned, now),
                Step::Drop => dropped::drop_segment(&paths, &known.checkpoints, &planned, now),
            };
            collected.push(Collected {
                planned,
                freed: freed.map_err(|error| error.to_string()),
            });
        }
        Ok(collected)
    }

    /// The compressed segments that cannot be read to their ends, with why.
    ///
    /// # Errors
    /// Of the spool's folder, and DuckDB's.
    pub fn damaged(&self) -> Result<Vec<(String, String)>, Error> {
        let checkpoints = Checkpoints::load(self.connection())?;
        let segments = crate::segment::list(&self.paths().events()).map_err(Error::Spool)?;
        let is_read = |file_name: &str, word: &str| {
            use crate::checkpoint::State;
            let state = checkpoints.get(file_name).map(|known| &known.state);
            matches!(state, Some(State::Sealed(known)) if known == word)
        };
        let mut damaged = Vec::new();
        for segment in segments {
            let Some(seal) = &segment.seal else { continue };
            if is_read(&segment.file_name, &seal.word()) {
                continue;
            }
            if let Err(error) = crate::check_compressed(&segment.path) {
                damaged.push((segment.file_name, error.to_string()));
            }
        }
        Ok(damaged)
    }
}

fn known(connection: &Connection) -> Result<judge::Known, Error> {
    let mut statement = connection.prepare(include_str!("../sql/quarantined_lines.sql"))?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(judge::Known {
        checkpoints: Checkpoints::load(connection)?,
        quarantined: rows.collect::<duckdb::Result<HashMap<String, u64>>>()?,
    })
}

fn planned(
    paths: &Paths,
    known: &judge::Known,
    retention: &Retention,
    now: DateTime<Utc>,
) -> Result<Vec<Planned>, Error> {
    let judged = file_names(&paths.events()).map(|names| {
        let names = names.into_iter().filter(|name| !name.ends_with(UNFINISHED));
        names
            .map(|name| judge::judge(&paths.events(), &name, known, retention, now))
            .collect()
    });
    judged.map_err(Error::Spool)
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

/// Removes what a run that was killed had begun to write.
fn sweep(events: &Path) -> io::Result<()> {
    for name in file_names(events)? {
        let segment = name.strip_suffix(UNFINISHED);
        let is_ours = segment
            .and_then(crate::SegmentName::parse)
            .is_some_and(|segment| segment.day().is_some() && !segment.is_compressed());
        let path = events.join(&name);
        if is_ours && fs::symlink_metadata(&path)?.is_file() {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}
