//! Why an import stops.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why an import stopped. Files and lines that cannot be read do not stop it; the [`Summary`](super::Summary) counts
/// them.
#[derive(Debug)]
pub enum Error<E> {
    /// There is nothing at the path to import from.
    Missing(PathBuf),
    /// The path to import from cannot be read.
    Root(PathBuf, io::Error),
    /// The receiver of the events failed.
    Sink(E),
}

impl<E: fmt::Display> fmt::Display for Error<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(path) => write!(f, "no transcripts at {}: no such path", path.display()),
            Self::Root(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Sink(error) => error.fmt(f),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for Error<E> {}

impl<E> From<E> for Error<E> {
    fn from(error: E) -> Self {
        Self::Sink(error)
    }
}
