//! What computes over a lake: DuckDB on this machine. `spark.rs` is another engine.

use std::path::PathBuf;

use duckdb::Connection;
use duckdb::arrow::array::RecordBatch;
use plantune::failure::Failure;
use plantune_ingest::parquet_pattern;
use serde::de::DeserializeOwned;
use tempfile::TempDir;

use crate::sql::{FILES, SESSION};

/// An engine. Errors are its own.
pub(crate) trait Engine {
    /// Makes what `sql` finds the view `name`, instead of the one of that name; `is_kept` where many queries read it.
    fn make(&mut self, name: &str, sql: &str, is_kept: bool) -> Result<(), Failure>;

    /// The rows of `sql`.
    fn batches(&mut self, sql: &str) -> Result<Vec<RecordBatch>, Failure>;
}

/// The rows of `sql` on `engine`, as structs or tuples with its columns for fields.
pub(crate) fn found<T: DeserializeOwned>(
    engine: &mut dyn Engine,
    sql: &str,
) -> Result<Vec<T>, Failure> {
    in_batches(&engine.batches(sql)?)
}

/// The rows of an engine's answer.
///
/// # Errors
/// Failed for columns that are lacking or of other types.
pub(crate) fn in_batches<T: DeserializeOwned>(batches: &[RecordBatch]) -> Result<Vec<T>, Failure> {
    let mut rows = Vec::new();
    for batch in batches {
        rows.extend(serde_arrow::from_record_batch::<Vec<T>>(batch)?);
    }
    Ok(rows)
}

/// DuckDB, with a database of its own.
pub(crate) struct DuckDb {
    connection: Connection,
    /// Where the database lies; removed after it.
    _folder: TempDir,
}

impl DuckDb {
    /// One with a view of the files at these places, which uses `memory`, as DuckDB writes sizes: most of what there is
    /// unless it is said.
    pub(crate) fn open(files: &[PathBuf], memory: Option<&str>) -> Result<Self, Failure> {
        let folder = tempfile::tempdir()?;
        // What is kept lies in the database's file, compressed: a temporary table would lie in memory as it is.
        let connection = Connection::open(folder.path().join("computed.duckdb"))?;
        let patterns: Result<Vec<String>, _> =
            files.iter().map(|file| parquet_pattern(file)).collect();
        let set = |sql: &str, value: &str| connection.execute(sql, [value]);
        set("SET VARIABLE folder = ?", &folder.path().to_string_lossy())?;
        set(
            "SET VARIABLE files = from_json(?, '[\"VARCHAR\"]')",
            &serde_json::to_string(&patterns?)?,
        )?;
        if let Some(memory) = memory {
            set("SET memory_limit = ?", memory)?;
        }
        connection.execute_batch(SESSION)?;
        let mut engine = Self {
            connection,
            _folder: folder,
        };
        engine.make("files", FILES, false)?;
        Ok(engine)
    }
}

impl Engine for DuckDb {
    fn make(&mut self, name: &str, sql: &str, is_kept: bool) -> Result<(), Failure> {
        let what = if is_kept { "TABLE" } else { "VIEW" };
        Ok(self
            .connection
            .execute_batch(&format!("CREATE OR REPLACE {what} {name} AS\n{sql}"))?)
    }

    fn batches(&mut self, sql: &str) -> Result<Vec<RecordBatch>, Failure> {
        Ok(self.connection.prepare(sql)?.query_arrow([])?.collect())
    }
}
