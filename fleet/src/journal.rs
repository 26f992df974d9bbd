//! What this machine has published: its publisher's id, each file's intent and end, and which events those held.
//! A DuckDB file, so that each step is there whole or not at all, whenever the process is killed. Without it the
//! machine is a new publisher, publishes everything again, and nothing is counted twice.

use std::collections::HashSet;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use chrono::{DateTime, NaiveDate, Utc};
use duckdb::{Connection, params};
use plantune_domain::clock::timestamp;
use plantune_domain::paths::create_private_dir;
use plantune_domain::platform;
use serde::Deserialize;

use crate::database::{row, rows, texts};
use crate::failure::Failure;
use crate::key::random_hex;
use crate::lake::name::{EventFile, Writer};
use crate::optional_file;

/// The journal's own format.
const VERSION: u32 = 1;

/// A file that the lake is to hold.
#[derive(Debug)]
pub(crate) struct Pending {
    pub(crate) sequence: u64,
    pub(crate) file: EventFile,
    pub(crate) content: Vec<u8>,
}

/// What was published, in numbers.
#[derive(Debug, Deserialize)]
pub(crate) struct Counts {
    pub(crate) files: u64,
    pub(crate) pending: u64,
    pub(crate) events: u64,
    /// When the last file was put (RFC 3339).
    pub(crate) last: Option<String>,
}

/// The journal, held by this process alone.
pub(crate) struct Journal {
    connection: Connection,
    pub(crate) publisher: String,
}

fn file(folder: &Path) -> PathBuf {
    folder.join("journal.duckdb")
}

fn publishers_file(folder: &Path) -> PathBuf {
    folder.join("publishers")
}

/// The ids that were published under from `folder`, the present one included.
///
/// # Errors
/// Those of the file system.
pub(crate) fn publishers(folder: &Path) -> Result<Vec<String>, Failure> {
    let text = optional_file::read(&publishers_file(folder))?.unwrap_or_default();
    Ok(text.lines().map(str::to_owned).collect())
}

impl Journal {
    /// Opens the journal in `folder`, and makes it where there is none.
    ///
    /// # Errors
    /// Failed when another process holds it; conflict when it is damaged or a newer plantune's.
    pub(crate) fn open(folder: &Path) -> Result<Self, Failure> {
        create_private_dir(folder)?;
        let path = file(folder);
        let connection = Connection::open(&path).map_err(|error| cannot_open(&path, &error))?;
        connection.execute_batch(include_str!("../sql/journal/tables.sql"))?;
        let about = include_str!("../sql/journal/about.sql");
        let publisher = match rows(&connection, about, [])?.pop() {
            Some((VERSION, publisher)) => publisher,
            Some(_) => {
                let words = format!("{}: the journal of a newer plantune", path.display());
                return Err(Failure::conflict(words).hint("install the newest plantune-fleet"));
            }
            None => {
                let publisher = random_hex::<8>()?;
                // First, so that `forget` knows every id that anything was published under.
                remember(&publishers_file(folder), &publisher)?;
                let sql = include_str!("../sql/journal/begin.sql");
                connection.execute(sql, params![VERSION, publisher])?;
                publisher
            }
        };
        Ok(Self {
            connection,
            publisher,
        })
    }

    /// Opens the journal if there is one.
    ///
    /// # Errors
    /// As [`Journal::open`].
    pub(crate) fn find(folder: &Path) -> Result<Option<Self>, Failure> {
        match file(folder).exists() {
            true => Self::open(folder).map(Some),
            false => Ok(None),
        }
    }

    /// Removes the journal: what is published next, is so under another id.
    ///
    /// # Errors
    /// Those of the file system.
    pub(crate) fn remove(self, folder: &Path) -> Result<(), Failure> {
        drop(self);
        let path = file(folder);
        optional_file::remove(&path)?;
        optional_file::remove(&path.with_extension("duckdb.wal"))
    }

    /// What the published events are known by.
    ///
    /// # Errors
    /// DuckDB's.
    pub(crate) fn published(&self) -> Result<HashSet<String>, Failure> {
        let sql = include_str!("../sql/journal/published.sql");
        Ok(texts(&self.connection, sql, [])?.into_iter().collect())
    }

    /// Writes down that `content` will be the publisher's next file, which holds the events `keys`.
    ///
    /// # Errors
    /// DuckDB's.
    pub(crate) fn intend(
        &mut self,
        date: NaiveDate,
        content: &[u8],
        keys: &[String],
    ) -> Result<(), Failure> {
        let transaction = self.connection.transaction()?;
        let sql = include_str!("../sql/journal/intend.sql");
        transaction.execute(sql, params![date, content, keys.len()])?;
        {
            let mut appender = transaction.appender("published")?;
            appender.append_rows(keys.iter().map(|key| [key]))?;
            appender.flush()?;
        }
        Ok(transaction.commit()?)
    }

    /// The files that were intended and not put for certain, in their order.
    ///
    /// # Errors
    /// DuckDB's.
    pub(crate) fn pending(&self) -> Result<Vec<Pending>, Failure> {
        let sql = include_str!("../sql/journal/pending.sql");
        let mut statement = self.connection.prepare(sql)?;
        let rows = statement.query_map([], |row| {
            let sequence = row.get(0)?;
            Ok(Pending {
                sequence,
                file: EventFile {
                    date: row.get(1)?,
                    writer: Writer::Publisher(self.publisher.clone(), sequence),
                },
                content: row.get(2)?,
            })
        })?;
        Ok(rows.collect::<duckdb::Result<_>>()?)
    }

    /// Writes down that a file is in the lake.
    ///
    /// # Errors
    /// DuckDB's.
    pub(crate) fn done(&self, sequence: u64, now: DateTime<Utc>) -> Result<(), Failure> {
        let sql = include_str!("../sql/journal/done.sql");
        self.connection
            .execute(sql, params![sequence, timestamp(now)])?;
        Ok(())
    }

    /// What was published, in numbers.
    ///
    /// # Errors
    /// DuckDB's.
    pub(crate) fn counts(&self) -> Result<Counts, Failure> {
        row(&self.connection, include_str!("../sql/journal/counts.sql"))
    }
}

/// Appends an id to the list of those that were used.
fn remember(list: &Path, publisher: &str) -> Result<(), Failure> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    let mut file = platform::private(&mut options).open(list)?;
    file.write_all(format!("{publisher}\n").as_bytes())?;
    Ok(file.sync_all()?)
}

fn cannot_open(path: &Path, error: &duckdb::Error) -> Failure {
    let words = error.to_string();
    let first = words.lines().next().unwrap_or_default();
    if words.contains("lock") {
        return Failure::failed(format!("{} is in use by another process", path.display()))
            .hint("another `plantune fleet` runs; try again when it is done");
    }
    Failure::conflict(format!("{}: {first}", path.display())).hint(
        "move that file away: this machine is a new publisher then, and nothing is counted twice",
    )
}
