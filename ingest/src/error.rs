//! Why the store could not be brought up to date.

use std::fmt;
use std::io;
use std::path::PathBuf;

use duckdb::arrow::error::ArrowError;
use plantune_migrations::is_damage;

/// Why the store could not be brought up to date.
#[derive(Debug)]
pub enum Error {
    /// A segment of the log cannot be read.
    Spool(io::Error),
    /// A sealed or compressed segment of the log is damaged; in words.
    Damage(String),
    /// A segment of the log, named, cannot be written.
    SpoolWrite(PathBuf, io::Error),
    /// Another process holds the store; who, as far as DuckDB reports it.
    Held {
        /// The store's file.
        store: PathBuf,
        /// The holder, in DuckDB's words.
        holder: String,
    },
    /// The store's folder or file cannot be made.
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The store was written by a newer plantune.
    Newer(plantune_migrations::Error),
    /// There is no time zone of this name.
    TimeZone(String),
    /// The store's file is none, or damaged.
    Broken(duckdb::Error),
    /// DuckDB cannot open or use the store.
    DuckDb(duckdb::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spool(error) => write!(f, "the log cannot be read: {error}"),
            Self::Damage(words) => f.write_str(words),
            Self::SpoolWrite(path, error) => {
                write!(f, "{} cannot be written: {error}", path.display())
            }
            Self::Held { store, holder } => {
                let store = store.display();
                write!(f, "{store} is in use by another process: {holder}")
            }
            Self::Folder { path, error } => write!(f, "{}: {error}", path.display()),
            Self::TimeZone(name) => write!(f, "{name:?} is no IANA time zone"),
            Self::Newer(error) => error.fmt(f),
            Self::Broken(error) | Self::DuckDb(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl Error {
    /// True when DuckDB may not take as much memory as it would need.
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

/// Of what is read of the log: in a compressed segment, what is no valid data is damage.
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::InvalidData {
            Self::Damage(error.to_string())
        } else {
            Self::Spool(error)
        }
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
