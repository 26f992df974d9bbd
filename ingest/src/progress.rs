//! How far a run is, for somebody who watches it from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of the log read and to be read, shared between a run and who shows it. The numbers are
/// for showing only, so no order between them is kept.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    done: AtomicU64,
    total: AtomicU64,
}

impl Progress {
    /// Bytes read so far.
    pub fn done(&self) -> u64 {
        self.0.done.load(Ordering::Relaxed)
    }

    /// Bytes to be read in all; 0 until that is known.
    pub fn total(&self) -> u64 {
        self.0.total.load(Ordering::Relaxed)
    }

    /// A run of `total` bytes begins.
    pub(crate) fn begin(&self, total: u64) {
        self.0.done.store(0, Ordering::Relaxed);
        self.0.total.store(total, Ordering::Relaxed);
    }

    /// `bytes` more were read.
    pub(crate) fn add(&self, bytes: u64) {
        self.0.done.fetch_add(bytes, Ordering::Relaxed);
    }
}
