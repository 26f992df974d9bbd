//! The report on DuckDB: the lake's events, or its projection, in a database of its own on this machine.

use duckdb::arrow::array::RecordBatch;
use duckdb::{Connection, params_from_iter};
use plantune_reports::fleet::SkippedFile;
use tempfile::TempDir;

use super::engine::{Engine, Kept, Scope};
use super::events::Files;
use crate::database::{self, make_lake_rows};
use crate::failure::Failure;
use crate::lake::Lake;
use crate::lake::files::Reader;
use crate::lake::tombstones;
use crate::projection::write::Unfinished;
use crate::projection::{Projection, Table};

/// A database with what the queries read.
pub(super) struct DuckDb {
    connection: Connection,
    /// Where the database lies; removed after it.
    folder: TempDir,
}

impl DuckDb {
    /// A new one, which uses `memory`, as DuckDB writes sizes.
    ///
    /// # Errors
    /// DuckDB's, and the file system's.
    pub(super) fn open(memory: Option<&str>) -> Result<Self, Failure> {
        let folder = tempfile::tempdir()?;
        Ok(Self {
            connection: database::open(folder.path(), memory)?,
            folder,
        })
    }
}

impl Engine for DuckDb {
    fn make(&mut self, name: &str, kept: Kept, sql: &str) -> Result<(), Failure> {
        // In the database's file, compressed: a temporary table would lie in memory as it is.
        let what = if kept == Kept::Yes { "TABLE" } else { "VIEW" };
        let statement = format!("CREATE OR REPLACE {what} {name} AS\n{sql}");
        Ok(self.connection.execute_batch(&statement)?)
    }

    fn batches(&mut self, sql: &str) -> Result<Vec<RecordBatch>, Failure> {
        Ok(self.connection.prepare(sql)?.query_arrow([])?.collect())
    }

    fn set(&mut self, scope: &Scope) -> Result<(), Failure> {
        let settings = params_from_iter(scope.settings().map(|(_, value)| value));
        let sql = include_str!("../../sql/duckdb/settings.sql");
        self.connection.execute(sql, settings)?;
        Ok(())
    }

    fn load(&mut self, lake: &Lake, files: &mut Files) -> Result<(), Failure> {
        let connection = &self.connection;
        make_lake_rows(connection)?;
        connection.execute_batch(include_str!("../../sql/duckdb/events.sql"))?;
        tombstones::load(connection, &files.tombstones)?;
        let mut reader = Reader::new(lake, connection);
        let read = reader.read(&files.read, include_str!("../../sql/duckdb/load.sql"))?;
        files.read = read.ok_or_else(|| Failure::failed("a file of the lake is gone"))?;
        files.skipped.append(&mut reader.skipped);
        Ok(())
    }

    fn damaged(&mut self, _: &Lake, _: &Files) -> Result<Vec<SkippedFile>, Failure> {
        // It has been read, file by file.
        Ok(Vec::new())
    }

    fn load_projection(
        &mut self,
        lake: &Lake,
        projection: &Projection,
        scope: &Scope,
    ) -> Result<(), Failure> {
        let sql = include_str!("../../sql/projection/columns.sql");
        self.connection.execute_batch(sql)?;
        for table in Table::ALL {
            let of_days = (table, scope.micros());
            let (entries, _) = projection.stored(&self.connection, lake, of_days, false)?;
            if !entries.is_empty() {
                self.connection.execute_batch(match table {
                    Table::Questions => include_str!("../../sql/projection/load_questions.sql"),
                    Table::Prompts => include_str!("../../sql/projection/load_prompts.sql"),
                    Table::Barred => include_str!("../../sql/projection/load_barred.sql"),
                })?;
            }
        }
        Ok(())
    }

    fn write(&mut self, projection: &mut Unfinished<'_>) -> Result<(), Failure> {
        projection.write(&self.connection, self.folder.path())
    }
}
