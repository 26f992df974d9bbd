//! Why an import stops.

use std::io;
use std::path::PathBuf;

/// Why an import stopped. Files and lines that cannot be read do not stop it; the [`Summary`](super::Summary) counts
/// them.
#[derive(Debug, thiserror::Error)]
pub enum Error<E> {
    /// There is nothing at the path to import from.
    #[error("no transcripts at {}: no such path", .0.display())]
    Missing(PathBuf),
    /// The path to import from cannot be read.
    #[error("{path}: {1}", path = .0.display())]
    Root(PathBuf, io::Error),
    /// The receiver of the events failed.
    #[error("{0}")]
    Sink(E),
}

impl<E> From<E> for Error<E> {
    fn from(error: E) -> Self {
        Self::Sink(error)
    }
}
