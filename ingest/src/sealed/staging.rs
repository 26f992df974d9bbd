//! Writing a sealed segment: events are gathered in a table of a DuckDB of their own, sorted and written.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use duckdb::Connection;
use duckdb::arrow::array::{RecordBatch, UInt64Array};
use duckdb::arrow::datatypes::{DataType, Field, Schema};
use duckdb::arrow::error::ArrowError;

use super::file::{SealedFile, connect};
use super::path::text;
use plantune_domain::paths::create_private_dir;
use plantune_domain::private_file;

use crate::arrow::{Unsaved, append, digests, with_event_columns};
use crate::error::Error;
use crate::reader::SegmentReader;
use crate::spool::{Segment, named};
use crate::store::failed;

/// Events on their way into a sealed segment.
pub(crate) struct Staging {
    connection: Connection,
    folder: PathBuf,
    total: Unsaved,
    unsaved: Unsaved,
}

impl Staging {
    /// An empty one, in `folder`, which is removed at the end.
    pub(crate) fn open(folder: &Path) -> Result<Self, Error> {
        create_private_dir(folder).map_err(|error| failed(folder, error))?;
        let connection = Connection::open(folder.join("events.duckdb"))?;
        connection.execute("SET VARIABLE folder = ?", [text(folder)?])?;
        connection.execute_batch(include_str!("../../sql/sealed/staging.sql"))?;
        let table = include_str!("../../sql/sealed/table.sql");
        connection.execute_batch(&with_event_columns(table))?;
        Ok(Self {
            connection,
            folder: folder.to_owned(),
            total: Unsaved::default(),
            unsaved: Unsaved::default(),
        })
    }

    /// Adds the events of a JSONL segment.
    ///
    /// # Errors
    /// When there is more to it than events: a line that is none, or half a line at its end; and those of
    /// the file system and DuckDB.
    pub(crate) fn add_lines(&mut self, segment: &Segment) -> Result<(), Error> {
        let refused = |words: &str| {
            let error = io::Error::other(words);
            Error::Spool(named(&error, &segment.path))
        };
        let mut reader = SegmentReader::open(segment, 0, &mut None)?;
        while let Some(part) = reader.next()? {
            let (events, bad_lines) = part.events(true)?;
            if !bad_lines.is_empty() {
                return Err(refused("a line is no event"));
            }
            self.add(&events)?;
        }
        if matches!(reader, SegmentReader::Lines(reader) if reader.ends_torn()) {
            return Err(refused("it ends in half a line"));
        }
        Ok(())
    }

    /// Adds the events of a sealed segment.
    ///
    /// # Errors
    /// When it is not as it was written, and those of the file system and DuckDB.
    pub(crate) fn add_sealed(&mut self, path: &Path) -> Result<(), Error> {
        let file = SealedFile::open(&connect()?, path)?;
        file.check(|events| self.add(events)).map(drop)
    }

    fn add(&mut self, events: &RecordBatch) -> Result<(), Error> {
        let events = with_digests(events)?;
        self.total.add(&events);
        self.unsaved.add(&events);
        append(&self.connection, "events", vec![events])?;
        if self.unsaved.is_enough() {
            self.unsaved = Unsaved::default();
            let sql = include_str!("../../sql/save_part.sql");
            self.connection.execute_batch(sql)?;
        }
        Ok(())
    }

    /// Writes the sealed segment `path` as a temporary file beside it, and returns that file's path and
    /// how many events it holds. It is synced, and was read back and compared with what was added.
    ///
    /// # Errors
    /// When what is read back is something else, and those of the file system and DuckDB.
    pub(crate) fn write(self, path: &Path) -> Result<(PathBuf, u64), Error> {
        let temporary = path.with_extension("parquet.tmp");
        match self.write_and_compare(&temporary) {
            Ok(rows) => Ok((temporary, rows)),
            Err(error) => {
                // The error that was is the one to report.
                let _ = fs::remove_file(&temporary);
                Err(error)
            }
        }
    }

    fn write_and_compare(self, path: &Path) -> Result<u64, Error> {
        let failed = |error: io::Error| Error::SpoolWrite(path.to_owned(), error);
        let sql = include_str!("../../sql/sealed/remove_repeated.sql");
        self.connection.execute_batch("COMMIT")?;
        self.connection.execute_batch(sql)?;
        let sql = include_str!("../../sql/sealed/staged.sql");
        let (rows, digest): (u64, String) = self
            .connection
            .query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
        // DuckDB writes to the file that is there, which is private from the start.
        let file = private_file::create_new(path).map_err(failed)?;
        let name = text(path).map_err(failed)?;
        self.connection.execute("SET VARIABLE path = ?", [name])?;
        self.connection
            .execute("SET VARIABLE digest = ?", [digest])?;
        // Sorting copies whole rows, some thousand at a time.
        let sql = if self.total.has_long_rows() {
            include_str!("../../sql/sealed/write_unsorted.sql")
        } else {
            include_str!("../../sql/sealed/write.sql")
        };
        self.connection.execute_batch(sql)?;
        file.sync_all().map_err(failed)?;
        drop(self);
        match SealedFile::open(&connect()?, path)?.check(|_| Ok(())) {
            Ok(written) if written == rows => Ok(rows),
            _ => Err(failed(io::Error::other(
                "what was written does not hold the events",
            ))),
        }
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // The next gc removes what is left.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The columns of `events`, and a digest of each.
fn with_digests(events: &RecordBatch) -> Result<RecordBatch, ArrowError> {
    let mut fields = events.schema().fields().to_vec();
    fields.push(Arc::new(Field::new("digest", DataType::UInt64, true)));
    let mut columns = events.columns().to_vec();
    columns.push(Arc::new(UInt64Array::from(digests(events))));
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
}
