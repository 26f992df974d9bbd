//! The store's schema, `schema.sql`, which has a single version. A store of another version is rebuilt from the log.

mod access;

use duckdb::Connection;

pub use access::{PATIENCE, holder, is_damage, open, open_patiently};

/// The schema's version.
const VERSION: u32 = 22;

/// Why a store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// DuckDB's own error.
    #[error(transparent)]
    DuckDb(#[from] duckdb::Error),
    /// The store was written by a newer plantune: its version, and the newest known here.
    #[error("the store has schema version {found}, and this plantune knows versions up to {known}")]
    Newer {
        /// The store's version.
        found: u32,
        /// The newest version known here.
        known: u32,
    },
}

/// The schema version of a store; 0 for a new one.
///
/// # Errors
/// DuckDB errors.
pub fn version(connection: &Connection) -> duckdb::Result<u32> {
    let version = connection.query_row(include_str!("../sql/version.sql"), [], |row| row.get(0));
    // A store nearly always has a version, so the check for a store without one runs only when this query fails.
    version.or_else(|error| {
        let sql = include_str!("../sql/has_migrations.sql");
        match connection.query_row(sql, [], |row| row.get(0))? {
            true => Err(error),
            false => Ok(0),
        }
    })
}

/// The newest schema version known here.
pub const fn newest() -> u32 {
    VERSION
}

/// Checks that a store is not newer than this program, and returns its version.
///
/// # Errors
/// DuckDB's errors, and [`Error::Newer`] for a newer store.
pub fn check(connection: &Connection) -> Result<u32, Error> {
    let (found, known) = (version(connection)?, newest());
    if found > known {
        Err(Error::Newer { found, known })
    } else {
        Ok(found)
    }
}

/// Makes the tables in an empty store.
///
/// # Errors
/// DuckDB errors.
pub fn create(connection: &Connection) -> duckdb::Result<()> {
    // Every transaction waits for the disk, so all statements share one.
    let transaction = connection.unchecked_transaction()?;
    connection.execute_batch(include_str!("../sql/schema.sql"))?;
    connection.execute(include_str!("../sql/record_migration.sql"), [VERSION])?;
    transaction.commit()
}

#[cfg(test)]
mod tests {
    use super::*;
    use duckdb::AccessMode;

    #[test]
    fn a_new_store_has_the_newest_version() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.duckdb");
        let store = open(&path, AccessMode::ReadWrite).unwrap();
        assert_eq!(version(&store).unwrap(), 0);
        create(&store).unwrap();
        assert_eq!(check(&store).unwrap(), newest());
        drop(store);
        let store = open(&path, AccessMode::ReadOnly).unwrap();
        assert_eq!(version(&store).unwrap(), newest());
    }

    #[test]
    fn a_new_store_has_the_format_and_the_blocks_that_it_is_measured_with() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder.path().join("store.duckdb"), AccessMode::ReadWrite).unwrap();
        let format: String = store
            .query_row(
                "SELECT tags['storage_version'] FROM duckdb_databases() WHERE database_name = 'store'",
                [],
                |row| row.get(0),
            )
            .unwrap();
        assert!(format.starts_with("v1.4.0"), "{format}");
        let block: u64 = store
            .query_row("SELECT block_size FROM pragma_database_size()", [], |row| {
                row.get(0)
            })
            .unwrap();
        assert_eq!(block, 128 * 1024);
    }

    #[test]
    fn a_newer_store_is_refused() {
        let store = Connection::open_in_memory().unwrap();
        create(&store).unwrap();
        store
            .execute(include_str!("../sql/record_migration.sql"), [newest() + 1])
            .unwrap();
        assert!(matches!(check(&store), Err(Error::Newer { .. })));
    }
}
