//! Reading a sealed segment, some thousand rows at a time.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use duckdb::arrow::array::RecordBatch;
use duckdb::arrow::compute::concat_batches;
use duckdb::arrow::error::ArrowError;
use duckdb::{Connection, params};

use super::path::pattern;
use crate::arrow::{check, digests};
use crate::error::Error;
use crate::spool::named;

/// Why a sealed segment cannot be read.
#[derive(Debug)]
pub(crate) enum ReadError {
    /// It is damaged, or was not written by plantune; in words.
    Damage(String),
    /// Something else is wrong.
    Other(Error),
}

impl From<duckdb::Error> for ReadError {
    fn from(error: duckdb::Error) -> Self {
        let words = error.to_string();
        if words.starts_with("Out of Memory") {
            Self::Other(error.into())
        } else {
            Self::Damage(words.lines().next().unwrap_or_default().to_owned())
        }
    }
}

impl From<ArrowError> for ReadError {
    fn from(error: ArrowError) -> Self {
        Self::Damage(error.to_string())
    }
}

impl From<ReadError> for Error {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Damage(words) => Self::Spool(io::Error::other(words)),
            ReadError::Other(error) => error,
        }
    }
}

/// A connection to read sealed segments with, beside the store's.
///
/// # Errors
/// DuckDB's.
pub(crate) fn connect() -> Result<Connection, Error> {
    let connection = Connection::open_in_memory()?;
    connection.execute_batch(include_str!("../../sql/sealed/session.sql"))?;
    Ok(connection)
}

/// What a sealed segment should hold, as it says itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Content {
    pub(crate) rows: u64,
    /// The sum of the digests of the rows.
    pub(crate) digest: u128,
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
    ///
    /// # Errors
    /// Damage, those of the file system, and DuckDB's.
    pub(crate) fn open(connection: &Connection, path: &Path) -> Result<Self, ReadError> {
        let other = |error| ReadError::Other(Error::Spool(error));
        // DuckDB's words would not tell a file that may not be read from one that is damaged.
        let opened = File::open(path).and_then(|file| file.metadata());
        let bytes = opened.map_err(|error| other(named(&error, path)))?.len();
        let path = pattern(path).map_err(other)?;
        let sql = include_str!("../../sql/sealed/row_groups.sql");
        let mut statement = connection.prepare(sql)?;
        let groups = statement.query_map([&path], |row| row.get(0))?;
        let groups = groups.collect::<duckdb::Result<_>>()?;
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
    ///
    /// # Errors
    /// Damage, and DuckDB's.
    pub(crate) fn events(
        &self,
        connection: &Connection,
        part: &Range<u64>,
    ) -> Result<RecordBatch, ReadError> {
        let sql = include_str!("../../sql/sealed/read_projected.sql");
        let events = self.read(connection, part, sql)?;
        if check(&events, false)? {
            Ok(events)
        } else {
            self.whole_events(connection, part)
        }
    }

    /// The events of a part, all columns.
    ///
    /// # Errors
    /// Damage, and DuckDB's.
    pub(super) fn whole_events(
        &self,
        connection: &Connection,
        part: &Range<u64>,
    ) -> Result<RecordBatch, ReadError> {
        let events = self.read(connection, part, include_str!("../../sql/sealed/read.sql"))?;
        check(&events, true)?;
        Ok(events)
    }

    fn read(
        &self,
        connection: &Connection,
        part: &Range<u64>,
        sql: &str,
    ) -> Result<RecordBatch, ReadError> {
        let mut statement = connection.prepare(sql)?;
        let batches = statement.stream_arrow(params![self.path, part.start, part.end])?;
        let schema = batches.get_schema();
        let events = concat_batches(&schema, &batches.collect::<Vec<_>>())?;
        if events.num_rows() as u64 == part.end - part.start {
            Ok(events)
        } else {
            Err(ReadError::Damage("rows are missing".to_owned()))
        }
    }

    /// What it should hold.
    ///
    /// # Errors
    /// Damage, and DuckDB's.
    pub(super) fn declared(&self, connection: &Connection) -> Result<Content, ReadError> {
        let sql = include_str!("../../sql/sealed/declared.sql");
        let digest: Option<String> = connection.query_row(sql, [&self.path], |row| row.get(0))?;
        let digest = digest.and_then(|digest| digest.parse().ok());
        let digest = digest
            .ok_or_else(|| ReadError::Damage("plantune did not write this file".to_owned()))?;
        Ok(Content {
            rows: self.rows(),
            digest,
        })
    }

    /// What it holds; `each` gets its events, part by part.
    ///
    /// # Errors
    /// Damage, DuckDB's, and those of `each`.
    pub(super) fn content(
        &self,
        connection: &Connection,
        mut each: impl FnMut(&RecordBatch) -> Result<(), Error>,
    ) -> Result<Content, ReadError> {
        let mut content = Content::default();
        for part in self.parts() {
            let events = self.whole_events(connection, &part)?;
            content.rows += events.num_rows() as u64;
            content.digest += digests(&events).into_iter().map(u128::from).sum::<u128>();
            each(&events).map_err(ReadError::Other)?;
        }
        Ok(content)
    }
}

/// Reads a sealed segment to its end, and returns how many events it has.
///
/// # Errors
/// Why it cannot be: it is damaged, or the file system refuses.
pub fn check_sealed(path: &Path) -> io::Result<u64> {
    let words = |error: Error| match error {
        Error::Spool(error) => error,
        error => io::Error::other(error.to_string()),
    };
    let connection = connect().map_err(words)?;
    let check = || {
        let file = SealedFile::open(&connection, path)?;
        let content = file.content(&connection, |_| Ok(()))?;
        if content == file.declared(&connection)? {
            Ok(content.rows)
        } else {
            Err(ReadError::Damage("events were changed".to_owned()))
        }
    };
    check().map_err(|error| words(error.into()))
}

/// The path of a segment that is being sealed.
pub(super) fn temporary(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".tmp");
    name.into()
}
