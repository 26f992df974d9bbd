//! What stops a run.

use std::io;
use std::path::PathBuf;

use duckdb::arrow::error::ArrowError;
use plantune_migrations::{SchemaError, is_damage};

/// Why the store could not be brought up to date, or an import stopped. Files and lines of transcripts that cannot be
/// read do not stop it; the [`TranscriptSummary`](crate::claude_code::TranscriptSummary) counts them.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A segment of the log cannot be read.
    #[error("the log cannot be read: {0}")]
    Spool(io::Error),
    /// A sealed segment of the log is damaged; in words.
    #[error("{0}")]
    Damage(String),
    /// A segment of the log, named, cannot be written.
    #[error("{path} cannot be written: {1}", path = .0.display())]
    SpoolWrite(PathBuf, io::Error),
    /// Another process holds the store. Names it, if DuckDB reports it.
    #[error("{} is in use by another process: {holder}", store.display())]
    Held {
        /// The store's file.
        store: PathBuf,
        /// The holder, in DuckDB's words.
        holder: String,
    },
    /// The store must be computed again, and is the only copy of some sealed months.
    #[error("it must be computed again ({reason}), and is the only copy of {}", months.join(", "))]
    OnlyCopy {
        /// The months' files.
        months: Vec<String>,
        /// Why it must be computed again, in words.
        reason: String,
    },
    /// The store's folder or file cannot be made.
    #[error("{}: {error}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The store was written by a newer plantune.
    #[error("{0}")]
    Newer(SchemaError),
    /// There is nothing at the path to import from.
    #[error("no transcripts at {}: no such path", .0.display())]
    Missing(PathBuf),
    /// The path to import from cannot be read.
    #[error("{path}: {1}", path = .0.display())]
    Root(PathBuf, io::Error),
    /// There is no time zone of this name.
    #[error("{0:?} is not an IANA time zone")]
    TimeZone(String),
    /// The store's file is not a DuckDB database, or is damaged.
    #[error("{0}")]
    Broken(duckdb::Error),
    /// DuckDB cannot open or use the store.
    #[error("{0}")]
    DuckDb(duckdb::Error),
}

impl Error {
    /// True when DuckDB needs more memory than it may use.
    pub(crate) fn is_out_of_memory(&self) -> bool {
        matches!(self, Self::DuckDb(error) if error.to_string().starts_with("Out of Memory"))
    }
}

impl From<duckdb::Error> for Error {
    fn from(error: duckdb::Error) -> Self {
        if is_damage(&error) {
            Self::Broken(error)
        } else {
            Self::DuckDb(error)
        }
    }
}

/// Errors while reading the log.
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Spool(error)
    }
}

impl From<ArrowError> for Error {
    fn from(error: ArrowError) -> Self {
        Self::Damage(error.to_string())
    }
}

impl From<SchemaError> for Error {
    fn from(error: SchemaError) -> Self {
        match error {
            SchemaError::DuckDb(error) => error.into(),
            newer => Self::Newer(newer),
        }
    }
}
