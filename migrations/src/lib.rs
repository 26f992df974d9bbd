//! The store's schema: numbered SQL files, embedded, applied in order, never edited once landed.

mod access;

use duckdb::Connection;

pub use access::{PATIENCE, holder, is_damage, open, open_patiently};

/// The migrations in order; the version of a store is how many of them it has.
const MIGRATIONS: &[&str] = &[
    include_str!("../sql/0001_event_log.sql"),
    include_str!("../sql/0002_projections.sql"),
];

/// Why a store cannot be used.
#[derive(Debug)]
pub enum Error {
    /// DuckDB's own error.
    DuckDb(duckdb::Error),
    /// The store was written by a newer plantune: its version, and the newest known here.
    Newer {
        /// The store's version.
        found: u32,
        /// The newest version known here.
        known: u32,
    },
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::DuckDb(error) => error.fmt(f),
            Self::Newer { found, known } => write!(
                f,
                "the store has schema version {found}, and this plantune knows {known} at most"
            ),
        }
    }
}

impl std::error::Error for Error {}

impl From<duckdb::Error> for Error {
    fn from(error: duckdb::Error) -> Self {
        Self::DuckDb(error)
    }
}

/// The schema version of a store: how many migrations it has; 0 for a new one.
///
/// # Errors
/// DuckDB's.
pub fn version(connection: &Connection) -> duckdb::Result<u32> {
    let exists: bool =
        connection.query_row(include_str!("../sql/has_migrations.sql"), [], |row| {
            row.get(0)
        })?;
    if exists {
        connection.query_row(include_str!("../sql/version.sql"), [], |row| row.get(0))
    } else {
        Ok(0)
    }
}

/// The newest schema version known here.
pub fn newest() -> u32 {
    u32::try_from(MIGRATIONS.len()).unwrap_or(u32::MAX)
}

/// Makes sure that a store is not ahead of this program, and returns its version.
///
/// # Errors
/// DuckDB's, and [`Error::Newer`] for a store that is.
pub fn check(connection: &Connection) -> Result<u32, Error> {
    let (found, known) = (version(connection)?, newest());
    if found > known {
        Err(Error::Newer { found, known })
    } else {
        Ok(found)
    }
}

/// Brings a store to the newest version, each migration in a transaction of its own, and returns
/// the version it had before.
///
/// # Errors
/// DuckDB's, and [`Error::Newer`] for a store that is ahead of this program.
pub fn apply(connection: &mut Connection) -> Result<u32, Error> {
    let found = check(connection)?;
    if found == 0 {
        connection.execute_batch(include_str!("../sql/migrations_table.sql"))?;
    }
    for (number, sql) in (1u32..)
        .zip(MIGRATIONS)
        .filter(|(number, _)| *number > found)
    {
        let transaction = connection.transaction()?;
        transaction.execute_batch(sql)?;
        transaction.execute(include_str!("../sql/record_migration.sql"), [number])?;
        transaction.commit()?;
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use duckdb::AccessMode;

    #[test]
    fn a_new_store_is_brought_up_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.duckdb");
        let mut store = open(&path, AccessMode::ReadWrite).unwrap();
        assert_eq!(apply(&mut store).unwrap(), 0);
        assert_eq!(apply(&mut store).unwrap(), newest());
        drop(store);
        let store = open(&path, AccessMode::ReadOnly).unwrap();
        assert_eq!(version(&store).unwrap(), newest());
    }

    #[test]
    fn a_newer_store_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = open(&folder.path().join("store.duckdb"), AccessMode::ReadWrite).unwrap();
        apply(&mut store).unwrap();
        store
            .execute(include_str!("../sql/record_migration.sql"), [newest() + 1])
            .unwrap();
        assert!(matches!(apply(&mut store), Err(Error::Newer { .. })));
    }
}
