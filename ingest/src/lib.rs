//! The log (segments that hooks and imports append to, and sealed segments) → Arrow → the store, which is a function of
//! the log. The only crate that writes the store.

mod arrow;
pub mod claude_code;
mod histories;
mod import;
mod inspect;
mod lines;
mod projection;
mod reader;
mod retention;
mod segment;
mod store;
#[cfg(test)]
mod tests;
mod transcripts;
mod whole_log;

use std::io;
use std::path::PathBuf;

use duckdb::arrow::error::ArrowError;
use plantune_migrations::is_damage;

pub use arrow::{fields as event_columns, with_event_columns};
pub use histories::{
    files as history_files, read as read_history, read_paths as read_history_files,
};
pub use import::Import;
pub use inspect::{Difference, compare};
pub use reader::{check_sealed, pattern as parquet_pattern};
pub use retention::{Collected, Planned, Step, Why, plan};
pub use segment::{Format, SegmentName};
pub use store::Writer;
pub use store::open::{Reason, is_current, was_killed};
pub use store::run::{Progress, Summary};
pub use transcripts::{Followed, Mark, follow, has_undecided};
pub use whole_log::{UnreadSegment, define_whole_log, read_events};

/// Why the store could not be brought up to date, or an import stopped. Files and lines of transcripts that cannot be
/// read do not stop it; the [`Summary`](crate::claude_code::Summary) counts them.
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
    Newer(plantune_migrations::Error),
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

impl From<plantune_migrations::Error> for Error {
    fn from(error: plantune_migrations::Error) -> Self {
        match error {
            plantune_migrations::Error::DuckDb(error) => error.into(),
            newer => Self::Newer(newer),
        }
    }
}
