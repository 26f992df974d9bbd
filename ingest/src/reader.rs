//! The log as record batches of events: a segment part by part, lines or sealed, and all of it for other programs.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

use duckdb::arrow::array::RecordBatch;
use duckdb::arrow::compute::concat_batches;
use duckdb::{Connection, params};

use crate::Error;
use crate::arrow::{EventsBuilder, complete, digests};
use crate::lines::{BadLine, decode_lines};
use crate::segment::{Chunk, ChunkReader, Format, Segment, list, named};

/// Reads one segment.
pub(crate) enum SegmentReader {
    Lines(ChunkReader),
    Rows(SealedFile),
}

/// Some megabytes of lines, or a row group. Parts may be decoded side by side.
pub(crate) enum Part {
    Lines(Chunk),
    Rows(RowGroup),
}

impl SegmentReader {
    /// Opens `segment` at `offset`; a sealed one is always read from its start. `sealed` keeps
    /// what sealed ones are read with.
    pub(crate) fn open(
        segment: &Segment,
        offset: u64,
        sealed: &mut Option<Connection>,
    ) -> Result<Self, Error> {
        if segment.name.format() != Format::Sealed {
            return Ok(Self::Lines(ChunkReader::open(segment, offset)?));
        }
        let connection = match sealed {
            Some(connection) => connection,
            None => sealed.insert(connect()?),
        };
        Ok(Self::Rows(SealedFile::open(connection, &segment.path)?))
    }

    /// The next part; `None` when no row or no whole line is left.
    pub(crate) fn next(&mut self) -> Result<Option<Part>, Error> {
        Ok(match self {
            Self::Lines(reader) => reader.next()?.map(Part::Lines),
            Self::Rows(file) => file.next()?.map(Part::Rows),
        })
    }
}

impl Part {
    /// The events, and the lines that are none. `is_whole`: with every field; else as projections need them,
    /// without fields that none reads, and with ids where some are needed.
    pub(crate) fn events(&self, is_whole: bool) -> Result<(RecordBatch, Vec<BadLine>), Error> {
        match self {
            Self::Lines(chunk) => {
                let lines = decode_lines(chunk);
                let mut events = EventsBuilder::default();
                for event in &lines.events {
                    events.push(event, is_whole)?;
                }
                Ok((events.finish()?, lines.bad_lines))
            }
            Self::Rows(rows) => Ok((rows.events(is_whole)?, Vec::new())),
        }
    }

    /// How many bytes of the segment it is, about.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Lines(chunk) => chunk.bytes.len() as u64,
            Self::Rows(rows) => rows.bytes,
        }
    }
}

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
    connection.execute_batch(include_str!("../sql/sealed/session.sql"))?;
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
            let sql = include_str!("../sql/sealed/row_groups.sql");
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
        let sql = include_str!("../sql/sealed/declared.sql");
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
            include_str!("../sql/sealed/read.sql")
        } else {
            include_str!("../sql/sealed/read_projected.sql")
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

/// `path` as DuckDB takes it where it looks for files of a pattern: brackets, question marks and stars
/// stand for themselves.
///
/// # Errors
/// When the path is not UTF-8.
pub fn pattern(path: &Path) -> io::Result<String> {
    let mut pattern = String::new();
    for c in text(path)?.chars() {
        match c {
            '*' | '?' | '[' => pattern.extend(['[', c, ']']),
            c => pattern.push(c),
        }
    }
    Ok(pattern)
}

/// `path` as text.
pub(crate) fn text(path: &Path) -> io::Result<&str> {
    path.to_str().ok_or_else(|| {
        let message = format!("{}: not UTF-8", path.display());
        io::Error::new(io::ErrorKind::Unsupported, message)
    })
}

/// A segment that could not be read to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadSegment {
    /// Its file name.
    pub segment: String,
    /// Why, in words.
    pub why: String,
}

/// Hands the events of the log in the folder `events` to `each`, batch by batch, and returns the segments that
/// could not be read to their end. An event may come twice, as it may stand in the log twice. Lines that are no
/// events are passed over: they are in the store's quarantine. Of a segment that is sealed meanwhile the events
/// may not come; the next call has them.
///
/// # Errors
/// Those of `each`, of the folder and of DuckDB.
pub fn read_events<E: From<Error>>(
    events: &Path,
    mut each: impl FnMut(&RecordBatch) -> Result<(), E>,
) -> Result<Vec<UnreadSegment>, E> {
    let mut unread = Vec::new();
    for segment in list(events).map_err(Error::from)? {
        let mut read = || -> Result<Result<(), E>, Error> {
            let mut reader = SegmentReader::open(&segment, 0, &mut None)?;
            while let Some(part) = reader.next()? {
                if let Err(error) = each(&part.events(true)?.0) {
                    return Ok(Err(error));
                }
            }
            Ok(Ok(()))
        };
        match read() {
            Ok(done) => done?,
            Err(Error::Spool(error)) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error @ (Error::Spool(_) | Error::Damage(_))) => unread.push(UnreadSegment {
                segment: segment.name.file_name(),
                why: error.to_string(),
            }),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(unread)
}
