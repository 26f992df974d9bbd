//! What computes a report: DuckDB on this machine, or Apache Spark. Names and statements are plantune's own, never text
//! of others.

use std::path::PathBuf;

use duckdb::arrow::array::RecordBatch;
use duckdb::{Connection, Params};
use plantune_ingest::parquet_pattern;
use plantune_query::fleet::{DUCKDB_FILES, SESSION};
use serde::de::DeserializeOwned;
use tempfile::TempDir;

use super::lake::Stored;
use crate::failure::Failure;

/// An engine. Errors are its own.
pub(super) trait Engine {
    /// Makes what `sql` finds the view `name`, in place of the one of that name; `is_kept` where many queries read it.
    fn make(&mut self, name: &str, sql: &str, is_kept: bool) -> Result<(), Failure>;

    /// What `sql` finds.
    fn batches(&mut self, sql: &str) -> Result<Vec<RecordBatch>, Failure>;
}

/// What `sql` finds on `engine`: structs or tuples that have its columns for fields.
///
/// # Errors
/// The engine's; failed for columns of other types.
pub(super) fn found<T: DeserializeOwned>(
    engine: &mut dyn Engine,
    sql: &str,
) -> Result<Vec<T>, Failure> {
    in_batches(&engine.batches(sql)?)
}

/// The rows of an engine's answer.
///
/// # Errors
/// Failed for columns that are lacking or of other types.
pub(super) fn in_batches<T: DeserializeOwned>(batches: &[RecordBatch]) -> Result<Vec<T>, Failure> {
    let mut rows = Vec::new();
    for batch in batches {
        rows.extend(serde_arrow::from_record_batch::<Vec<T>>(batch)?);
    }
    Ok(rows)
}

/// What `sql` finds in a database.
///
/// # Errors
/// DuckDB's; failed for columns of other types.
pub(super) fn rows<T: DeserializeOwned>(
    connection: &Connection,
    sql: &str,
    parameters: impl Params,
) -> Result<Vec<T>, Failure> {
    let batches: Vec<_> = connection.prepare(sql)?.query_arrow(parameters)?.collect();
    in_batches(&batches)
}

/// DuckDB, with a database of its own.
pub(super) struct DuckDb {
    connection: Connection,
    /// Where the database lies; removed after it.
    _folder: TempDir,
}

impl DuckDb {
    /// One that reads files at these places, pushed ones and merged ones, and uses `memory`, as DuckDB writes sizes: most
    /// of what there is unless it is said.
    ///
    /// # Errors
    /// DuckDB's, and the file system's.
    pub(super) fn open(files: &[(Stored, PathBuf)], memory: Option<&str>) -> Result<Self, Failure> {
        let folder = tempfile::tempdir()?;
        // What is kept lies in the database's file, compressed: a temporary table would lie in memory as it is.
        let connection = Connection::open(folder.path().join("computed.duckdb"))?;
        let set = |sql: &str, value: &str| connection.execute(sql, [value]);
        set("SET VARIABLE folder = ?", &folder.path().to_string_lossy())?;
        if let Some(memory) = memory {
            set("SET memory_limit = ?", memory)?;
        }
        connection.execute_batch(SESSION)?;
        let mut kinds = Vec::new();
        for (name, is_merged) in [("pushed", false), ("merged", true)] {
            let of_kind = files.iter().filter(|(file, _)| file.is_merged == is_merged);
            let patterns: Result<Vec<String>, _> =
                of_kind.map(|(_, path)| parquet_pattern(path)).collect();
            let patterns = patterns?;
            if !patterns.is_empty() {
                kinds.push(format!("FROM {name}"));
            }
            let sql = format!("SET VARIABLE {name} = from_json(?, '[\"VARCHAR\"]')");
            set(&sql, &serde_json::to_string(&patterns)?)?;
        }
        let mut views = DUCKDB_FILES.split_inclusive(';');
        for (kind, view) in ["FROM pushed", "FROM merged"].iter().zip(&mut views) {
            if kinds.iter().any(|one| one == kind) {
                connection.execute_batch(view)?;
            }
        }
        let files = kinds.join(" UNION ALL BY NAME ");
        connection.execute_batch(&format!("CREATE VIEW files AS {files}"))?;
        Ok(Self {
            connection,
            _folder: folder,
        })
    }
}

impl Engine for DuckDb {
    fn make(&mut self, name: &str, sql: &str, is_kept: bool) -> Result<(), Failure> {
        let what = if is_kept { "TABLE" } else { "VIEW" };
        let statement = format!("CREATE OR REPLACE {what} {name} AS\n{sql}");
        Ok(self.connection.execute_batch(&statement)?)
    }

    fn batches(&mut self, sql: &str) -> Result<Vec<RecordBatch>, Failure> {
        Ok(self.connection.prepare(sql)?.query_arrow([])?.collect())
    }
}
