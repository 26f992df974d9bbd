//! Reading a sealed segment, some thousand rows at a time.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

use duckdb::arrow::array::RecordBatch;
use duckdb::arrow::compute::concat_batches;
use duckdb::{Connection, params};

use super::path::pattern;
use crate::arrow::{complete, digests};
use crate::error::Error;
use crate::spool::named;

/// What DuckDB says of a file that it cannot read: it is damaged, or was not written by plantune.
fn damage(error: duckdb::Error) -> Error {
    let words = error.to_string();
    if words.starts_with("Out of Memory") {
        return error.into();
    }
    Error::Damage(words.lines().next().unwrap_or_default().to_owned())
}

/// A connection to read sealed segments with, beside the store's.
pub(crate) fn connect() -> Result<Connection, Error> {
    let connection = Connection::open_in_memory()?;
    connection.execute_batch(include_str!("../../sql/sealed/session.sql"))?;
    Ok(connection)
}

/// A sealed segment that is open to be read, row group by row group; their size the writer bounds.
pub(crate) struct SealedFile {
    connection: Connection,
    /// As a pattern.
    path: String,
    /// The rows of each row group.
    groups: Vec<u64>,
    /// How many groups and rows were read.
    read: (usize, u64),
    bytes: u64,
}

/// A row group of a sealed segment.
pub(crate) struct RowGroup {
    connection: Connection,
    path: String,
    rows: Range<u64>,
    /// How many bytes of the file it is, about.
    pub(crate) bytes: u64,
}

impl SealedFile {
    /// Looks at the file in `path`.
    pub(crate) fn open(connection: &Connection, path: &Path) -> Result<Self, Error> {
        // DuckDB's message does not distinguish a file that may not be read from one that is damaged.
        let opened = File::open(path).and_then(|file| file.metadata());
        let bytes = opened.map_err(|error| named(&error, path))?.len();
        let path = pattern(path)?;
        let groups = || {
            let sql = include_str!("../../sql/sealed/row_groups.sql");
            let mut statement = connection.prepare(sql)?;
            let groups = statement.query_map([&path], |row| row.get(0))?;
            groups.collect::<duckdb::Result<_>>()
        };
        let groups = groups().map_err(damage)?;
        Ok(Self {
            connection: connection.try_clone()?,
            path,
            groups,
            read: (0, 0),
            bytes,
        })
    }

    /// The next row group.
    pub(crate) fn next(&mut self) -> Result<Option<RowGroup>, Error> {
        let (group, start) = self.read;
        let Some(rows) = self.groups.get(group) else {
            return Ok(None);
        };
        let end = start + rows;
        self.read = (group + 1, end);
        Ok(Some(RowGroup {
            connection: self.connection.try_clone()?,
            path: self.path.clone(),
            rows: start..end,
            bytes: self.bytes * rows / self.groups.iter().sum::<u64>().max(1),
        }))
    }

    /// Reads all of it and returns how many events it has, as the digest that it carries says; `each` gets
    /// them, group by group.
    pub(super) fn check(
        mut self,
        mut each: impl FnMut(&RecordBatch) -> Result<(), Error>,
    ) -> Result<u64, Error> {
        let sql = include_str!("../../sql/sealed/declared.sql");
        let declared = self
            .connection
            .query_row(sql, [&self.path], |row| row.get(0));
        let declared: Option<String> = declared.map_err(damage)?;
        let mut digest = 0;
        while let Some(rows) = self.next()? {
            let events = rows.events(true)?;
            digest += digests(&events).into_iter().map(u128::from).sum::<u128>();
            each(&events)?;
        }
        match declared {
            None => Err(Error::Damage("plantune did not write this file".to_owned())),
            Some(declared) if declared == digest.to_string() => Ok(self.read.1),
            Some(_) => Err(Error::Damage("events were changed".to_owned())),
        }
    }
}

impl RowGroup {
    /// The events. `is_whole`: all columns; else as projections need them, without fields that none reads, and
    /// with ids where some are needed, which is seldom.
    pub(crate) fn events(&self, is_whole: bool) -> Result<RecordBatch, Error> {
        let sql = if is_whole {
            include_str!("../../sql/sealed/read.sql")
        } else {
            include_str!("../../sql/sealed/read_projected.sql")
        };
        let read = || {
            let mut statement = self.connection.prepare(sql)?;
            let Range { start, end } = self.rows;
            let batches = statement.stream_arrow(params![self.path, start, end])?;
            Ok((batches.get_schema(), batches.collect::<Vec<_>>()))
        };
        let (schema, batches) = read().map_err(damage)?;
        let events = concat_batches(&schema, &batches)?;
        if events.num_rows() as u64 != self.rows.end - self.rows.start {
            return Err(Error::Damage("rows are missing".to_owned()));
        }
        match complete(&events, is_whole)? {
            Some(events) => Ok(events),
            None => self.events(true),
        }
    }
}

/// Reads a sealed segment to its end, and returns how many events it has.
///
/// # Errors
/// Why it cannot be: it is damaged, or the file system refuses.
pub fn check_sealed(path: &Path) -> io::Result<u64> {
    let check = || SealedFile::open(&connect()?, path)?.check(|_| Ok(()));
    check().map_err(|error| match error {
        Error::Spool(error) => error,
        error => io::Error::other(error.to_string()),
    })
}
