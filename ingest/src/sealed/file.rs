//! Reading a sealed segment, some thousand rows at a time.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

use duckdb::arrow::array::RecordBatch;
use duckdb::arrow::compute::concat_batches;
use duckdb::{Connection, params};

use super::path::pattern;
use crate::arrow::{check, digests};
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

/// A sealed segment that is open to be read.
#[derive(Clone, Debug)]
pub(crate) struct SealedFile {
    /// As a pattern.
    path: String,
    /// The rows of each row group.
    groups: Vec<u64>,
    bytes: u64,
}

impl SealedFile {
    /// Looks at the file in `path`.
    pub(crate) fn open(connection: &Connection, path: &Path) -> Result<Self, Error> {
        // DuckDB's message does not distinguish a file that may not be read from one that is damaged.
        let opened = File::open(path).and_then(|file| file.metadata());
        let bytes = opened
            .map_err(|error| Error::Spool(named(&error, path)))?
            .len();
        let path = pattern(path).map_err(Error::Spool)?;
        let groups = || {
            let sql = include_str!("../../sql/sealed/row_groups.sql");
            let mut statement = connection.prepare(sql)?;
            let groups = statement.query_map([&path], |row| row.get(0))?;
            groups.collect::<duckdb::Result<_>>()
        };
        let groups = groups().map_err(damage)?;
        Ok(Self {
            path,
            groups,
            bytes,
        })
    }

    fn rows(&self) -> u64 {
        self.groups.iter().sum()
    }

    /// How many bytes of the file a part is, about.
    pub(crate) fn bytes(&self, part: &Range<u64>) -> u64 {
        self.bytes * (part.end - part.start) / self.rows().max(1)
    }

    /// The parts that are read one after the other: row groups, whose size the writer bounds.
    pub(crate) fn parts(&self) -> impl Iterator<Item = Range<u64>> + use<> {
        let mut start = 0;
        self.groups.clone().into_iter().map(move |rows| {
            let part = start..start + rows;
            start = part.end;
            part
        })
    }

    /// The events of a part, as projections need them: without fields that none reads, and with ids where
    /// some are needed, which is seldom.
    pub(crate) fn events(
        &self,
        connection: &Connection,
        part: &Range<u64>,
    ) -> Result<RecordBatch, Error> {
        let sql = include_str!("../../sql/sealed/read_projected.sql");
        let events = self.read(connection, part, sql)?;
        if check(&events, false)? {
            Ok(events)
        } else {
            self.whole_events(connection, part)
        }
    }

    /// The events of a part, all columns.
    pub(crate) fn whole_events(
        &self,
        connection: &Connection,
        part: &Range<u64>,
    ) -> Result<RecordBatch, Error> {
        let events = self.read(connection, part, include_str!("../../sql/sealed/read.sql"))?;
        check(&events, true)?;
        Ok(events)
    }

    fn read(
        &self,
        connection: &Connection,
        part: &Range<u64>,
        sql: &str,
    ) -> Result<RecordBatch, Error> {
        let read = || {
            let mut statement = connection.prepare(sql)?;
            let batches = statement.stream_arrow(params![self.path, part.start, part.end])?;
            Ok((batches.get_schema(), batches.collect::<Vec<_>>()))
        };
        let (schema, batches) = read().map_err(damage)?;
        let events = concat_batches(&schema, &batches)?;
        if events.num_rows() as u64 == part.end - part.start {
            Ok(events)
        } else {
            Err(Error::Damage("rows are missing".to_owned()))
        }
    }

    /// Reads all of it and returns how many events it has, as the digest that it carries says; `each` gets
    /// them, part by part.
    pub(super) fn check(
        &self,
        connection: &Connection,
        mut each: impl FnMut(&RecordBatch) -> Result<(), Error>,
    ) -> Result<u64, Error> {
        let sql = include_str!("../../sql/sealed/declared.sql");
        let declared =
            connection.query_row(sql, [&self.path], |row| row.get::<_, Option<String>>(0));
        let declared = declared.map_err(damage)?;
        let mut digest = 0;
        for part in self.parts() {
            let events = self.whole_events(connection, &part)?;
            digest += digests(&events).into_iter().map(u128::from).sum::<u128>();
            each(&events)?;
        }
        match declared {
            None => Err(Error::Damage("plantune did not write this file".to_owned())),
            Some(declared) if declared == digest.to_string() => Ok(self.rows()),
            Some(_) => Err(Error::Damage("events were changed".to_owned())),
        }
    }
}

/// Reads a sealed segment to its end, and returns how many events it has.
///
/// # Errors
/// Why it cannot be: it is damaged, or the file system refuses.
pub fn check_sealed(path: &Path) -> io::Result<u64> {
    let check = || {
        let connection = connect()?;
        let file = SealedFile::open(&connection, path)?;
        file.check(&connection, |_| Ok(()))
    };
    check().map_err(|error| match error {
        Error::Spool(error) => error,
        error => io::Error::other(error.to_string()),
    })
}
