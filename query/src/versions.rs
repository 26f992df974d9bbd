//! Of which versions the store and the library that reads it are.

use duckdb::Connection;

use crate::store::Error;

/// The version of the DuckDB library that is linked, such as `v1.5.2`.
///
/// # Errors
/// DuckDB's.
pub fn duckdb() -> Result<String, Error> {
    let connection = Connection::open_in_memory()?;
    let version = connection.query_row(include_str!("../sql/duckdb_version.sql"), [], |row| {
        row.get(0)
    });
    Ok(version?)
}

/// The schema version of the stores that this plantune makes.
pub fn store_schema() -> u32 {
    plantune_migrations::newest()
}
