//! DuckDB: a database of its own for one computation, and rows as structs.

use std::path::Path;

use duckdb::arrow::array::RecordBatch;
use duckdb::{Connection, Params};
use plantune_ingest::with_event_columns;
use serde::de::DeserializeOwned;

use crate::failure::Failure;

/// A new database in `folder`, which is removed at the end: what does not fit into memory goes there. DuckDB uses
/// `memory`, as it writes sizes; most of what there is unless it is said.
///
/// # Errors
/// DuckDB's.
pub(crate) fn open(folder: &Path, memory: Option<&str>) -> Result<Connection, Failure> {
    let connection = Connection::open(folder.join("computed.duckdb"))?;
    connection.execute("SET VARIABLE folder = ?", [folder.to_string_lossy()])?;
    if let Some(memory) = memory {
        connection.execute("SET VARIABLE memory = ?", [memory])?;
        connection.execute_batch("SET memory_limit = getvariable('memory')")?;
    }
    connection.execute_batch(include_str!("../sql/duckdb/session.sql"))?;
    Ok(connection)
}

/// Makes the table `lake_rows`, which has the columns of a file of the lake, and no rows.
///
/// # Errors
/// DuckDB's.
pub(crate) fn make_lake_rows(connection: &Connection) -> Result<(), Failure> {
    let table = with_event_columns(include_str!("../sql/lake/columns.sql"));
    Ok(connection.execute_batch(&table)?)
}

/// What `sql` finds: structs or tuples that have its columns for fields.
///
/// # Errors
/// DuckDB's; failed for columns of other types.
pub(crate) fn rows<T: DeserializeOwned>(
    connection: &Connection,
    sql: &str,
    parameters: impl Params,
) -> Result<Vec<T>, Failure> {
    let batches: Vec<_> = connection.prepare(sql)?.query_arrow(parameters)?.collect();
    in_batches(&batches)
}

/// The texts that `sql` finds, one a row.
///
/// # Errors
/// As [`rows`].
pub(crate) fn texts(
    connection: &Connection,
    sql: &str,
    parameters: impl Params,
) -> Result<Vec<String>, Failure> {
    let texts = rows(connection, sql, parameters)?.into_iter();
    Ok(texts.map(|(text,)| text).collect())
}

/// The one row that `sql` finds.
///
/// # Errors
/// As [`rows`], and where there is none.
pub(crate) fn row<T: DeserializeOwned>(connection: &Connection, sql: &str) -> Result<T, Failure> {
    let row = rows(connection, sql, [])?.pop();
    Ok(row.ok_or(duckdb::Error::QueryReturnedNoRows)?)
}

/// The rows of an engine's answer, whichever engine it is.
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

/// Chooses the files that statements read as the variable `files`: patterns as DuckDB reads them.
///
/// # Errors
/// DuckDB's.
pub(crate) fn choose(connection: &Connection, patterns: &[impl AsRef<str>]) -> Result<(), Failure> {
    let patterns: Vec<&str> = patterns.iter().map(AsRef::as_ref).collect();
    let sql = include_str!("../sql/lake/choose.sql");
    connection.execute(sql, [serde_json::to_string(&patterns)?])?;
    Ok(())
}
