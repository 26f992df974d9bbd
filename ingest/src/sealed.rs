//! Sealed segments: a past month as a Parquet file with a checksum, read row group by row group.

use std::io;
use std::ops::Range;
use std::path::Path;

use duckdb::arrow::array::{RecordBatch, TimestampMicrosecondArray};
use duckdb::arrow::compute::concat_batches;
use duckdb::{Connection, params};

use crate::arrow::{column, complete, digests, texts, with_former};
use crate::checksum::CHANGED;
use crate::lines::decode_id;
use crate::segment::{named, pattern};
use crate::{Error, checksum};

/// The error of a file that DuckDB cannot read: it is damaged, or plantune did not write it.
fn damage(error: duckdb::Error) -> Error {
    let words = error.to_string();
    if words.starts_with("Out of Memory") {
        return error.into();
    }
    Error::Damage(words.lines().next().unwrap_or_default().to_owned())
}

/// A connection for reading sealed segments, separate from the store's.
pub(crate) fn connect() -> Result<Connection, Error> {
    let connection = Connection::open_in_memory()?;
    connection.execute_batch(include_str!("../sql/sealed/session.sql"))?;
    Ok(connection)
}

/// A sealed segment that is as it was written, open for reading row group by row group.
pub(crate) struct SealedFile {
    connection: Connection,
    /// As a pattern.
    path: String,
    /// The rows of each row group.
    groups: Vec<u64>,
    /// The next group.
    next: usize,
    bytes: u64,
}

/// A row group of a sealed segment.
pub(crate) struct RowGroup {
    connection: Connection,
    path: String,
    rows: Range<u64>,
    /// The approximate number of bytes of the file that it covers.
    pub(crate) bytes: u64,
}

/// The most bytes that a row group takes when it is unpacked, in a file that plantune wrote.
const GROUP_BYTES: u64 = 256 * 1024 * 1024;

impl SealedFile {
    /// Opens the file at `path`, and checks that it is as it was written.
    ///
    /// # Errors
    /// [`Error::Damage`] when it is not, and errors of the file system.
    pub(crate) fn open(connection: &Connection, path: &Path) -> Result<Self, Error> {
        let has_checksum = checksum::check(path)?;
        let bytes = path.metadata().map_err(|error| named(&error, path))?.len();
        let path = pattern(path)?;
        let groups = || {
            let sql = include_str!("../sql/sealed/row_groups.sql");
            let mut statement = connection.prepare(sql)?;
            let groups = statement.query_map([&path], |row| Ok((row.get(0)?, row.get(1)?)))?;
            groups.collect::<duckdb::Result<Vec<(u64, u64)>>>()
        };
        let groups = groups().map_err(damage)?;
        if groups.iter().any(|(_, bytes)| *bytes > GROUP_BYTES) {
            return Err(Error::Damage(NOT_OURS.to_owned()));
        }
        let file = Self {
            connection: connection.try_clone()?,
            path,
            groups: groups.into_iter().map(|(rows, _)| rows).collect(),
            next: 0,
            bytes,
        };
        if !has_checksum {
            file.check_digest()?;
        }
        Ok(file)
    }

    /// How many events it has.
    pub(crate) fn events(&self) -> u64 {
        self.groups.iter().sum()
    }

    /// The next row group.
    pub(crate) fn next(&mut self) -> Result<Option<RowGroup>, Error> {
        self.next += 1;
        self.group(self.next - 1)
    }

    /// The row group with this number.
    pub(crate) fn group(&self, number: usize) -> Result<Option<RowGroup>, Error> {
        let Some(rows) = self.groups.get(number) else {
            return Ok(None);
        };
        let start: u64 = self.groups.iter().take(number).sum();
        Ok(Some(RowGroup {
            connection: self.connection.try_clone()?,
            path: self.path.clone(),
            rows: start..start + rows,
            bytes: self.bytes * rows / self.events().max(1),
        }))
    }

    /// Earlier versions wrote the sum of the events' digests instead of a checksum.
    fn check_digest(&self) -> Result<(), Error> {
        let sql = include_str!("../sql/sealed/declared.sql");
        let declared = self
            .connection
            .query_row(sql, [&self.path], |row| row.get(0));
        let declared: Option<String> = declared.map_err(damage)?;
        let declared = declared.ok_or_else(|| Error::Damage(NOT_OURS.to_owned()))?;
        let mut digest = 0;
        for number in 0..self.groups.len() {
            if let Some(group) = self.group(number)? {
                let sealed = group.read(true)?;
                let events =
                    complete(&sealed, true)?.unwrap_or(RecordBatch::new_empty(sealed.schema()));
                digest += sum(&with_former(&events, &sealed)?);
            }
        }
        if declared == digest.to_string() {
            Ok(())
        } else {
            Err(Error::Damage(CHANGED.to_owned()))
        }
    }
}

const NOT_OURS: &str = "plantune did not write this file";

/// The sum of the digests of `events`, which does not depend on their order.
pub(crate) fn sum(events: &RecordBatch) -> u128 {
    digests(events).into_iter().map(u128::from).sum()
}

impl RowGroup {
    /// The events. `is_whole` includes all columns. Otherwise only the fields that projections read are included, with
    /// ids in the rare case that any are needed.
    pub(crate) fn events(&self, is_whole: bool) -> Result<RecordBatch, Error> {
        match complete(&self.read(is_whole)?, is_whole)? {
            Some(events) => Ok(events),
            None => self.events(true),
        }
    }

    /// Calls `each` with the time (microseconds since 1970, UTC) and the id of each event.
    pub(crate) fn keys(&self, mut each: impl FnMut(i64, &[u8; 16])) -> Result<(), Error> {
        let keys = self.query(include_str!("../sql/sealed/read_keys.sql"))?;
        let times: &TimestampMicrosecondArray = column(&keys, "ts")?;
        let ids = texts(&keys, "id")?;
        for (time, id) in times.iter().zip(ids) {
            let id = id.and_then(decode_id);
            match (time, id) {
                (Some(time), Some(id)) => each(time, &id),
                _ => return Err(Error::Damage("an event without a time or an id".to_owned())),
            }
        }
        Ok(())
    }

    /// The columns that the file has.
    fn read(&self, is_whole: bool) -> Result<RecordBatch, Error> {
        self.query(if is_whole {
            include_str!("../sql/sealed/read.sql")
        } else {
            include_str!("../sql/sealed/read_projected.sql")
        })
    }

    fn query(&self, sql: &str) -> Result<RecordBatch, Error> {
        let read = || {
            let mut statement = self.connection.prepare(sql)?;
            let Range { start, end } = self.rows;
            let batches = statement.stream_arrow(params![self.path, start, end])?;
            Ok((batches.get_schema(), batches.collect::<Vec<_>>()))
        };
        let (schema, batches) = read().map_err(damage)?;
        let rows = concat_batches(&schema, &batches)?;
        if rows.num_rows() as u64 != self.rows.end - self.rows.start {
            return Err(Error::Damage("rows are missing".to_owned()));
        }
        Ok(rows)
    }
}

/// Checks a sealed segment, and returns how many events it has.
///
/// # Errors
/// When the segment is damaged, or the file system refuses.
pub fn check_sealed(path: &Path) -> io::Result<u64> {
    let events = || Ok(SealedFile::open(&connect()?, path)?.events());
    events().map_err(|error| match error {
        Error::Spool(error) => error,
        error => io::Error::other(error.to_string()),
    })
}
