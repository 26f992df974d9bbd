//! Writing a sealed segment: events are gathered in a table of a DuckDB of their own, sorted and written.

use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use duckdb::Connection;
use duckdb::arrow::array::RecordBatch;

use super::columns::{COLUMNS, Row, decode_rows, sql_types};
use super::file::{Content, SealedFile, connect, temporary};
use super::path::text;
use crate::error::Error;
use crate::spool::{ChunkReader, Decoded, Segment, decode_lines, named};
use crate::store::columns::{BatchBuilder, Columns, Type, Value};
use crate::store::temporary::append;

/// The columns of the table: those of a segment, and the digest of the row.
const STAGED: Columns = &{
    let mut all = [("digest", Type::U64); COLUMNS.len() + 1];
    let (columns, _) = all.split_at_mut(COLUMNS.len());
    columns.copy_from_slice(COLUMNS);
    all
};

/// Events on their way into a sealed segment.
pub(crate) struct Staging {
    connection: Connection,
    folder: PathBuf,
}

impl Staging {
    /// An empty one; what does not fit into memory goes to `folder`, which is removed at the end.
    ///
    /// # Errors
    /// DuckDB's.
    pub(crate) fn open(folder: &Path) -> Result<Self, Error> {
        let connection = Connection::open_in_memory()?;
        set(&connection, "folder", text(folder).map_err(Error::Spool)?)?;
        connection.execute_batch(include_str!("../../sql/sealed/staging.sql"))?;
        let columns = sql_types().chain([("digest", "UBIGINT")]);
        let columns: Vec<String> = columns
            .map(|(name, r#type)| format!("\"{name}\" {type}"))
            .collect();
        connection.execute_batch(&format!("CREATE TABLE events ({})", columns.join(", ")))?;
        Ok(Self {
            connection,
            folder: folder.to_owned(),
        })
    }

    /// Adds the events of a JSONL segment.
    ///
    /// # Errors
    /// When there is more to it than events: a line that is none, or half a line at its end; and those of
    /// the file system and DuckDB.
    pub(crate) fn add_lines(&self, segment: &Segment) -> Result<(), Error> {
        let refused = |words: &str| {
            let error = io::Error::other(words);
            Error::Spool(named(&error, &segment.path))
        };
        let mut reader = ChunkReader::open(segment, 0).map_err(Error::Spool)?;
        while let Some(chunk) = reader.next().map_err(Error::Spool)? {
            let lines = decode_lines(&chunk);
            if !lines.bad_lines.is_empty() {
                return Err(refused("a line is no event"));
            }
            append(&self.connection, "events", rows(&lines.events)?)?;
        }
        if reader.ends_torn() {
            return Err(refused("it ends in half a line"));
        }
        Ok(())
    }

    /// Adds the events of a sealed segment.
    ///
    /// # Errors
    /// When it is not as it was written, and those of the file system and DuckDB.
    pub(crate) fn add_sealed(&self, path: &Path) -> Result<(), Error> {
        let connection = connect()?;
        let file = SealedFile::open(&connection, path)?;
        let content = file.content(&connection, |batch| {
            append(&self.connection, "events", rows(&decode_rows(batch)?)?)
        })?;
        if content != file.declared(&connection)? {
            let error = io::Error::other("it is damaged: events were changed");
            return Err(Error::Spool(named(&error, path)));
        }
        Ok(())
    }

    /// Writes the sealed segment `path` as a temporary file beside it, and returns that file's path and
    /// how many events it holds. It is synced, and was read back and compared with what was added.
    ///
    /// # Errors
    /// When what is read back is something else, and those of the file system and DuckDB.
    pub(crate) fn write(self, path: &Path) -> Result<(PathBuf, u64), Error> {
        let temporary = temporary(path);
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
        self.connection.execute_batch(sql)?;
        let sql = include_str!("../../sql/sealed/staged.sql");
        let (rows, digest): (u64, String) = self
            .connection
            .query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
        // DuckDB writes to the file that is there, which is private from the start.
        let mut options = OpenOptions::new();
        let file = options.write(true).create_new(true).mode(0o600).open(path);
        let file = file.map_err(failed)?;
        set(&self.connection, "path", text(path).map_err(failed)?)?;
        set(&self.connection, "digest", &digest)?;
        let sql = include_str!("../../sql/sealed/write.sql");
        self.connection.execute_batch(sql)?;
        file.sync_all().map_err(failed)?;
        drop(self);
        let written = Content {
            rows,
            digest: digest.parse().unwrap_or_default(),
        };
        let connection = connect()?;
        let file = SealedFile::open(&connection, path)?;
        if file.content(&connection, |_| Ok(()))? == written
            && file.declared(&connection)? == written
        {
            return Ok(rows);
        }
        let words = "what was written does not give the events back";
        Err(failed(io::Error::other(words)))
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // The next gc removes what is left.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn rows(events: &[Decoded<'_>]) -> Result<Vec<RecordBatch>, Error> {
    let mut batches = BatchBuilder::new(STAGED);
    for event in events {
        let row = Row::of(event).map_err(|error| Error::Spool(error.into()))?;
        let digest = Value::U64(row.digest());
        batches.push(row.values().into_iter().chain([digest]))?;
    }
    Ok(batches.finish()?)
}

/// Sets a variable of SQL: where a statement takes no parameters, it takes those.
fn set(connection: &Connection, name: &str, value: &str) -> duckdb::Result<()> {
    let sql = match name {
        "folder" => "SET VARIABLE folder = ?",
        "path" => "SET VARIABLE path = ?",
        _ => "SET VARIABLE digest = ?",
    };
    connection.execute(sql, [value]).map(drop)
}
