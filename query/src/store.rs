//! The open store, read-only.

use std::fmt;
use std::path::{Path, PathBuf};

use duckdb::{AccessMode, Connection};

/// Why the store cannot be read.
#[derive(Debug)]
pub enum Error {
    /// There is no store yet.
    Missing(PathBuf),
    /// The store's schema version is not the one known here.
    Version {
        /// The store's version.
        found: u32,
        /// The version known here.
        known: u32,
    },
    /// DuckDB's own error.
    DuckDb(duckdb::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(path) => write!(f, "there is no store at {}", path.display()),
            Self::Version { found, known } => {
                write!(
                    f,
                    "the store has schema version {found}, and this plantune reads {known}"
                )
            }
            Self::DuckDb(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl From<duckdb::Error> for Error {
    fn from(error: duckdb::Error) -> Self {
        Self::DuckDb(error)
    }
}

/// The store, opened read-only.
pub struct Store {
    pub(crate) connection: Connection,
}

impl Store {
    /// Opens the store in `path`.
    ///
    /// # Errors
    /// [`Error::Missing`] without a file, [`Error::Version`] for a schema of another version,
    /// and DuckDB's own.
    pub fn open(path: &Path) -> Result<Self, Error> {
        if !path.exists() {
            return Err(Error::Missing(path.to_owned()));
        }
        let connection = plantune_migrations::open(path, AccessMode::ReadOnly)?;
        let (found, known) = (
            plantune_migrations::version(&connection)?,
            plantune_migrations::newest(),
        );
        if found == known {
            Ok(Self { connection })
        } else {
            Err(Error::Version { found, known })
        }
    }
}
