//! The log for other tools: every event once, as Parquet or as lines of JSON.

use std::io;
use std::path::Path;

use chrono::NaiveDateTime;
use duckdb::params;

use crate::{Error, Store};

/// Which events: those from `since` on and before `until` (UTC); `None` for no bound.
#[derive(Clone, Copy, Debug, Default)]
pub struct Range {
    /// The first moment.
    pub since: Option<NaiveDateTime>,
    /// The moment after the last.
    pub until: Option<NaiveDateTime>,
}

/// Why the log could not be exported.
#[derive(Debug)]
pub enum ExportError {
    /// The store's.
    Store(Error),
    /// That of the writer.
    Write(io::Error),
}

impl<E: Into<Error>> From<E> for ExportError {
    fn from(error: E) -> Self {
        Self::Store(error.into())
    }
}

impl Store {
    /// True when there is a log to export.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn has_events(&self) -> Result<bool, Error> {
        let sql = include_str!("../sql/export/has_events.sql");
        let (has_events,) = self.row(sql, [])?;
        Ok(has_events)
    }

    /// The names of the segments that are damaged, and so not exported.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn damaged_segments(&self) -> Result<Vec<String>, Error> {
        self.texts(include_str!("../sql/export/damaged.sql"))
    }

    /// Writes the events of `range`, from the view `whole_log`, as Parquet into the file that is at `path`.
    ///
    /// # Errors
    /// DuckDB's; those of the file system are among them.
    pub fn export_parquet(&self, range: &Range, path: &Path) -> Result<(), Error> {
        self.choose(range)?;
        let path = path.to_string_lossy();
        self.connection
            .execute("SET VARIABLE path = ?", params![path.as_ref()])?;
        self.connection
            .execute_batch(include_str!("../sql/export/parquet.sql"))?;
        Ok(())
    }

    /// Hands the events of `range`, from the view `whole_log`, to `each` as JSON without line ends, in the order of
    /// time.
    ///
    /// # Errors
    /// DuckDB's, and those of `each`.
    pub fn export_lines(
        &self,
        range: &Range,
        mut each: impl FnMut(&str) -> io::Result<()>,
    ) -> Result<(), ExportError> {
        self.choose(range)?;
        let mut statement = self
            .connection
            .prepare(include_str!("../sql/export/lines.sql"))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let line: String = row.get(0)?;
            each(&line).map_err(ExportError::Write)?;
        }
        Ok(())
    }

    fn choose(&self, range: &Range) -> Result<(), Error> {
        self.connection
            .execute("SET VARIABLE since = ?", params![range.since])?;
        self.connection
            .execute("SET VARIABLE until = ?", params![range.until])?;
        self.connection
            .execute_batch(include_str!("../sql/export/events.sql"))?;
        Ok(())
    }
}
