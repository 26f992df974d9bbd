//! A DuckDB database of its own for one computation: what does not fit into memory goes to its folder.

use std::path::Path;

use duckdb::Connection;

use crate::failure::Failure;

/// A new database `name` in `folder`, which is removed at the end. DuckDB uses `memory`, as it writes sizes; most of
/// what there is unless it is said.
///
/// # Errors
/// DuckDB's.
pub(crate) fn open(folder: &Path, name: &str, memory: Option<&str>) -> Result<Connection, Failure> {
    let connection = Connection::open(folder.join(format!("{name}.duckdb")))?;
    connection.execute("SET VARIABLE folder = ?", [folder.to_string_lossy()])?;
    if let Some(memory) = memory {
        connection.execute("SET VARIABLE memory = ?", [memory])?;
        connection.execute_batch("SET memory_limit = getvariable('memory')")?;
    }
    connection.execute_batch(include_str!("../sql/duckdb/session.sql"))?;
    Ok(connection)
}
