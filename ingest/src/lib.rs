//! The log (segments that hooks and imports append to, and sealed segments) → Arrow → the store, which is a function of
//! the log. The only crate that writes the store.

mod arrow;
pub mod claude_code;
mod histories;
mod import;
mod lines;
mod projection;
mod reader;
mod retention;
mod segment;
mod store;
#[cfg(test)]
mod tests;

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Instant;

use duckdb::arrow::error::ArrowError;
use plantune_migrations::is_damage;

pub use arrow::{fields as event_columns, with_event_columns};
pub use histories::{
    files as history_files, read as read_history, read_paths as read_history_files,
};
pub use import::{Followed, Import, TranscriptMark, follow, has_undecided};
pub use reader::{check_sealed, pattern as parquet_pattern};
pub use retention::{Collected, KeepReason, Planned, RetentionStep, plan};
pub use segment::{Format, SegmentName};
pub use store::log_reader::{UnreadSegment, define_whole_log, read_events};
pub use store::open::{RebuildReason, is_current, was_killed};
pub use store::run::Summary;
pub use store::{Difference, Writer, compare};

/// Why the store could not be brought up to date, or an import stopped. Files and lines of transcripts that cannot be
/// read do not stop it; the [`TranscriptSummary`](claude_code::TranscriptSummary) counts them.
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

/// The progress of a run: what is being done, and the bytes that are read for it. It is shared between the run and the
/// thread that shows it. The numbers are for showing only, so no order between them is kept.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<ProgressCounts>);

#[derive(Debug, Default)]
struct ProgressCounts {
    step: Mutex<&'static str>,
    done: AtomicU64,
    total: AtomicU64,
}

impl Progress {
    /// The progress of a run that begins with `step`.
    pub fn of(step: &'static str) -> Self {
        let progress = Self::default();
        progress.begin(step, 0);
        progress
    }

    /// What is being done, in words.
    pub fn step(&self) -> &'static str {
        *self.0.step.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes read so far.
    pub fn done(&self) -> u64 {
        self.0.done.load(Ordering::Relaxed)
    }

    /// Bytes to be read in all; 0 for a step that reads none.
    pub fn total(&self) -> u64 {
        self.0.total.load(Ordering::Relaxed)
    }

    /// A step that reads `total` bytes begins.
    pub(crate) fn begin(&self, step: &'static str, total: u64) {
        *self.0.step.lock().unwrap_or_else(PoisonError::into_inner) = step;
        self.0.done.store(0, Ordering::Relaxed);
        self.0.total.store(total, Ordering::Relaxed);
    }

    /// `bytes` more were read.
    pub(crate) fn add(&self, bytes: u64) {
        self.0.done.fetch_add(bytes, Ordering::Relaxed);
    }
}

static IS_TRACED: LazyLock<bool> = LazyLock::new(|| std::env::var_os("PLANTUNE_TRACE").is_some());

/// Does `work`, a step called `name`. With `PLANTUNE_TRACE` set, prints how long it took to standard error.
#[allow(clippy::print_stderr, reason = "asked for, by a developer")]
pub(crate) fn step<T>(name: &str, work: impl FnOnce() -> T) -> T {
    if !*IS_TRACED {
        return work();
    }
    let start = Instant::now();
    let result = work();
    eprintln!("{:8.3} s  {name}", start.elapsed().as_secs_f64());
    result
}
